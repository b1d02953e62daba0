import { randomBytes } from 'node:crypto'

const alphanumerics = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `length` characters of 0-9A-Za-z from the system's secure source, every character equally likely. */
export function randomAlphanumerics(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length + 8)) {
      // 248 is the largest multiple of 62 below 256: larger bytes would favour the first letters.
      if (byte < 248 && text.length < length) text += alphanumerics[byte % 62]
    }
  }
  return text
}
