import { randomBytes } from 'node:crypto'
import {
  isObject,
  isTextFile,
  type JsonEdits,
  type JsonObject,
  type JsonScan,
  parseExactJson,
  parseScanned,
  type RequestText,
  scanTopLevel,
  spliceMembers,
} from '@tollgate/formats'
import { type Restore, restored } from '../../../upstream/request-body/restored-text.ts'

/** Below this no body has a literal worth keeping apart. */
const largeLength = 512 * 1024

/** A JSON body in the format of its caller. */
export interface NativeText extends RequestText {
  /** See `CallBody.restore`; absent where no literal was cut. */
  readonly restore: Restore | undefined
  /** @param body its members after the edits */
  edited(edits: JsonEdits, body: JsonObject): NativeText
  /** @param body members of the text, with large literals cut as they were */
  withText(text: string, body: JsonObject): NativeText
}

/** A JSON body as received, with its parsed members, in which large base64 literals are cut short. */
export class ParsedText implements NativeText {
  readonly text: string
  readonly scan: JsonScan
  readonly body: JsonObject
  readonly #remainders: readonly string[]
  readonly restore: Restore | undefined

  constructor(text: string, scan: JsonScan, body: JsonObject, remainders: readonly string[]) {
    this.text = text
    this.scan = scan
    this.body = body
    this.#remainders = remainders
    this.restore = remainders.length === 0 ? undefined : (made) => withLargeLiterals(made, remainders)
  }

  edited(edits: JsonEdits, body: JsonObject): ParsedText {
    const spliced = spliceMembers(this.text, this.scan, edits)
    const text = this.restore === undefined ? spliced : restored(spliced, this.restore)
    return this.withText(text, body)
  }

  withText(text: string, body: JsonObject): ParsedText {
    return new ParsedText(text, scanOwn(text), body, this.#remainders)
  }
}

/** `undefined` for a text that is not JSON, `'not-object'` for JSON that is not an object. */
export function parseText(text: string, scan: JsonScan): ParsedText | 'not-object' | undefined {
  const { text: short, remainders } =
    text.length > largeLength ? splitLargeLiterals(text) : { text, remainders: [] }
  const body = parseScanned(short, scan)
  if (body === undefined) return undefined
  return isObject(body) ? new ParsedText(text, scan, body, remainders) : 'not-object'
}

/** Parses a JSON object that the gateway wrote; a caller's text was validated before. */
export function parseOwn(text: string): ParsedText {
  const parsed = parseText(text, scanOwn(text))
  if (parsed === undefined || parsed === 'not-object') throw new Error('what was written is no JSON object')
  return parsed
}

/** Finds the members of an object that is known to be JSON. */
export function scanOwn(text: string): JsonScan {
  const scan = scanTopLevel(text, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
  if (!scan.ok) throw new Error('what was written is no JSON object')
  return scan
}

/** A part of the parsed value, with complete literals. */
export function restoredValue<Value>(value: Value, restore: Restore | undefined): Value {
  return restore === undefined ? value : (parseExactJson(restored(JSON.stringify(value), restore)) as Value)
}

/**
 * A JSON text separated from its large base64 literals: images take megabytes, and parsing or rewriting the body would copy
 * each of them. Every literal leaves its beginning in the text, from which its media type and the size of an image can still
 * be read.
 */
interface SplitText {
  /** The text with each large literal cut short. */
  readonly text: string
  /** The literals' remainders, in the order of their marks. */
  readonly remainders: readonly string[]
}

/** Shorter literals are copied as quickly as they are found. */
const largeLiteralLength = 256 * 1024
/** Length of a literal that stays: heads of images with their previews, and a little. */
const storedLength = 64 * 1024
/** Random per process, so that no caller can write a mark; made of characters of base64. */
const markStart = `TollgateLiteral${randomBytes(12).toString('hex')}N`
const markPattern = new RegExp(`${markStart}(\\d+)E`)

const dataUrl = /^data:[\w.+-]+\/[\w.+-]+;base64,/
/** Keys of base64 in the formats that carry it beside a media type. */
const base64Key = /"(?:data|file_data|bytes)"\s*:\s*$/
/** No character that JSON escapes or forbids, and none that is not base64's. */
const plainBase64 = /^[A-Za-z0-9+/=_-]*$/

export function splitLargeLiterals(text: string): SplitText {
  const remainders: string[] = []
  let split = ''
  let copied = 0
  for (let open = text.indexOf('"'); open >= 0; ) {
    const close = endOfLiteral(text, open)
    if (close < 0) break
    if (close - open > largeLiteralLength && isBase64(text, open, close)) {
      const cut = open + 1 + storedLength
      split += `${text.slice(copied, cut)}${markStart}${remainders.length}E`
      remainders.push(text.slice(cut, close))
      copied = close
    }
    open = text.indexOf('"', close + 1)
  }
  return remainders.length === 0 ? { text, remainders } : { text: split + text.slice(copied), remainders }
}

/**
 * Returns the text in pieces, with the remainders in the place of their marks: concatenated, they are the text before the
 * split. Returns the same text where it has no mark.
 */
export function withLargeLiterals(text: string, remainders: readonly string[]): string | readonly string[] {
  if (!text.includes(markStart)) return text
  // Every second part is the place of a remainder.
  return text
    .split(markPattern)
    .map((part, index) => (index % 2 === 0 ? part : (remainders[Number(part)] ?? '')))
}

/** Offset of the closing quote; -1 where the literal has no end. */
function endOfLiteral(text: string, open: number): number {
  let close = text.indexOf('"', open + 1)
  while (close > 0 && isEscaped(text, close)) close = text.indexOf('"', close + 1)
  return close
}

function isEscaped(text: string, position: number): boolean {
  let before = position - 1
  while (text[before] === '\\') before -= 1
  return (position - 1 - before) % 2 === 1
}

function isBase64(text: string, open: number, close: number): boolean {
  const start = text.slice(open + 1, open + 201)
  const prefix = dataUrl.exec(start)?.[0].length ?? 0
  if (!beginsLikeFile(text.slice(Math.max(0, open - 40), open), start) || isTextFile(start)) return false
  return plainBase64.test(text.slice(open + 1 + prefix, close))
}

/** Tells whether a text may be a file in base64. @param before what stands in front of its opening quote */
export function beginsLikeFile(before: string, start: string): boolean {
  return dataUrl.test(start) || base64Key.test(before)
}
