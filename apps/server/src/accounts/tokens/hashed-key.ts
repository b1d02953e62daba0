import { keyPrefix } from '@tollgate/api'
import { sha256 } from '../../lib/crypto.ts'

/** No keyed hash starts so. */
const scheme = 'sha256:'

/**
 * Returns the text that is stored in place of the keyed hash of a key that was imported from a gateway with SHA-256 of the whole key.
 * The first call with the key brings the key itself.
 * @param digest in hex, of the key with `sk-`
 */
export function storedHash(digest: string): string {
  return scheme + digest.toLowerCase()
}

/** The same of a key that was presented, without `sk-`. */
export function hashOfHashedKey(key: string): string {
  return storedHash(sha256(keyPrefix + key))
}

/** The digest that is stored in the place of a keyed hash; `undefined` for a keyed hash. */
export function digestIn(keyHash: string): string | undefined {
  return keyHash.startsWith(scheme) ? keyHash.slice(scheme.length) : undefined
}
