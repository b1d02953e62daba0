/** One frame of an upstream's response as it arrived. */
export interface ScannedFrame {
  /** Holds the frame at `start` to `end`, with what separates it from the next one; never written to again. */
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number
  /** Its payload; `undefined` for comments, blank lines and other noise. */
  readonly data: Uint8Array | undefined
  /** Name of the event; empty when the framing gives none. */
  readonly event: string
  /** True when the framing itself says that the upstream failed: then `event` is the name of the failure. */
  readonly fault?: boolean
}

/**
 * Cuts a byte stream into frames. Chunks may end anywhere; the frames are the same for every split. A scanner that has
 * thrown is of no further use.
 */
export interface FrameScanner {
  /**
   * Frames completed by this chunk, in order.
   * @throws FrameTooLargeError, MalformedFrameError
   */
  push(chunk: Uint8Array): readonly ScannedFrame[]
  /** Ends the bytes: returns the last frame, where the framing has no end mark and the frame may be complete. */
  end(): readonly ScannedFrame[]
}

/** A frame grew beyond the limit: no honest upstream sends one, and memory is not theirs to fill. */
export class FrameTooLargeError extends Error {
  override readonly name = 'FrameTooLargeError'

  constructor(limit: number) {
    super(`the upstream sent an event of more than ${limit} bytes`)
  }
}

/** The bytes are not what the framing says: a checksum or a length is wrong. */
export class MalformedFrameError extends Error {
  override readonly name = 'MalformedFrameError'
}

const noBytes = new Uint8Array(0)

/** Holds the frame that is not complete yet, in a buffer of its own. */
export class PartialFrame {
  readonly #maxBytes: number
  #buffer: Uint8Array = noBytes
  #length = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Returns the bytes that are held. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length)
  }

  /** Returns what was held and the chunk behind it: the chunk itself when nothing was held. */
  with(chunk: Uint8Array): Uint8Array {
    return this.#length === 0 ? chunk : this.#append(chunk)
  }

  /**
   * Holds what follows the last complete frame.
   * @param bytes what `with` gave, or `bytes`
   * @throws FrameTooLargeError
   */
  hold(bytes: Uint8Array, from: number): void {
    const length = bytes.length - from
    if (length > this.#maxBytes) throw new FrameTooLargeError(this.#maxBytes)
    // What was appended in place stays in place; frames that were given out keep their buffer to themselves.
    if (from > 0 || bytes.buffer !== this.#buffer.buffer) this.#buffer = copyOf(bytes, from)
    this.#length = length
  }

  /** Grows by doubling, so that a frame in a thousand pieces is copied a few times and not a thousand. */
  #append(chunk: Uint8Array): Uint8Array {
    const length = this.#length + chunk.length
    if (length > this.#buffer.length) {
      const grown = new Uint8Array(Math.max(length, this.#buffer.length * 2))
      grown.set(this.#buffer.subarray(0, this.#length))
      this.#buffer = grown
    }
    this.#buffer.set(chunk, this.#length)
    this.#length = length
    return this.#buffer.subarray(0, length)
  }
}

/** Copies bytes into memory of their own, whatever the bytes are a view of: the `slice` of a socket's `Buffer` shares its memory. */
function copyOf(bytes: Uint8Array, from: number): Uint8Array {
  return from === bytes.length ? noBytes : new Uint8Array(bytes.subarray(from))
}
