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
import { splitLargeLiterals, withLargeLiterals } from './large-literals.ts'

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
