import { timingSafeEqual } from 'node:crypto'
import { derivedKey } from './derived-key.ts'
import { createKeyRing, type KeyRing, type SealContext } from './key-ring.ts'

/**
 * The key of `hash`, as text. It outlives the master key from which it was derived first: a rotation seals it anew, and
 * what was hashed stays findable.
 */
export function hashKeyOf(secret: string): string {
  return derivedKey(secret, 'tollgate hash').toString('hex')
}

/**
 * Seals and hashes for one installation.
 * @param keys the ring that seals; a text of at least 32 bytes of entropy makes a ring of one key
 * @param hashKey hexadecimal, see `hashKeyOf`
 */
export function createVault(keys: KeyRing | string, hashKey?: string) {
  const ring = typeof keys === 'string' ? createKeyRing([keys]) : keys
  const key = hashKey ?? (typeof keys === 'string' ? hashKeyOf(keys) : undefined)
  if (key === undefined) throw new Error('a ring of keys needs a hash key')
  // Copied for each secret: taking up the key costs as much as hashing.
  const keyed = new Bun.CryptoHasher('sha256', Buffer.from(key, 'hex'))
  return {
    seal: ring.seal,
    open: ring.open,
    openingKeys: ring.openingKeys,
    /**
     * Opens a text as `open` does; `undefined` where no key of this installation sealed the text, so that a list continues without it.
     */
    openIfKnown(sealed: string, context: SealContext): string | undefined {
      try {
        return ring.open(sealed, context)
      } catch {
        return undefined
      }
    },
    /** Keyed hash (hex): finds a presented secret without storing it. */
    hash: (secret: string): string => keyed.copy().update(secret).digest('hex'),
  }
}

/** Keys derived from the installation's master key, each for one purpose. */
export type Vault = ReturnType<typeof createVault>

/** Hash of a value that is itself random enough (session ids); needs no key. */
export function sha256(value: string | Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(value).digest('hex')
}

/** The same in base64, of the bytes of a text. */
export function sha256Base64(value: string): string {
  return new Bun.CryptoHasher('sha256').update(value).digest('base64')
}

/**
 * Verifies an HMAC-SHA-256 of bytes in constant time.
 * @param hmac in hexadecimal
 */
export function signedBy(secret: string, body: Uint8Array, hmac: string): boolean {
  const expected = new Bun.CryptoHasher('sha256', secret).update(body).digest()
  const sent = Buffer.from(hmac, 'hex')
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}
