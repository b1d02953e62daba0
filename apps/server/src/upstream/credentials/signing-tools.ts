import { createHash, createHmac, createSign, randomUUID } from 'node:crypto'
import type { SigningTools } from '@tollgate/providers'

/** What credentials sign with, at this moment. */
export function signingTools(nowMs: number): SigningTools {
  return { nowMs, ...primitives }
}

const primitives = {
  sha256Hex: (text) => createHash('sha256').update(text).digest('hex'),
  hmacSha256: (key, text) => createHmac('sha256', key).update(text).digest(),
  hmacSha256Hex: (key, text) => createHmac('sha256', key).update(text).digest('hex'),
  rsaSha256(privateKeyPem, text) {
    try {
      return createSign('RSA-SHA256').update(text).sign(privateKeyPem)
    } catch (cause) {
      throw new TypeError('the private key cannot be used', { cause })
    }
  },
  base64: (bytes) => Buffer.from(bytes).toString('base64'),
  base64url: (bytes) => Buffer.from(bytes).toString('base64url'),
  randomId: () => randomUUID(),
} as const satisfies Omit<SigningTools, 'nowMs'>
