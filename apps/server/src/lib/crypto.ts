import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const nonceBytes = 12
const tagBytes = 16

/** @param masterKey at least 32 bytes of entropy, as text */
export function createVault(masterKey: string) {
  const sealKey = Buffer.from(hkdfSync('sha256', masterKey, '', 'tollgate seal', 32))
  const hashKey = Buffer.from(hkdfSync('sha256', masterKey, '', 'tollgate hash', 32))
  // Copied for each secret: taking up the key costs as much as hashing.
  const keyed = new Bun.CryptoHasher('sha256', hashKey)
  return {
    /** AES-256-GCM; the text may later be read only by `open` of the same installation. */
    seal(text: string): string {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
    },
    /** Throws when the text was sealed by another installation or changed since. */
    open(sealed: string): string {
      const bytes = Buffer.from(sealed, 'base64')
      const decipher = createDecipheriv('aes-256-gcm', sealKey, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      return (
        decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
      )
    },
    /** Keyed hash (hex): finds a presented secret without storing it. */
    hash: (secret: string): string => keyed.copy().update(secret).digest('hex'),
  }
}

/** Keys derived from the installation's one master key, each for one purpose. */
export type Vault = ReturnType<typeof createVault>

/** Hash of a value that is itself random enough (session ids); needs no key. */
export function sha256(value: string): string {
  return new Bun.CryptoHasher('sha256').update(value).digest('hex')
}
