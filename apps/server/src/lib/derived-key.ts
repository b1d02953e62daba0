import { hkdfSync } from 'node:crypto'

/** A key of one purpose, from a secret that has entropy enough (HKDF-SHA-256). */
export function derivedKey(secret: string, purpose: string, bytes = 32): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, bytes))
}
