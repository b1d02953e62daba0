import { createCipheriv, randomBytes } from 'node:crypto'
import { derivedKey } from '../derived-key.ts'

/** Seals as versions before key ids did. */
export function sealedInFirstForm(text: string, secret: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', derivedKey(secret, 'tollgate seal'), nonce)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
}
