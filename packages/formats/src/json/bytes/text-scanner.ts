import { backslash, quote } from '../marks.ts'
import { type SpecialSearch, specialSearch } from './special-search.ts'

const space = 0x20
/** A loop finds what is as near as this sooner than a search does: ends of keys and roles, escapes in code. */
const nearBytes = 24
/** Returned for what is not JSON. */
export const invalid = -1

/** Finds the ends of the texts in JSON bytes that are known to be UTF-8, from the front to the back. Linear over one body. */
export class TextScanner {
  /** Bytes that the text found last has fewer in UTF-8 than as it is written between its quotes: those of its escapes. */
  escapeBytes = 0
  readonly #bytes: Uint8Array
  readonly #search: SpecialSearch

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#search = specialSearch(bytes)
  }

  /** Offset behind the closing quote of the text that opens at `open`; `invalid` where the parser would refuse it. */
  end(open: number): number {
    this.escapeBytes = 0
    return this.#endFrom(open + 1)
  }

  /** The same for a text that is probably long. */
  longEnd(open: number): number {
    this.escapeBytes = 0
    const at = this.#search.next(open + 1)
    return this.#bytes[at] === quote ? at + 1 : this.#endFrom(at)
  }

  #endFrom(start: number): number {
    for (let at = start; ; ) {
      const special = this.#special(at)
      if (special === invalid) return invalid
      if (this.#bytes[special] === quote) return special + 1
      at = this.#escapeEnd(special)
      if (at === invalid) return invalid
    }
  }

  /** Offset of the next quote or backslash; `invalid` where a control character comes first, or nothing. */
  #special(from: number): number {
    const bytes = this.#bytes
    const near = Math.min(from + nearBytes, bytes.length)
    let at = from
    while (at < near && isPlain[bytes[at] ?? 0] === 1) at += 1
    if (at === near) at = this.#search.next(near)
    return (bytes[at] ?? 0) < space ? invalid : at
  }

  /** Offset behind the escape that begins at a backslash. */
  #escapeEnd(start: number): number {
    const code = this.#bytes[start + 1] ?? 0
    if (code === lowerU) return this.#unicodeEnd(start)
    if (shortEscapes[code] !== 1) return invalid
    this.escapeBytes += 1
    return start + 2
  }

  #unicodeEnd(start: number): number {
    const unit = this.#unit(start)
    if (unit < 0) return invalid
    const isPair = isHigh(unit) && isLow(this.#unit(start + unicodeLength))
    this.escapeBytes += isPair ? 2 * unicodeLength - pairBytes : unicodeLength - utf8Bytes(unit)
    return start + (isPair ? 2 : 1) * unicodeLength
  }

  /** The UTF-16 unit that `\uXXXX` at `start` stands for; negative where nothing of the kind stands there. */
  #unit(start: number): number {
    const bytes = this.#bytes
    if (bytes[start] !== backslash || bytes[start + 1] !== lowerU) return invalid
    let unit = 0
    for (let at = start + 2; at < start + unicodeLength; at += 1) {
      const digit = hexDigit(bytes[at] ?? 0)
      if (digit < 0) return invalid
      unit = unit * 16 + digit
    }
    return unit
  }
}

/** 1 for what stands for itself within a text, by its code. */
const isPlain = new Uint8Array(256).fill(1, space)
for (const code of [quote, backslash]) isPlain[code] = 0

/** Offset behind a text without escapes whose end is near; `invalid` for any other, which `TextScanner` finds the end of. */
export function shortTextEnd(bytes: Uint8Array, open: number): number {
  const near = open + 1 + nearBytes
  let at = open + 1
  while (at < near && isPlain[bytes[at] ?? 0] === 1) at += 1
  return bytes[at] === quote ? at + 1 : invalid
}

const lowerU = 0x75
/** 1 for what follows a backslash, by its code. */
const shortEscapes = new Uint8Array(256)
for (const letter of '"\\/bfnrt') shortEscapes[letter.charCodeAt(0)] = 1
const unicodeLength = 6
/** A pair of surrogates in UTF-8. */
const pairBytes = 4

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000
}

/** A surrogate alone becomes U+FFFD, which has three bytes as well. */
function utf8Bytes(unit: number): number {
  if (unit < 0x80) return 1
  return unit < 0x800 ? 2 : 3
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : invalid
}
