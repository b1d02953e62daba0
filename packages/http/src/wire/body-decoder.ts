import { type BodyFraming, MalformedMessageError } from './body.ts'

/** Takes the bytes of a connection and gives those of the body. */
export interface BodyDecoder {
  /** The body is complete. */
  readonly done: boolean
  /**
   * Adds the body's part of `bytes` to `into`, without copying, and returns how many bytes it took: fewer than all
   * only once it is done. Throws `MalformedMessageError`.
   */
  push(bytes: Buffer, into: Buffer[]): number
}

/** The decoder of a body with this framing. */
export function createBodyDecoder(framing: BodyFraming): BodyDecoder {
  if (framing === 'chunked') return new ChunkedDecoder()
  return new LengthDecoder(framing === 'until-close' ? Number.POSITIVE_INFINITY : framing)
}

class LengthDecoder implements BodyDecoder {
  #left: number

  constructor(length: number) {
    this.#left = length
  }

  get done(): boolean {
    return this.#left === 0
  }

  push(bytes: Buffer, into: Buffer[]): number {
    const taken = Math.min(this.#left, bytes.length)
    if (taken > 0) into.push(taken === bytes.length ? bytes : bytes.subarray(0, taken))
    this.#left -= taken
    return taken
  }
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
const token = "[\\w!#$%&'*+.^`|~-]+"
const quoted = '"(?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t -~\\x80-\\xff])*"'
/** A size with named extensions and without blanks, which senders must not write (RFC 9112 §7.1.1). */
const chunkSize = new RegExp(`^([\\da-f]{1,12})(?:;${token}(?:=(?:${token}|${quoted}))?)*\\r\\n$`, 'i')
const trailerField = new RegExp(`^${token}:[\\t\\x20-\\x7e\\x80-\\xff]*\\r\\n$`)
/** Longest line around chunks: a size with its extensions, or a trailer field. */
const maxLineBytes = 8 * 1024
const maxTrailerLines = 100

const none = -1
/** Digits of the sizes that are read byte by byte. */
const shortDigits = 6

const lineEndBytes = 2

function isLineEnd(bytes: Buffer, at: number): boolean {
  return bytes[at] === carriageReturn && bytes[at + 1] === lineFeed
}

/** The value of a hexadecimal digit; `none` for another byte, and behind the last one. */
function digitOf(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : none
}

/** RFC 9112 §7.1. Extensions and trailer fields must be well formed; what they say is ignored. */
class ChunkedDecoder implements BodyDecoder {
  done = false
  #expects: 'size' | 'data' | 'data-end' | 'trailer' = 'size'
  /** Bytes left of the chunk that is being read. */
  #left = 0
  /** The part of a line that came with earlier bytes. */
  #line = ''
  #trailerLines = 0

  push(bytes: Buffer, into: Buffer[]): number {
    let at = 0
    while (at < bytes.length && !this.done) {
      at = this.#expects === 'data' ? this.#takeData(bytes, at, into) : this.#takeLine(bytes, at)
    }
    return at
  }

  #takeData(bytes: Buffer, at: number, into: Buffer[]): number {
    const end = Math.min(bytes.length, at + this.#left)
    into.push(bytes.subarray(at, end))
    this.#left -= end - at
    if (this.#left === 0) this.#expects = 'data-end'
    return end
  }

  #takeLine(bytes: Buffer, at: number): number {
    const end = this.#line === '' ? this.#takeShortLine(bytes, at) : none
    return end === none ? this.#takeAnyLine(bytes, at) : end
  }

  /**
   * Takes a size of a few digits, or the end of a chunk, without a text for it: nearly every line, and two for each event of a stream.
   * @returns `none` for any other line, of which nothing is taken
   */
  #takeShortLine(bytes: Buffer, at: number): number {
    if (this.#expects === 'size') return this.#takeShortSize(bytes, at)
    if (this.#expects === 'trailer' || !isLineEnd(bytes, at)) return none
    this.#expects = 'size'
    return at + lineEndBytes
  }

  #takeShortSize(bytes: Buffer, at: number): number {
    let size = 0
    let end = at
    for (let digit = digitOf(bytes[end]); digit !== none && end < at + shortDigits; ) {
      size = size * 16 + digit
      end += 1
      digit = digitOf(bytes[end])
    }
    // The last chunk has a trailer behind it.
    if (size === 0 || !isLineEnd(bytes, end)) return none
    this.#left = size
    this.#expects = 'data'
    return end + lineEndBytes
  }

  #takeAnyLine(bytes: Buffer, at: number): number {
    const feed = bytes.indexOf(lineFeed, at)
    const end = feed === -1 ? bytes.length : feed + 1
    if (this.#line.length + end - at > maxLineBytes)
      throw new MalformedMessageError('a chunk has too long a line')
    this.#line += bytes.toString('latin1', at, end)
    if (feed === -1) return end
    const line = this.#line
    this.#line = ''
    this.#readLine(line)
    return end
  }

  #readLine(line: string): void {
    if (this.#expects === 'size') this.#readSize(line)
    else if (this.#expects === 'trailer') this.#readTrailer(line)
    else if (line === '\r\n') this.#expects = 'size'
    else throw new MalformedMessageError('a chunk is longer than it said')
  }

  #readSize(line: string): void {
    const size = chunkSize.exec(line)?.[1]
    if (size === undefined) throw new MalformedMessageError('a chunk has no valid size')
    this.#left = Number.parseInt(size, 16)
    this.#expects = this.#left === 0 ? 'trailer' : 'data'
  }

  #readTrailer(line: string): void {
    this.#trailerLines += 1
    if (line === '\r\n') this.done = true
    else if (!trailerField.test(line)) throw new MalformedMessageError('a trailer field is malformed')
    else if (this.#trailerLines > maxTrailerLines) throw new MalformedMessageError('a trailer has no end')
  }
}
