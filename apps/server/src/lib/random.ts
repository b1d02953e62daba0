import { randomFillSync } from 'node:crypto'

const alphanumerics = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Texts are built of pairs: half as many pieces. */
const pairs = [...alphanumerics].flatMap((first) => [...alphanumerics].map((second) => first + second))
/** The largest multiple of their number that two bytes hold: larger ones would favour the first pairs. */
const fairPairs = 2 ** 16 - (2 ** 16 % pairs.length)

/** Numbers are drawn from the system in batches, because every request needs a few; each is used once. */
const pool = new Uint16Array(2048)
let used = pool.length

function nextNumber(): number {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const number = pool[used] ?? 0
  pool[used] = 0
  used += 1
  return number
}

function nextPair(): string {
  for (;;) {
    const number = nextNumber()
    if (number < fairPairs) return pairs[number % pairs.length] ?? ''
  }
}

/** `length` characters of 0-9A-Za-z from the system's secure source, every character equally likely. */
export function randomAlphanumerics(length: number): string {
  let text = ''
  while (text.length < length) text += nextPair()
  return text.length === length ? text : text.slice(0, length)
}
