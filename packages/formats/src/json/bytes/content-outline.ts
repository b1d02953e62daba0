import { maxJsonCost, maxJsonDepth, maxMembers, partCost } from '../excess.ts'
import { openBrace, openBracket, quote } from '../marks.ts'
import { encodeUtf8 } from '../utf8.ts'
import { invalid, TextScanner } from './text-scanner.ts'
import { type ItemReader, type MemberReader, ValueScanner } from './value-scanner.ts'

/** Position of what the responses of a format deliver. */
export interface ContentShape {
  /** The member of the top that lists it. */
  readonly list: string
  /** A member of its items that nobody reads who reads usage and failures, and that may be many times as long as the text. */
  readonly unread?: string
}

/** A response without what its content is long of. */
export interface ContentOutline {
  /** The outline as JSON. */
  readonly json: Uint8Array
  /** Bytes of the texts that it shortens, as the response writes them: not fewer than they have. */
  readonly textBytes: number
}

/** Texts of more bytes are no names, counts or kinds. */
const longTextBytes = 1024
/** An outline of more bytes saves too little, and one of more ranges. */
const maxOutlineBytes = 64 * 1024
const maxUnread = 64

/**
 * Judges the bytes of a response as the parser does, in one pass that makes nothing of them, and returns the same JSON without
 * what its content is long of: texts are shortened within the listed content, and its unread members are null. `undefined` for
 * whatever the parser or a bound of responses refuses, and for a response whose outline is long itself. Linear; never throws.
 */
export function contentOutline(bytes: Uint8Array, shape: ContentShape): ContentOutline | undefined {
  return new ContentScanner(bytes, shape).outline()
}

const bounds = { maxDepth: maxJsonDepth, maxMembers, numbers: 'any', longTextBytes } as const

/** A range of the bytes that the outline has something else for. */
interface Shortened {
  readonly from: number
  readonly to: number
  readonly by: Uint8Array
}

class ContentScanner implements MemberReader, ItemReader {
  readonly #bytes: Uint8Array
  readonly #values: ValueScanner
  readonly #list: Uint8Array
  readonly #item: UnreadMembers
  #contentStart = 0
  #contentEnd = 0

  constructor(bytes: Uint8Array, { list, unread }: ContentShape) {
    this.#bytes = bytes
    this.#values = new ValueScanner(bytes, new TextScanner(bytes), bounds)
    this.#list = encodeUtf8(`"${list}"`)
    this.#item = new UnreadMembers(bytes, this.#values, encodeUtf8(`"${unread ?? ''}"`))
  }

  outline(): ContentOutline | undefined {
    const values = this.#values
    const start = values.skip(0)
    if (this.#bytes[start] !== openBrace) return undefined
    const end = values.object(start, 1, this)
    const isRefused = end === invalid || values.skip(end) !== this.#bytes.length || !this.#isBounded
    return isRefused || this.#item.unread.length > maxUnread ? undefined : this.#joined()
  }

  member(keyOpen: number, keyEnd: number, valueStart: number, depth: number): number {
    const isContent =
      this.#bytes[valueStart] === openBracket && isAt(this.#bytes, keyOpen, keyEnd, this.#list)
    if (!isContent) return this.#values.value(valueStart, depth)
    const end = this.#values.list(valueStart, depth, this)
    // Of a repeated key the last counts, and the content before it stays as it is.
    this.#contentStart = valueStart
    this.#contentEnd = end
    return end
  }

  value(start: number, depth: number): number {
    const isObject = this.#bytes[start] === openBrace
    return isObject ? this.#values.object(start, depth, this.#item) : this.#values.value(start, depth)
  }

  /** True where the structure costs a parser no more than it may: no part of it is counted less often than there. */
  get #isBounded(): boolean {
    const { keys, parts } = this.#values
    const commas = this.#bytes.length / 2
    return keys * partCost.key + parts * partCost.container + commas * partCost.value <= maxJsonCost
  }

  #joined(): ContentOutline | undefined {
    const shortened = this.#shortened()
    let size = this.#bytes.length
    for (const { from, to, by } of shortened) size += by.length - (to - from)
    if (size > maxOutlineBytes) return undefined
    const outline = new Uint8Array(size)
    let at = 0
    let cursor = 0
    for (const { from, to, by } of shortened) {
      outline.set(this.#bytes.subarray(cursor, from), at)
      outline.set(by, at + from - cursor)
      at += from - cursor + by.length
      cursor = to
    }
    outline.set(this.#bytes.subarray(cursor), at)
    const texts = shortened.filter(({ by }) => by === shortText)
    return { json: outline, textBytes: texts.reduce((sum, { from, to }) => sum + to - from, 0) }
  }

  /** Ranges in the order of the bytes, none within another. */
  #shortened(): readonly Shortened[] {
    const unread = this.#item.unread.map(([from, to]) => ({ from, to, by: nullValue }))
    const texts = this.#values.longTexts
      .filter(([from, to]) => from > this.#contentStart && to < this.#contentEnd)
      .filter(([from]) => !unread.some((range) => from >= range.from && from < range.to))
      .map(([from, to]) => ({ from, to, by: shortText }))
    return [...unread, ...texts].sort((a, b) => a.from - b.from)
  }
}

const nullValue = encodeUtf8('null')
/** Not empty, as the long text is not. */
const shortText = encodeUtf8('"."')

/** Passes the members of an item, and notes the values of those that nobody reads. */
class UnreadMembers implements MemberReader {
  readonly unread: (readonly [from: number, to: number])[] = []
  readonly #bytes: Uint8Array
  readonly #values: ValueScanner
  readonly #name: Uint8Array

  constructor(bytes: Uint8Array, values: ValueScanner, name: Uint8Array) {
    this.#bytes = bytes
    this.#values = values
    this.#name = name
  }

  member(keyOpen: number, keyEnd: number, valueStart: number, depth: number): number {
    const end = this.#values.value(valueStart, depth)
    const isLong = end - valueStart > longTextBytes && this.#bytes[valueStart] !== quote
    if (isLong && isAt(this.#bytes, keyOpen, keyEnd, this.#name)) this.unread.push([valueStart, end])
    return end
  }
}

/** Returns whether these bytes are the expected ones, quotes included. */
function isAt(bytes: Uint8Array, start: number, end: number, expected: Uint8Array): boolean {
  if (end - start !== expected.length) return false
  for (let position = 0; position < expected.length; position += 1)
    if (bytes[start + position] !== expected[position]) return false
  return true
}
