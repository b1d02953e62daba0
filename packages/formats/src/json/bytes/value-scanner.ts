import { closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from '../marks.ts'
import { beginsNumber, isLongNumber, isRespelled } from '../number-text.ts'
import { maxScanParts } from '../text.ts'
import { invalid, shortTextEnd, type TextScanner } from './text-scanner.ts'

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

/** Bounds of what passes, and what is noted of it. */
interface ScanBounds {
  /** Depth to which objects and lists may nest; the outermost counts as 1. */
  readonly maxDepth: number
  /** Members of one object. */
  readonly maxMembers: number
  /** Numbers that pass: all of JSON's, or those alone that a double does not change. */
  readonly numbers: 'any' | 'doubles'
  /** Texts of more bytes are noted. */
  readonly longTextBytes: number
}

/**
 * Passes JSON values in UTF-8 as the parser would, and makes nothing of them. `invalid` is the end of whatever the parser, a
 * limit or the rule of numbers refuses.
 */
export class ValueScanner implements ItemReader {
  /** Depth of the deepest object or list so far. */
  deepest = 1
  /** Opening quotes of long texts, each with the offset behind its closing one. */
  readonly longTexts: (readonly [open: number, end: number])[] = []
  readonly #bytes: Uint8Array
  readonly #texts: TextScanner
  readonly #bounds: ScanBounds
  readonly #isAnyNumber: boolean
  /** Brace or bracket that closes the open container at each depth. */
  readonly #closings: Uint8Array
  /** Members so far of the open object at each depth. */
  readonly #members: Uint32Array
  #parts = 0
  #keys = 0

  constructor(bytes: Uint8Array, texts: TextScanner, bounds: ScanBounds) {
    this.#bytes = bytes
    this.#texts = texts
    this.#bounds = bounds
    this.#isAnyNumber = bounds.numbers === 'any'
    this.#closings = new Uint8Array(bounds.maxDepth + 1)
    this.#members = new Uint32Array(bounds.maxDepth + 1)
  }

  /** Objects, lists and texts so far, keys included. */
  get parts(): number {
    return this.#parts + this.#keys
  }

  /** Members of all objects so far. */
  get keys(): number {
    return this.#keys
  }

  value(start: number, depth: number): number {
    const code = this.#bytes[start] ?? 0
    return isOpening(code) ? this.#container(start, depth) : this.#scalar(start, code, depth)
  }

  /** Passes an object or a list, however deep it nests, in one loop: nearly all bytes outside of long texts are passed here. */
  #container(start: number, depth: number): number {
    const bytes = this.#bytes
    const closings = this.#closings
    let level = depth - 1
    let at = start
    while (at !== invalid) {
      const code = bytes[at] ?? 0
      if (isOpening(code)) {
        level += 1
        at = this.#open(at, code, level)
        if (bytes[at] !== closings[level]) {
          if (code === openBrace) at = this.#behindKey(at, level)
          continue
        }
      } else at = skipSpace(bytes, this.#scalar(at, code, level + 1))
      while (bytes[at] === closings[level]) {
        at += 1
        if (level === depth) return this.#counted(at)
        level -= 1
        at = skipSpace(bytes, at)
      }
      at = this.#behindComma(at, level)
    }
    return invalid
  }

  /** The offset, where there are not too many parts. */
  #counted(end: number): number {
    return this.parts > maxScanParts ? invalid : end
  }

  /** Opens an object or a list at the level, and returns the offset of what stands first in it. */
  #open(start: number, code: number, level: number): number {
    if (!this.enters(level, 1)) return invalid
    this.#closings[level] = code + closingStep
    this.#members[level] = 0
    return skipSpace(this.#bytes, start + 1)
  }

  /** Offset of the next value of what is open at the level. */
  #behindComma(start: number, level: number): number {
    if (this.#bytes[start] !== comma) return invalid
    const at = skipSpace(this.#bytes, start + 1)
    return this.#closings[level] === closeBrace ? this.#behindKey(at, level) : at
  }

  #scalar(start: number, code: number, depth: number): number {
    if (code === quote) {
      this.#parts += 1
      return this.parts > maxScanParts ? invalid : this.#textEnd(start)
    }
    if (!beginsNumber(code)) return this.#word(start, words.get(code))
    return this.#isAnyNumber ? numberEnd(this.#bytes, start) : this.#exactNumber(start, depth)
  }

  /** Offset of the value behind the key that opens at `start`, of the open object at the level. */
  #behindKey(start: number, level: number): number {
    const count = (this.#members[level] ?? 0) + 1
    this.#members[level] = count
    this.#keys += 1
    const isKey = this.#bytes[start] === quote && count <= this.#bounds.maxMembers
    return isKey ? this.#behindColon(this.#textEnd(start)) : invalid
  }

  /** Offset behind the text that opens at `start`, by a loop where that is near. */
  #textEnd(start: number): number {
    const end = shortTextEnd(this.#bytes, start)
    return end === invalid ? this.#anyText(start) : end
  }

  #key(start: number): number {
    this.#keys += 1
    const isKey = this.#bytes[start] === quote && this.parts <= maxScanParts
    return isKey ? this.#anyText(start) : invalid
  }

  text(start: number): number {
    this.#parts += 1
    return this.parts > maxScanParts ? invalid : this.#anyText(start)
  }

  #anyText(start: number): number {
    const end = this.#texts.end(start)
    this.noteLength(start, end)
    return end
  }

  /** Notes a text that is long. */
  noteLength(open: number, end: number): void {
    if (end - open > this.#bounds.longTextBytes) this.longTexts.push([open, end])
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
    return this.#bytes[at] === closeBrace ? at + 1 : this.#membersFrom(at, depth, members)
  }

  /** Passes the rest of an object. @param end offset behind the value of a member */
  restOfObject(end: number, depth: number, members: MemberReader): number {
    const at = this.skip(end)
    const code = this.#bytes[at]
    if (code === closeBrace) return at + 1
    return code === comma ? this.#membersFrom(this.skip(at + 1), depth, members) : invalid
  }

  #membersFrom(start: number, depth: number, members: MemberReader): number {
    const { maxMembers } = this.#bounds
    let at = start
    for (let count = 1; count <= maxMembers; count += 1) {
      const keyEnd = this.#key(at)
      const valueStart = this.#behindColon(keyEnd)
      const end = valueStart === invalid ? invalid : members.member(at, keyEnd, valueStart, depth + 1)
      if (end === invalid) return invalid
      at = this.skip(end)
      const code = this.#bytes[at]
      if (code === closeBrace) return at + 1
      if (code !== comma) return invalid
      at = this.skip(at + 1)
    }
    return invalid
  }

  /** An object or a list begins. @param parts how many parts begin with it */
  enters(depth: number, parts: number): boolean {
    if (depth > this.deepest) this.deepest = depth
    this.#parts += parts
    return depth <= this.#bounds.maxDepth && this.parts <= maxScanParts
  }

  /** Offset of the first byte other than white space, from `from` on. */
  skip(from: number): number {
    return skipSpace(this.#bytes, from)
  }

  #behindColon(keyEnd: number): number {
    if (keyEnd === invalid) return invalid
    const at = this.skip(keyEnd)
    return this.#bytes[at] === colon ? this.skip(at + 1) : invalid
  }

  #exactNumber(start: number, depth: number): number {
    const end = numberEnd(this.#bytes, start)
    const isExact = end === invalid || isShortInteger(this.#bytes, start, end)
    return isExact || !this.#isChanged(start, end, depth) ? end : invalid
  }

  /** The members themselves may be spelled otherwise than a double is; see `JsonScan.hasLongNumbers`. */
  #isChanged(start: number, end: number, depth: number): boolean {
    const token = latin1Of(this.#bytes, start, end)
    return (depth === 2 ? isLongNumber : isRespelled)(token, 0, token.length)
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

/** Every integer of so many digits is written by a double as it was. */
const exactDigits = 15

function isShortInteger(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start] === minus ? start + 1 : start
  if (end - first > exactDigits || (first > start && bytes[first] === zero)) return false
  for (let at = first; at < end; at += 1) if (!isDigit(bytes[at] ?? 0)) return false
  return true
}

/** Offset behind the number that begins at `start`, by the grammar of JSON; `invalid` where none does. */
function numberEnd(bytes: Uint8Array, start: number): number {
  const first = bytes[start] === minus ? start + 1 : start
  let at = first
  while (isDigit(bytes[at] ?? 0)) at += 1
  if (at === first || (bytes[first] === zero && at > first + 1)) return invalid
  const mark = bytes[at] ?? 0
  return mark === point || (mark | lowerCase) === lowerE ? restOfNumber(bytes, at) : at
}

/** Offset behind the fraction, the exponent or both that begin at `start`. */
function restOfNumber(bytes: Uint8Array, start: number): number {
  const fraction = bytes[start] === point ? digitsEnd(bytes, start + 1) : start
  if (fraction === invalid || ((bytes[fraction] ?? 0) | lowerCase) !== lowerE) return fraction
  const sign = bytes[fraction + 1]
  return digitsEnd(bytes, sign === plus || sign === minus ? fraction + 2 : fraction + 1)
}

/** Offset behind one digit or more; `invalid` where none is. */
function digitsEnd(bytes: Uint8Array, start: number): number {
  let at = start
  while (isDigit(bytes[at] ?? 0)) at += 1
  return at === start ? invalid : at
}

const zero = 0x30
const minus = 0x2d
const plus = 0x2b
const point = 0x2e
const lowerE = 0x65
const lowerCase = 0x20

function isDigit(code: number): boolean {
  return code >= zero && code < colon
}

/** Distance from an opening brace or bracket to the closing one. */
const closingStep = closeBrace - openBrace

function isOpening(code: number): boolean {
  return code === openBrace || code === openBracket
}

const space = 0x20

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from
  for (let code = bytes[at] ?? 0; code <= space && isSpace(code); code = bytes[at] ?? 0) at += 1
  return at
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
