import { Refusal } from '../../lib/refusal.ts'
import { splitKeys } from '../routing/key-lines.ts'
import { keyLines } from './type-rules.ts'

const maximumKeys = 1000
const maximumKeyLength = 8192
/** Shorter keys show nothing of themselves: six of their characters would be half of the secret. */
const shortestHinted = 16

/** Reads the keys of a form. Throws `Refusal`, which never quotes a key. */
export function parseKeys(text: string, type: number): readonly string[] {
  const keys = splitKeys(keyLines(text, type))
  if (keys.length > maximumKeys) throw new Refusal('channel_keys_too_many', { max: maximumKeys })
  keys.forEach((key, index) => {
    if (key.length > maximumKeyLength || !/^[\x20-\x7e]+$/.test(key)) {
      throw new Refusal('channel_key_invalid', { line: index + 1 })
    }
  })
  return keys
}

/** The first and last three characters of a key, to tell keys apart; `***` for a short key. */
export function keyHint(key: string): string {
  return key.length < shortestHinted ? '***' : `${key.slice(0, 3)}***${key.slice(-3)}`
}
