import { isUtf8 } from 'node:buffer'
import { freeBytes } from '@tollgate/http'
import type { Reply } from '@tollgate/http/server'

/** The body of a call: its text, and its bytes for as long as they are UTF-8 and nobody has given them up. */
export interface CallText {
  readonly text: string
  readonly bytes?: Uint8Array | undefined
}

const utf8 = new TextDecoder()
/** Below this making a text costs less than deciding who needs one. */
const smallBytes = 4 * 1024

/** A body as it came. Bytes that are not UTF-8 become U+FFFD, and a byte order mark goes: their text is what was sent. */
export function callText(bytes: Uint8Array): CallText {
  if (bytes.length > smallBytes && isUtf8(bytes) && bytes[0] !== byteOrderMark) return new BytesOfText(bytes)
  const text = utf8.decode(bytes)
  freeBytes(bytes)
  return { text }
}

/** The text of a body whose bytes nobody needs. */
export function textAlone(call: CallText): string {
  const { text } = call
  if (call instanceof BytesOfText) call.giveUpBytes()
  return text
}

/**
 * Returns the memory of a body whose call is charged and has its complete reply, instead of at the next collection: the bodies that
 * come next take the same pages. A later look at its bytes or at a text that was not made before throws. A stream still counts by it.
 */
export function releaseCharged(call: CallText, { body }: Pick<Reply, 'body'>): void {
  const isComplete = typeof body === 'string' || body instanceof Uint8Array
  if (isComplete && call instanceof BytesOfText) call.giveUpBytes()
}

/**
 * Returns what gives back the memory of a body at the end of its stream, which counts by it until it is charged; `undefined` for a small
 * body. A later look at it throws, as above.
 */
export function bodyRelease(call: CallText): (() => void) | undefined {
  return call instanceof BytesOfText ? () => call.giveUpBytes() : undefined
}

/** The first byte of U+FEFF, and of other characters that no JSON begins with. */
const byteOrderMark = 0xef

class BytesOfText implements CallText {
  #bytes: Uint8Array | undefined
  #text: string | undefined

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get bytes(): Uint8Array | undefined {
    return this.#bytes
  }

  /** Made when it is first read. */
  get text(): string {
    this.#text ??= this.#decoded()
    return this.#text
  }

  giveUpBytes(): void {
    if (this.#bytes !== undefined) freeBytes(this.#bytes)
    this.#bytes = undefined
  }

  #decoded(): string {
    // Never an empty text in the place of one that was there: it would be counted.
    if (this.#bytes === undefined) throw new TypeError('the body was released before its text was read')
    return utf8.decode(this.#bytes)
  }
}

/** Tells whether a body contains an ASCII text. */
export function mentions(call: CallText, ascii: string): boolean {
  return call.bytes === undefined
    ? call.text.includes(ascii)
    : bufferOf(call.bytes).includes(ascii, 0, 'latin1')
}

/** The same bytes with the methods of a buffer. */
export function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}
