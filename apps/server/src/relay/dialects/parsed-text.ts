import { randomBytes } from 'node:crypto'
import {
  isObject,
  type JsonEdits,
  type JsonObject,
  type JsonScan,
  parseJson,
  type RequestText,
  scanTopLevel,
  spliceMembers,
} from '@tollgate/formats'
import { type Restore, restored } from '../../upstream/restored-text.ts'

/** Below this no body has a literal worth keeping apart. */
const largeLength = 512 * 1024

/** A JSON body as it came, with its members as parsed; large base64 literals in them are cut short. */
export class ParsedText implements RequestText {
  readonly text: string
  readonly scan: JsonScan
  readonly body: JsonObject
  readonly #remainders: readonly string[]
  /** See `CallBody.restore`; absent where no literal was cut. */
  readonly restore: Restore | undefined

  constructor(text: string, scan: JsonScan, body: JsonObject, remainders: readonly string[]) {
    this.text = text
    this.scan = scan
    this.body = body
    this.#remainders = remainders
    this.restore = remainders.length === 0 ? undefined : (made) => withLargeLiterals(made, remainders)
  }

  /** @param body its members after the edits */
  edited(edits: JsonEdits, body: JsonObject): ParsedText {
    const spliced = spliceMembers(this.text, this.scan, edits)
    const text = this.restore === undefined ? spliced : restored(spliced, this.restore)
    return new ParsedText(text, scanOwn(text), body, this.#remainders)
  }
}

/** `undefined` for a text that is no JSON, `'not-object'` for one that is something else. */
export function parseText(text: string, scan: JsonScan): ParsedText | 'not-object' | undefined {
  const { text: short, remainders } =
    text.length > largeLength ? splitLargeLiterals(text) : { text, remainders: [] }
  const body = parseJson(short)
  if (body === undefined) return undefined
  return isObject(body) ? new ParsedText(text, scan, body, remainders) : 'not-object'
}

/** A JSON object that we wrote ourselves: what a caller sent has been judged before. */
export function parseOwn(text: string): ParsedText {
  const parsed = parseText(text, scanOwn(text))
  if (parsed === undefined || parsed === 'not-object') throw new Error('what was written is no JSON object')
  return parsed
}

function scanOwn(text: string): JsonScan {
  const scan = scanTopLevel(text, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
  if (!scan.ok) throw new Error('what was written is no JSON object')
  return scan
}

/** A part of what was parsed, with its literals whole again. */
export function restoredValue<Value>(value: Value, restore: Restore | undefined): Value {
  return restore === undefined ? value : JSON.parse(restored(JSON.stringify(value), restore))
}

/**
 * A JSON text whose large base64 literals stand apart: images are megabytes, and a parser would make another copy of each,
 * as would everybody who writes the body anew. What stands in the text for one of them begins as it does, so that its media
 * type and the size of an image can still be read.
 */
interface SplitText {
  /** The text with each large literal cut short. */
  readonly text: string
  /** The literals' remainders, in the order of their marks. */
  readonly remainders: readonly string[]
}

/** Shorter literals are copied as quickly as they are found. */
const largeLiteralLength = 256 * 1024
/** How much of a literal stays: heads of images with their previews, and a little. */
const keptLength = 64 * 1024
/** Of this process, so that no caller can write one; of letters that base64 has, too. */
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
      const cut = open + 1 + keptLength
      split += `${text.slice(copied, cut)}${markStart}${remainders.length}E`
      remainders.push(text.slice(cut, close))
      copied = close
    }
    open = text.indexOf('"', close + 1)
  }
  return remainders.length === 0 ? { text, remainders } : { text: split + text.slice(copied), remainders }
}

/**
 * The text in pieces, with the remainders where their marks stand: put together, they are what was split. The very text where
 * it has no mark.
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

function isEscaped(text: string, place: number): boolean {
  let before = place - 1
  while (text[before] === '\\') before -= 1
  return (place - 1 - before) % 2 === 1
}

function isBase64(text: string, open: number, close: number): boolean {
  const start = text.slice(open + 1, open + 201)
  const prefix = dataUrl.exec(start)?.[0].length ?? 0
  if (prefix === 0 && !base64Key.test(text.slice(Math.max(0, open - 40), open))) return false
  return plainBase64.test(text.slice(open + 1 + prefix, close))
}
