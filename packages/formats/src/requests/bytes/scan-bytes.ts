import { invalid, TextScanner } from '../../json/bytes/text-scanner.ts'
import { type MemberReader, ValueScanner } from '../../json/bytes/value-scanner.ts'
import { openBrace, openBracket } from '../../json/marks.ts'
import { type JsonMember, type JsonScan, maxScanMembers, maxScanParts, ObjectScan } from '../../json/text.ts'
import { decodeUtf8 } from '../../json/utf8.ts'
import { MessageList, type ScannedMessage } from './message-list.ts'

/** The top level of a JSON object in UTF-8, whose offsets are bytes; all of it is valid JSON. */
export interface ByteScan {
  readonly json: JsonScan
  /** Items of the member `messages` where that is a list, in their order. */
  readonly messages: readonly ScannedMessage[] | undefined
  /** Opening quotes of texts that are long enough to be files, each with the offset behind its closing one. */
  readonly longTexts: readonly (readonly [open: number, end: number])[]
}

/** Deeper bodies are for readers that do not recurse. */
const maxRecursion = 512
/** Longer texts may be files. The members of objects are bounded as parts. */
const requestBounds = { maxMembers: maxScanParts, numbers: 'doubles', longTextBytes: 256 * 1024 } as const

/**
 * Judges the body of a request as `scanTopLevel` and the parser together do, in one pass over its bytes that makes nothing of
 * them. `undefined` for whatever these refuse, and for what is left to readers of texts: repeated keys, and numbers that a
 * double would change. Linear; never throws.
 * @param bytes valid UTF-8
 * @param maxDepth depth to which objects and lists may nest; the object itself counts as 1
 */
export function scanBytes(bytes: Uint8Array, maxDepth: number): ByteScan | undefined {
  return new BodyScanner(bytes, Math.min(maxDepth, maxRecursion)).scan()
}

class BodyScanner implements MemberReader {
  readonly #bytes: Uint8Array
  readonly #texts: TextScanner
  readonly #values: ValueScanner
  readonly #list: JsonMember[] = []
  #messages: MessageList | undefined

  constructor(bytes: Uint8Array, maxDepth: number) {
    this.#bytes = bytes
    this.#texts = new TextScanner(bytes)
    this.#values = new ValueScanner(bytes, this.#texts, { ...requestBounds, maxDepth })
  }

  scan(): ByteScan | undefined {
    const values = this.#values
    const start = values.skip(0)
    if (this.#bytes[start] !== openBrace) return undefined
    const end = values.object(start, 1, this)
    if (end === invalid || values.skip(end) !== this.#bytes.length) return undefined
    const json = new ObjectScan(this.#list, values.deepest, false, end - 1)
    if (json.duplicates.size > 0) return undefined
    return { json, messages: this.#messages?.items, longTexts: values.longTexts }
  }

  member(keyStart: number, keyEnd: number, valueStart: number, depth: number): number {
    const key = this.#keyName(keyStart, keyEnd)
    const end = this.#value(key, valueStart, depth)
    const isTooWide = this.#list.push({ key, keyStart, valueStart, end }) > maxScanMembers
    return isTooWide ? invalid : end
  }

  #value(key: string, start: number, depth: number): number {
    if (key !== 'messages' || this.#bytes[start] !== openBracket) return this.#values.value(start, depth)
    this.#messages = new MessageList(this.#bytes, this.#texts, this.#values)
    return this.#values.list(start, depth, this.#messages)
  }

  #keyName(start: number, end: number): string {
    // With its quotes: a decoder takes a mark of byte order away from the front.
    const written = decodeUtf8(this.#bytes.subarray(start, end))
    return hasEscapes(written) ? String(JSON.parse(written)) : written.slice(1, -1)
  }
}

function hasEscapes(text: string): boolean {
  return text.includes('\\')
}
