import { type KeyFault, keyFault, keyShape, keysIn } from '@tollgate/api/channel-types'
import type { Vault } from '../../lib/crypto.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Channel } from '../../store/channels/channels.ts'
import { sealContexts } from '../../store/installation/sealed-places.ts'
import { splitKeys } from '../routing/compile-channel.ts'

const maxKeys = 1000
const maxKeyLength = 8192
/** Shorter keys are hidden completely: six of their characters would be half of the secret. */
const minHinted = 16

const refusals = {
  characters: 'channel_key_invalid',
  format: 'channel_key_format_invalid',
  'service-account': 'channel_service_account_invalid',
} as const satisfies Record<KeyFault, string>

/** Reads the keys of a form. Throws `Refusal`, which never quotes a key. */
export function parseKeys(text: string, type: number): readonly string[] {
  const keys = keysIn(text, type)
  checkedCount(keys)
  keys.forEach((key, index) => {
    const fault = key.length > maxKeyLength ? 'characters' : keyFault(key, type)
    if (fault !== undefined) throw new Refusal(refusals[fault], { line: index + 1, format: keyShape(type) })
  })
  return keys
}

/** Returns keys that one channel may have. Throws `Refusal` for more. */
export function checkedCount(keys: readonly string[]): readonly string[] {
  if (keys.length > maxKeys) throw new Refusal('channel_keys_too_many', { max: maxKeys })
  return keys
}

/** The first and last three characters of a key, to tell keys apart; `***` for a short key. */
export function keyHint(key: string): string {
  return key.length < minHinted ? '***' : `${key.slice(0, 3)}***${key.slice(-3)}`
}

/** Ids of keys by the lists that they are in: lists are replaced, never changed. */
const knownIds = new WeakMap<readonly string[], readonly string[]>()
const idLength = 16

/** Returns the ids of keys: a keyed hash, so that an id says nothing of its key, and none of it in another installation. */
export function keyIds(keys: readonly string[], vault: Pick<Vault, 'hash'>): readonly string[] {
  const known = knownIds.get(keys)
  if (known !== undefined) return known
  const ids = keys.map((key) => vault.hash(`channel key\n${key}`).slice(0, idLength))
  knownIds.set(keys, ids)
  return ids
}

/** Throws `Refusal` for keys that another installation sealed. */
export function openKeys(
  { id, keysSealed }: Pick<Channel, 'id' | 'keysSealed'>,
  vault: Pick<Vault, 'open'>,
): readonly string[] {
  try {
    return splitKeys(vault.open(keysSealed, sealContexts.channelKeys(id)))
  } catch (cause) {
    throw new Refusal('channel_keys_unreadable', {}, { cause })
  }
}
