import type { HeaderFields } from '@tollgate/http/server'

const usualScheme = 'Bearer '
const keyPrefix = 'sk-'
const insecureSubprotocol = 'openai-insecure-api-key.'

/** A key as a caller presented it: the bare characters, and the channel an administrator pinned behind a dash. */
export interface PresentedKey {
  readonly key: string
  /** Text after the dash, unchecked; `undefined` when there was none. */
  readonly pinnedChannel: string | undefined
}

function withoutBearer(header: string): string {
  // As nearly everybody writes it.
  if (header.startsWith(usualScheme)) return header.slice(usualScheme.length).trim()
  return header.length > 7 && header.slice(0, 7).toLowerCase() === 'bearer '
    ? header.slice(7).trim()
    : header.trim()
}

function rawKey(headers: HeaderFields, query: string): string {
  const authorization = headers.get('authorization')
  if (authorization !== null && authorization !== '') return withoutBearer(authorization)
  const apiKey = headers.get('x-api-key') ?? headers.get('x-goog-api-key')
  if (apiKey !== null) return apiKey.trim()
  const subprotocols = headers.get('sec-websocket-protocol')
  const insecure = subprotocols?.split(',').find((part) => part.trim().startsWith(insecureSubprotocol))
  if (insecure !== undefined) return insecure.trim().slice(insecureSubprotocol.length)
  return query === '' ? '' : (new URLSearchParams(query).get('key') ?? '').trim()
}

/**
 * Reads the key from the places clients put it; `undefined` when there is none.
 * @param query of a request whose format allows the key there: Gemini's alone
 */
export function presentedKey(headers: HeaderFields, query = ''): PresentedKey | undefined {
  const raw = rawKey(headers, query)
  if (raw === '') return undefined
  const bare = raw.startsWith(keyPrefix) ? raw.slice(keyPrefix.length) : raw
  const dash = bare.indexOf('-')
  if (dash === -1) return { key: bare, pinnedChannel: undefined }
  return { key: bare.slice(0, dash), pinnedChannel: bare.slice(dash + 1) }
}
