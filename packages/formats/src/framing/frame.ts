/** One frame of an upstream's answer as it came off the wire. */
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
  /** The bytes have ended: the last frame, where the framing tells no end and it may be whole. */
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
