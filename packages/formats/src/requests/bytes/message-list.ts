import { invalid, type TextScanner } from '../../json/bytes/text-scanner.ts'
import {
  type ItemReader,
  latin1Of,
  type MemberReader,
  type ValueScanner,
} from '../../json/bytes/value-scanner.ts'
import { closeBrace, openBrace, quote } from '../../json/marks.ts'
import { PlainMessage } from './plain-message.ts'

/** An item of a list of messages, as offsets; one with `plain` needs no parser. */
export interface ScannedMessage {
  readonly start: number
  readonly end: number
  readonly plain: PlainMessage | undefined
}

/** Beginning of all messages of one role, up to the opening quote of their text. */
interface MessageHead {
  readonly bytes: Uint8Array
  readonly role: string
}

const none = -1
/** Roles are words. */
const maxRoleBytes = 16
const knownRoles = ['user', 'assistant', 'tool', 'system', 'developer', 'function']
/** A conversation has one for each role, unless it is made to be slow. */
const maxHeads = 6
/** An object, two names, a role and a text. */
const partsOfPlain = 5

/**
 * Passes the items of a list of messages, and makes a `PlainMessage` of each that has a role and one text alone. Those begin
 * alike, so that a comparison reads most of them.
 */
export class MessageList implements ItemReader, MemberReader {
  readonly items: ScannedMessage[] = []
  readonly #bytes: Uint8Array
  readonly #texts: TextScanner
  readonly #values: ValueScanner
  readonly #heads: MessageHead[] = []
  #start = 0
  #role = ''
  #open = none
  #end = none
  #textBytes = 0
  #isPlain = false

  constructor(bytes: Uint8Array, texts: TextScanner, values: ValueScanner) {
    this.#bytes = bytes
    this.#texts = texts
    this.#values = values
  }

  value(start: number, depth: number): number {
    this.#start = start
    const head = this.#headAt(start)
    const end = head === undefined ? this.#anyItem(start, depth) : this.#knownMessage(head, depth)
    if (end !== invalid) this.items.push({ start, end, plain: this.#plain() })
    return end
  }

  member(keyOpen: number, keyEnd: number, valueStart: number, depth: number): number {
    const end = this.#values.value(valueStart, depth)
    if (end === invalid) return invalid
    if (this.#role === '' && isText(this.#bytes, keyOpen + 1, keyEnd - 1, 'role'))
      this.#role = this.#roleAt(valueStart, end)
    else if (this.#open === none && isText(this.#bytes, keyOpen + 1, keyEnd - 1, 'content'))
      this.#take(valueStart, end)
    else this.#isPlain = false
    return end
  }

  #anyItem(start: number, depth: number): number {
    this.#role = ''
    this.#open = none
    this.#isPlain = this.#bytes[start] === openBrace
    return this.#isPlain ? this.#values.object(start, depth, this) : this.#values.value(start, depth)
  }

  #knownMessage({ bytes, role }: MessageHead, depth: number): number {
    const open = this.#start + bytes.length - 1
    const end = this.#texts.longEnd(open)
    if (end === invalid || !this.#values.enters(depth, partsOfPlain)) return invalid
    this.#values.noteLength(open, end)
    this.#role = role
    this.#isPlain = true
    this.#hold(open, end)
    return this.#bytes[end] === closeBrace ? end + 1 : this.#values.restOfObject(end, depth, this)
  }

  #headAt(start: number): MessageHead | undefined {
    for (const head of this.#heads) if (begins(this.#bytes, start, head.bytes)) return head
    return undefined
  }

  #take(open: number, end: number): void {
    this.#hold(open, end)
    if (this.#bytes[open] !== quote) this.#isPlain = false
    else if (this.#isPlain && this.#role !== '' && this.#heads.length < maxHeads)
      this.#heads.push({ bytes: this.#bytes.subarray(this.#start, open + 1), role: this.#role })
  }

  #hold(open: number, end: number): void {
    this.#open = open
    this.#end = end
    this.#textBytes = end - open - 2 - this.#texts.escapeBytes
  }

  /** Empty for anything but a short text of ASCII. */
  #roleAt(open: number, end: number): string {
    if (this.#bytes[open] !== quote || end - open - 2 > maxRoleBytes || this.#texts.escapeBytes > 0) return ''
    const known = knownRoles.find((role) => isText(this.#bytes, open + 1, end - 1, role))
    return known ?? asciiOf(this.#bytes, open + 1, end - 1)
  }

  #plain(): PlainMessage | undefined {
    if (!this.#isPlain || this.#role === '' || this.#open === none) return undefined
    return new PlainMessage(this.#role, this.#bytes, this.#open, this.#end, this.#textBytes)
  }
}

function begins(bytes: Uint8Array, start: number, head: Uint8Array): boolean {
  for (let position = 0; position < head.length; position += 1)
    if (bytes[start + position] !== head[position]) return false
  return true
}

/** Empty where another character is among them. */
function asciiOf(bytes: Uint8Array, start: number, end: number): string {
  const text = latin1Of(bytes, start, end)
  return isAscii.test(text) ? text : ''
}

const isAscii = /^[ -~]*$/

function isText(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (end - start !== text.length) return false
  for (let position = 0; position < text.length; position += 1)
    if (bytes[start + position] !== text.charCodeAt(position)) return false
  return true
}
