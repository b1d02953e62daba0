import { isUtf8 } from 'node:buffer'

/** The body of a call: its text, and its bytes for as long as they are UTF-8 and nobody has given them up. */
export interface CallText {
  readonly text: string
  readonly bytes?: Uint8Array | undefined
}

const utf8 = new TextDecoder()
/** Below this making a text costs less than deciding who needs one. */
const smallBytes = 4 * 1024
const largeBytes = 1024 * 1024

/** A body as it came. Bytes that are not UTF-8 become U+FFFD, and a byte order mark goes: their text is what was sent. */
export function callText(bytes: Uint8Array): CallText {
  if (bytes.length > smallBytes && isUtf8(bytes) && bytes[0] !== byteOrderMark) return new BytesOfText(bytes)
  const text = utf8.decode(bytes)
  freeLarge(bytes)
  return { text }
}

/** The text of a body whose bytes nobody needs. */
export function textAlone(call: CallText): string {
  const { text } = call
  if (call instanceof BytesOfText) call.giveUpBytes()
  return text
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
    this.#text ??= utf8.decode(this.#bytes)
    return this.#text
  }

  giveUpBytes(): void {
    if (this.#bytes !== undefined) freeLarge(this.#bytes)
    this.#bytes = undefined
  }
}

/** Buffers of ES2024, which the runtime has. */
type Transferable = ArrayBufferLike & { transfer?(length: number): unknown }

/** Frees a large body at once instead of at the next collection: the text made from it needs the memory. */
function freeLarge({ buffer, byteLength }: Uint8Array): void {
  const buffered: Transferable = buffer
  if (byteLength > largeBytes && buffered.byteLength === byteLength) buffered.transfer?.(0)
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
