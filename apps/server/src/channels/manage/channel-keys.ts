import { type KeyFault, keyFault, keyShape, keysIn } from '@tollgate/api/channel-types'
import { Refusal } from '../../lib/refusal.ts'

const maximumKeys = 1000
const maximumKeyLength = 8192
/** Shorter keys are hidden completely: six of their characters would be half of the secret. */
const shortestHinted = 16

const refusals = {
  characters: 'channel_key_invalid',
  format: 'channel_key_format_invalid',
  'service-account': 'channel_service_account_invalid',
} as const satisfies Record<KeyFault, string>

/** Reads the keys of a form. Throws `Refusal`, which never quotes a key. */
export function parseKeys(text: string, type: number): readonly string[] {
  const keys = keysIn(text, type)
  if (keys.length > maximumKeys) throw new Refusal('channel_keys_too_many', { max: maximumKeys })
  keys.forEach((key, index) => {
    const fault = key.length > maximumKeyLength ? 'characters' : keyFault(key, type)
    if (fault !== undefined) throw new Refusal(refusals[fault], { line: index + 1, format: keyShape(type) })
  })
  return keys
}

/** The first and last three characters of a key, to tell keys apart; `***` for a short key. */
export function keyHint(key: string): string {
  return key.length < shortestHinted ? '***' : `${key.slice(0, 3)}***${key.slice(-3)}`
}
