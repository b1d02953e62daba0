import { createDecipheriv, createHash, hkdfSync } from 'node:crypto'

/**
 * Opens values that LiteLLM has sealed. It keeps them in one of three forms:
 * https://github.com/BerriAI/litellm/blob/main/litellm/proxy/common_utils/encrypt_decrypt_utils.py
 */

const gcm = /^v([23]):gcm:/
const nonceBytes = { gcm: 12, secretbox: 24 } as const
const tagBytes = 16

/** @returns `undefined` when the salt key is another, or the value was never sealed */
export async function decryptValue(value: string, saltKey: string): Promise<string | undefined> {
  const version = gcm.exec(value)
  try {
    if (version === null) return await openSecretbox(bytesOf(value), sha256(saltKey))
    const key = version[1] === '3' ? hkdf(saltKey) : sha256(saltKey)
    return openGcm(bytesOf(value.slice(version[0].length)), key)
  } catch {
    return undefined
  }
}

/** Decodes either alphabet of base64, which versions differ in. */
function bytesOf(text: string): Buffer {
  return Buffer.from(text.replaceAll('-', '+').replaceAll('_', '/'), 'base64')
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function hkdf(saltKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', saltKey, '', 'litellm-at-rest-v3', 32))
}

function openGcm(bytes: Buffer, key: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes.gcm), {
    authTagLength: tagBytes,
  })
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  const body = bytes.subarray(nonceBytes.gcm, -tagBytes)
  return decipher.update(body, undefined, 'utf8') + decipher.final('utf8')
}

/** The secretbox of NaCl: the nonce, then XSalsa20-Poly1305. */
async function openSecretbox(bytes: Buffer, key: Buffer): Promise<string | undefined> {
  if (bytes.length < nonceBytes.secretbox + tagBytes) return undefined
  // Loaded on demand: the platform has no such cipher.
  const { xsalsa20poly1305 } = await import('@noble/ciphers/salsa.js')
  const nonce = bytes.subarray(0, nonceBytes.secretbox)
  return Buffer.from(
    xsalsa20poly1305(new Uint8Array(key), new Uint8Array(nonce)).decrypt(
      new Uint8Array(bytes.subarray(nonceBytes.secretbox)),
    ),
  ).toString('utf8')
}
