import { randomFillSync } from 'node:crypto'

const alphanumerics = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** The largest multiple of 62 that a byte holds: larger bytes would favour the first letters. */
const fairBytes = 248

/** Bytes are drawn from the system in batches, because every request needs a few; each is used once. */
const pool = new Uint8Array(4096)
let used = pool.length

function nextByte(): number {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const byte = pool[used] ?? 0
  pool[used] = 0
  used += 1
  return byte
}

/** `length` characters of 0-9A-Za-z from the system's secure source, every character equally likely. */
export function randomAlphanumerics(length: number): string {
  let text = ''
  while (text.length < length) {
    const byte = nextByte()
    if (byte < fairBytes) text += alphanumerics[byte % alphanumerics.length]
  }
  return text
}
