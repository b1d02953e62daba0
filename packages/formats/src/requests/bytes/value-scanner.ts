import { closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from '../../json/marks.ts'
import { beginsNumber, isLongNumber, isRespelled } from '../../json/number-text.ts'
import { maxScanParts } from '../../json/text.ts'
import { invalid, type TextScanner } from './text-scanner.ts'

/** Passes the values of an object's members. */
export interface MemberReader {
  /** Offset behind the value, or `invalid`. @param depth the depth that an object or list would have there */
  member(keyOpen: number, keyEnd: number, valueStart: number, depth: number): number
}

/** Passes the items of a list. */
export interface ItemReader {
  /** Offset behind the item, or `invalid`. @param depth as of `MemberReader` */
  value(start: number, depth: number): number
}

/** Texts from here on are noted: they may be files. */
const longTextBytes = 256 * 1024

/**
 * Passes JSON values in UTF-8 as the parser would, and makes nothing of them. `invalid` is the end of whatever the parser or a
 * limit refuses, and of numbers that a double would change.
 */
export class ValueScanner implements MemberReader, ItemReader {
  /** Depth of the deepest object or list so far. */
  deepest = 1
  /** Opening quotes of long texts, each with the offset behind its closing one. */
  readonly longTexts: (readonly [open: number, end: number])[] = []
  readonly #bytes: Uint8Array
  readonly #texts: TextScanner
  readonly #maxDepth: number
  /** Objects, lists and texts so far. */
  #parts = 0

  constructor(bytes: Uint8Array, texts: TextScanner, maxDepth: number) {
    this.#bytes = bytes
    this.#texts = texts
    this.#maxDepth = maxDepth
  }

  value(start: number, depth: number): number {
    const code = this.#bytes[start] ?? 0
    if (code === quote) return this.text(start)
    if (code === openBrace) return this.object(start, depth, this)
    if (code === openBracket) return this.list(start, depth, this)
    if (beginsNumber(code)) return this.#number(start, depth)
    return this.#word(start, words.get(code))
  }

  member(_keyOpen: number, _keyEnd: number, valueStart: number, depth: number): number {
    return this.value(valueStart, depth)
  }

  text(start: number): number {
    const end = this.#texts.end(start)
    this.noteLength(start, end)
    this.#parts += 1
    return this.#parts > maxScanParts ? invalid : end
  }

  /** Notes a text that may be a file. */
  noteLength(open: number, end: number): void {
    if (end - open > longTextBytes) this.longTexts.push([open, end])
  }

  list(start: number, depth: number, items: ItemReader): number {
    if (!this.enters(depth, 1)) return invalid
    let at = this.skip(start + 1)
    if (this.#bytes[at] === closeBracket) return at + 1
    for (;;) {
      const end = items.value(at, depth + 1)
      if (end === invalid) return invalid
      at = this.skip(end)
      const code = this.#bytes[at]
      if (code === closeBracket) return at + 1
      if (code !== comma) return invalid
      at = this.skip(at + 1)
    }
  }

  object(start: number, depth: number, members: MemberReader): number {
    if (!this.enters(depth, 1)) return invalid
    const at = this.skip(start + 1)
    return this.#bytes[at] === closeBrace ? at + 1 : this.#members(at, depth, members)
  }

  /** Passes the rest of an object. @param end offset behind the value of a member */
  restOfObject(end: number, depth: number, members: MemberReader): number {
    const at = this.skip(end)
    const code = this.#bytes[at]
    if (code === closeBrace) return at + 1
    return code === comma ? this.#members(this.skip(at + 1), depth, members) : invalid
  }

  #members(start: number, depth: number, members: MemberReader): number {
    for (let at = start; ; ) {
      const keyEnd = this.#bytes[at] === quote ? this.text(at) : invalid
      const valueStart = keyEnd === invalid ? invalid : this.#behindColon(keyEnd)
      const end = valueStart === invalid ? invalid : members.member(at, keyEnd, valueStart, depth + 1)
      if (end === invalid) return invalid
      at = this.skip(end)
      const code = this.#bytes[at]
      if (code === closeBrace) return at + 1
      if (code !== comma) return invalid
      at = this.skip(at + 1)
    }
  }

  /** An object or a list begins. @param parts how many parts begin with it */
  enters(depth: number, parts: number): boolean {
    if (depth > this.deepest) this.deepest = depth
    this.#parts += parts
    return depth <= this.#maxDepth && this.#parts <= maxScanParts
  }

  /** Offset of the first byte other than white space, from `from` on. */
  skip(from: number): number {
    let at = from
    while (isSpace(this.#bytes[at] ?? 0)) at += 1
    return at
  }

  #behindColon(keyEnd: number): number {
    const at = this.skip(keyEnd)
    return this.#bytes[at] === colon ? this.skip(at + 1) : invalid
  }

  /** The members themselves may be spelled otherwise than a double is; see `JsonScan.hasLongNumbers`. */
  #number(start: number, depth: number): number {
    let end = start + 1
    while (isNumberPart(this.#bytes[end] ?? 0)) end += 1
    const token = latin1Of(this.#bytes, start, end)
    if (!jsonNumber.test(token)) return invalid
    const isChanged = depth === 2 ? isLongNumber : isRespelled
    return isChanged(token, 0, token.length) ? invalid : end
  }

  #word(start: number, word: readonly number[] = noWord): number {
    for (let position = 0; position < word.length; position += 1)
      if (this.#bytes[start + position] !== word[position]) return invalid
    return word.length === 0 ? invalid : start + word.length
  }
}

const noWord: readonly number[] = []
const words: ReadonlyMap<number, readonly number[]> = new Map(
  ['true', 'false', 'null'].map((word) => {
    const codes = [...word].map((letter) => letter.charCodeAt(0))
    return [codes[0] ?? 0, codes]
  }),
)

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i

/** Digits, signs, point and exponent. */
function isNumberPart(code: number): boolean {
  return (code > comma && code < colon) || code === 0x65 || code === 0x45 || code === 0x2b
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

/** A few bytes as text. */
export function latin1Of(bytes: Uint8Array, start: number, end: number): string {
  let text = ''
  for (let at = start; at < end; at += 1) text += String.fromCharCode(bytes[at] ?? 0)
  return text
}
