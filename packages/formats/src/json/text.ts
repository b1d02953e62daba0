import { backslash, closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from './marks.ts'
import { beginsNumber, isLongNumber, isRespelled, numberEnd, shortIntegerEnd } from './number-text.ts'

/** A top-level member of a JSON object, as offsets into the text. */
export interface JsonMember {
  /** The key with its escapes resolved. */
  readonly key: string
  /** Offset of the key's opening quote. */
  readonly keyStart: number
  readonly valueStart: number
  /** Offset just behind the value. */
  readonly end: number
}

/** The top level of a JSON object, found without parsing it. */
export interface JsonScan {
  readonly ok: true
  /** Depth to which objects and arrays nest; the object itself counts as 1. */
  readonly depth: number
  /** All members in the order of the text, repeated keys included. */
  readonly list: readonly JsonMember[]
  /** Members by key; of a repeated key the last member, as `JSON.parse` reads it. */
  readonly members: ReadonlyMap<string, JsonMember>
  readonly duplicates: ReadonlySet<string>
  /** Offset of the object's closing brace. */
  readonly closeBrace: number
  /** True when a double would change a number: one of the members in value, one inside of them in value or spelling. */
  readonly hasLongNumbers: boolean
}

/** A scan, or why the text was not scanned. */
export type JsonScanResult =
  | JsonScan
  | { readonly ok: false; readonly reason: 'not-object' | 'too-deep' | 'too-many-members' }

/** New JSON text by top-level key; `undefined` removes the member. */
export type JsonEdits = ReadonlyMap<string, string | undefined>

/** No request or response of any format has more; a body of a million members is an attack on memory. */
export const maxScanMembers = 4096
/**
 * Objects, lists and texts (keys count too) in all depths. A parser takes the more memory and time for a body the
 * more such parts it has: sixty megabytes of `[],` are twelve seconds and two gigabytes. A conversation of a
 * thousand pages has a tenth of this.
 */
export const maxScanParts = 500_000

/**
 * Finds the top-level members of the object that `text` holds, and how deep it nests, in one pass.
 * Safe before `JSON.parse` on hostile text: linear, no recursion, never throws. It judges structure only, so the
 * offsets may be trusted once `JSON.parse` has accepted the same text.
 * @param maxParts objects, lists and texts that the members may hold; for text that will not be parsed, any number
 */
export function scanTopLevel(text: string, maxDepth: number, maxParts = maxScanParts): JsonScanResult {
  const nesting: Nesting = { deepest: 1, max: maxDepth, parts: 0, maxParts, hasLongNumbers: false }
  if (maxDepth < 1) return tooDeep
  const list: JsonMember[] = []
  let at = skipSpace(text, 0)
  if (text.charCodeAt(at) !== openBrace) return notObject
  at = skipSpace(text, at + 1)
  const isEmpty = text.charCodeAt(at) === closeBrace
  while (!isEmpty) {
    const found = readMember(text, at, nesting)
    if (found === undefined || nesting.parts > maxParts) return whyRefused(nesting)
    if (list.push(found) > maxScanMembers) return tooManyMembers
    at = skipSpace(text, found.end)
    if (text.charCodeAt(at) === closeBrace) break
    if (text.charCodeAt(at) !== comma) return notObject
    at = skipSpace(text, at + 1)
  }
  if (skipSpace(text, at + 1) !== text.length) return notObject
  return new ObjectScan(list, nesting.deepest, nesting.hasLongNumbers, at)
}

/**
 * The text with some top-level members replaced, removed or added; every other byte stays as it is.
 * A repeated key is edited as one: the first is replaced and the others removed, so that no reader downstream can
 * see the old value. Returns `text` itself when there is nothing to do.
 */
export function spliceMembers(text: string, scan: JsonScan, edits: JsonEdits): string {
  const pieces = splicedPieces(scan, edits)
  if (pieces === undefined) return text
  return pieces
    .map((piece) => (typeof piece === 'string' ? piece : text.slice(piece.from, piece.to)))
    .join('')
}

/** A part of the scanned text that stays. Without `to`: up to its end. */
export interface StoredPiece {
  readonly from: number
  readonly to?: number
}

/** Pieces that `spliceMembers` joins: of the text, and new ones; `undefined` where all of the text stays. */
export function splicedPieces(
  scan: JsonScan,
  edits: JsonEdits,
): readonly (StoredPiece | string)[] | undefined {
  if (edits.size === 0) return undefined
  const written = new Set<string>()
  const pieces: (StoredPiece | string)[] = []
  let cursor = 0
  let retained = 0
  scan.list.forEach((current, index) => {
    const value = edits.get(current.key)
    if (!edits.has(current.key)) retained++
    else if (value !== undefined && !written.has(current.key)) {
      written.add(current.key)
      pieces.push({ from: cursor, to: current.valueStart }, value)
      cursor = current.end
      retained++
    } else {
      const [from, to] = removal(scan.list, index, retained > 0)
      pieces.push({ from: cursor, to: Math.max(cursor, from) })
      cursor = Math.max(cursor, to)
    }
  })
  const added = [...edits].filter(([key, value]) => value !== undefined && !written.has(key))
  if (added.length > 0) {
    const insertAt = Math.max(cursor, scan.list.at(-1)?.end ?? scan.closeBrace)
    const members = added.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')
    pieces.push({ from: cursor, to: insertAt }, retained > 0 ? `,${members}` : members)
    cursor = insertAt
  }
  return cursor === 0 ? undefined : [...pieces, { from: cursor }]
}

/** The member's value as the text writes it. */
export function memberText(text: string, member: JsonMember): string {
  return text.slice(member.valueStart, member.end)
}

/** Offset behind the closing quote of the string that opens at `start`; -1 when it never closes. */
export function stringEnd(text: string, start: number): number {
  let from = start + 1
  for (;;) {
    const end = text.indexOf('"', from)
    if (end < 0) return -1
    let before = end - 1
    while (before >= from && text.charCodeAt(before) === backslash) before--
    if (((end - 1 - before) & 1) === 0) return end + 1
    from = end + 1
  }
}

const notObject = { ok: false, reason: 'not-object' } as const
const tooDeep = { ok: false, reason: 'too-deep' } as const
const tooManyMembers = { ok: false, reason: 'too-many-members' } as const

/** Returns why a member was not read. */
function whyRefused({ parts, maxParts, deepest, max }: Nesting): JsonScanResult {
  if (parts > maxParts) return tooManyMembers
  return deepest > max ? tooDeep : notObject
}

interface Nesting {
  deepest: number
  readonly max: number
  /** Objects, lists and texts found so far inside the members. */
  parts: number
  readonly maxParts: number
  hasLongNumbers: boolean
}

/** Most scans are asked for their list alone, so the index is made when it is wanted. */
export class ObjectScan implements JsonScan {
  readonly ok = true
  readonly depth: number
  readonly list: readonly JsonMember[]
  readonly duplicates: ReadonlySet<string>
  readonly closeBrace: number
  readonly hasLongNumbers: boolean
  #members: Map<string, JsonMember> | undefined

  constructor(list: readonly JsonMember[], depth: number, hasLongNumbers: boolean, closeBraceAt: number) {
    this.depth = depth
    this.list = list
    this.duplicates = repeatedKeys(list)
    this.closeBrace = closeBraceAt
    this.hasLongNumbers = hasLongNumbers
  }

  get members(): ReadonlyMap<string, JsonMember> {
    this.#members ??= new Map(this.list.map((item) => [item.key, item]))
    return this.#members
  }
}

const noKeys: ReadonlySet<string> = new Set()

function repeatedKeys(list: readonly JsonMember[]): ReadonlySet<string> {
  if (list.length <= fewMembers && !repeatsAny(list)) return noKeys
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const { key } of list) (seen.has(key) ? repeated : seen).add(key)
  return repeated
}

/** Up to here comparing each with each is cheaper than a set of them. */
const fewMembers = 16

function repeatsAny(list: readonly JsonMember[]): boolean {
  for (let position = 1; position < list.length; position++)
    for (let before = 0; before < position; before++)
      if (list[before]?.key === list[position]?.key) return true
  return false
}

/** The member whose key opens at `keyStart`; `undefined` where there is none, or one that nests too deep. */
function readMember(text: string, keyStart: number, nesting: Nesting): JsonMember | undefined {
  if (text.charCodeAt(keyStart) !== quote) return undefined
  const keyEnd = stringEnd(text, keyStart)
  if (keyEnd < 0) return undefined
  const colonAt = skipSpace(text, keyEnd)
  if (text.charCodeAt(colonAt) !== colon) return undefined
  const valueStart = skipSpace(text, colonAt + 1)
  const end = valueEnd(text, valueStart, nesting)
  return end <= valueStart ? undefined : { key: keyName(text, keyStart, keyEnd), keyStart, valueStart, end }
}

/** Offset behind the value; -1 when it has no end. */
function valueEnd(text: string, start: number, nesting: Nesting): number {
  const code = text.charCodeAt(start)
  if (code === quote) return stringEnd(text, start)
  if (isOpening(code)) return containerEnd(text, start, nesting)
  let end = start
  while (end < text.length && !isDelimiter(text.charCodeAt(end))) end++
  if (beginsNumber(code)) nesting.hasLongNumbers ||= isLongNumber(text, start, end)
  return end
}

/** Offset behind the closing brace or bracket; whether each closes its like is the parser's to say. */
function containerEnd(text: string, start: number, nesting: Nesting): number {
  let depth = 1
  for (let at = start; at >= 0 && at < text.length; ) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      nesting.parts++
      at = stringEnd(text, at)
      continue
    }
    // Numbers, separators and white space: most characters outside strings.
    if (code < openBracket) {
      at = plainEnd(text, at, code, nesting)
      continue
    }
    at++
    const step = nestingStep(code)
    if (step > 0 && ++nesting.parts > nesting.maxParts) return -1
    depth += step
    if (depth === 1) return at
    nesting.deepest = Math.max(nesting.deepest, depth)
    if (depth > nesting.max) return -1
  }
  return -1
}

/** Offset behind a number, or behind any other character. */
function plainEnd(text: string, start: number, code: number, nesting: Nesting): number {
  if (!beginsNumber(code)) return start + 1
  const short = shortIntegerEnd(text, start)
  return short > 0 ? short : longNumberEnd(text, start, nesting)
}

function longNumberEnd(text: string, start: number, nesting: Nesting): number {
  const end = numberEnd(text, start)
  nesting.hasLongNumbers ||= isRespelled(text, start, end)
  return end
}

function nestingStep(code: number): number {
  return isOpening(code) ? 1 : isClosing(code) ? -1 : 0
}

function isOpening(code: number): boolean {
  return code === openBrace || code === openBracket
}

function isClosing(code: number): boolean {
  return code === closeBrace || code === closeBracket
}

/** The key whose opening quote is at `start`, with its escapes resolved. */
export function keyText(text: string, start: number): string {
  return keyName(text, start, stringEnd(text, start))
}

function keyName(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end - 1)
  if (!raw.includes('\\')) return raw
  try {
    return String(JSON.parse(text.slice(start, end)))
  } catch {
    return raw // Not JSON at all; the parser that follows will say so.
  }
}

/** Returns what to cut for a removed member: with the comma before it when something is kept there, else with the one after. */
function removal(
  list: readonly JsonMember[],
  position: number,
  storedBefore: boolean,
): readonly [number, number] {
  const current = list[position]
  if (current === undefined) return [0, 0]
  const previous = list[position - 1]
  if (storedBefore && previous !== undefined) return [previous.end, current.end]
  return [current.keyStart, list[position + 1]?.keyStart ?? current.end]
}

/** Offset behind the value that begins at `start`, in a text that was parsed before. */
export function skipValue(text: string, start: number): number {
  // Set from the start, `hasLongNumbers` spares the look at each number.
  const nesting = { deepest: 1, max: Infinity, parts: 0, maxParts: Infinity, hasLongNumbers: true }
  return valueEnd(text, start, nesting)
}

/** The texts of a list's items; empty for any other value. The text must have been parsed before. */
export function listItems(text: string): readonly string[] {
  const items: string[] = []
  if (!text.startsWith('[')) return items
  for (let at = skipSpace(text, 1); text[at] !== ']' && at < text.length; ) {
    const end = skipValue(text, at)
    items.push(text.slice(at, end))
    const behind = skipSpace(text, end)
    at = text[behind] === ',' ? skipSpace(text, behind + 1) : behind
  }
  return items
}

/** Offset of the first character other than white space, from `from` on. */
export function skipSpace(text: string, from: number): number {
  let at = from
  while (isSpace(text.charCodeAt(at))) at++
  return at
}

function isDelimiter(code: number): boolean {
  return code === comma || isClosing(code) || isSpace(code)
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}
