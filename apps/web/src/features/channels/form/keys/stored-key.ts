import type { Channel } from '@tollgate/api'

/** A key of a channel as the console knows it: by its hint and its id. */
export type StoredKey = Channel['health']['keys'][number]

/** Names a key as the server looks for it: by its id, and for nodes of the version before by its index and hint. */
export function keyName({ id, index, hint }: StoredKey) {
  return { index, hint, ...(id !== undefined && { key_id: id }) }
}
