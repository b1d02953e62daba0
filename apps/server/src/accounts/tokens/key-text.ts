import { keyPrefix, tokenKeyLength } from '@tollgate/api'

/** A key as somebody wrote it: the bare characters, and the channel that an administrator pinned behind a dash. */
export interface KeyText {
  readonly key: string
  /** Text after the dash, unchecked; `undefined` when there was none. */
  readonly pinnedChannel: string | undefined
}

/** Reads a key, with or without `sk-`. */
export function readKeyText(text: string): KeyText {
  const bare = text.startsWith(keyPrefix) ? text.slice(keyPrefix.length) : text
  const dash = bare.indexOf('-')
  // Keys that were imported may have dashes of their own.
  if (dash !== tokenKeyLength) return { key: bare, pinnedChannel: undefined }
  return { key: bare.slice(0, dash), pinnedChannel: bare.slice(dash + 1) }
}
