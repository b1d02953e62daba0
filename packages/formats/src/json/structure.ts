import { type JsonExcess, maxJsonCost, maxJsonDepth, maxMembers, partCost } from './excess.ts'
import { backslash, closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from './marks.ts'

/** Verdict on the structure of JSON bytes, before anything is parsed. */
export interface JsonStructure {
  /** Reason why they cannot be a response. */
  readonly excess: JsonExcess | undefined
  /** True for one object or list that a parser reads in bounded time: `jsonExcess` finds nothing in its text. */
  readonly isBounded: boolean
}

const space = 0x20
/** A text of so many bytes is searched for its end byte by byte: a call of the search costs as much. */
const shortText = 24
const unbounded: JsonStructure = { excess: undefined, isBounded: false }

/**
 * Looks once at the structure of a body that is there as a whole, and copies nothing: linear, no recursion, never throws. It judges as
 * a `JsonOutline` does of the same bytes.
 */
export function structureOf(bytes: Uint8Array): JsonStructure {
  let at = 0
  while (at < bytes.length && (bytes[at] ?? 0) <= space) at += 1
  if (bytes[at] !== openBrace && bytes[at] !== openBracket) return unbounded
  const structure = new Structure()
  for (; at < bytes.length && !structure.isOver; at += 1) {
    const code = bytes[at] ?? 0
    if (code === quote) at = textEnd(bytes, at + 1)
    if (marks[code] === 1) structure.take(code)
  }
  const isBounded = structure.isBounded && isBlank(bytes, at)
  return { excess: structure.excess, isBounded }
}

/** Table of the characters that structure is made of: 1 for each of them. */
const marks = new Uint8Array(256)
for (const code of [quote, comma, colon, openBrace, openBracket, closeBrace, closeBracket]) marks[code] = 1

/** Reads the marks of one object or list. */
class Structure {
  excess: JsonExcess | undefined
  isOver = false
  #depth = 0
  #cost = 0
  /** Members so far of the open container at each depth. */
  readonly #members = new Uint32Array(maxJsonDepth + 2)

  get isBounded(): boolean {
    return this.isOver && this.excess === undefined && this.#cost <= maxJsonCost
  }

  take(code: number): void {
    if (code === quote || code === comma) this.#cost += partCost.value
    else if (code === colon) this.#addMember()
    else if (code === openBrace || code === openBracket) this.#open()
    else this.#close()
  }

  #addMember(): void {
    this.#cost += partCost.key
    const members = (this.#members[this.#depth] ?? 0) + 1
    this.#members[this.#depth] = members
    if (members > maxMembers) this.#exceed('too-wide')
  }

  #open(): void {
    this.#cost += partCost.container
    this.#depth += 1
    this.#members[this.#depth] = 0
    if (this.#depth > maxJsonDepth) this.#exceed('too-deep')
  }

  #close(): void {
    this.#depth -= 1
    this.isOver = this.#depth === 0
  }

  #exceed(excess: JsonExcess): void {
    this.excess = excess
    this.isOver = true
  }
}

/** Offset of the closing quote of a text whose characters begin at `from`; the length of the bytes when it never closes. */
function textEnd(bytes: Uint8Array, from: number): number {
  const near = Math.min(from + shortText, bytes.length)
  for (let at = from; at < near; at += 1) {
    const code = bytes[at]
    if (code === quote) return at
    // A pair may lie across the end of what is near.
    if (code === backslash) return escapedTextEnd(bytes, from)
  }
  return escapedTextEnd(bytes, from)
}

function escapedTextEnd(bytes: Uint8Array, from: number): number {
  for (let at = from; ; ) {
    const end = bytes.indexOf(quote, at)
    if (end < 0) return bytes.length
    let before = end - 1
    while (before >= from && bytes[before] === backslash) before -= 1
    if (((end - 1 - before) & 1) === 0) return end
    at = end + 1
  }
}

function isBlank(bytes: Uint8Array, from: number): boolean {
  for (let at = from; at < bytes.length; at += 1) if ((bytes[at] ?? 0) > space) return false
  return true
}
