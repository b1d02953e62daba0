import { type FrameScanner, FrameTooLargeError, PartialFrame, type ScannedFrame } from './frame.ts'

const lf = 0x0a

/** Cuts a byte stream into lines, each one JSON text. Blank lines carry no payload. */
export class NdjsonScanner implements FrameScanner {
  readonly #maxFrameBytes: number
  readonly #partial: PartialFrame
  /** Length of the held bytes that have no end of line. */
  #searched = 0

  constructor(maxFrameBytes: number) {
    this.#maxFrameBytes = maxFrameBytes
    this.#partial = new PartialFrame(maxFrameBytes)
  }

  push(chunk: Uint8Array): readonly ScannedFrame[] {
    const bytes = this.#partial.with(chunk)
    const frames: ScannedFrame[] = []
    let start = 0
    let at = bytes.indexOf(lf, this.#searched)
    while (at >= 0) {
      frames.push(this.#frame(bytes, start, at + 1))
      start = at + 1
      at = bytes.indexOf(lf, start)
    }
    this.#partial.hold(bytes, start)
    this.#searched = bytes.length - start
    return frames
  }

  end(): readonly ScannedFrame[] {
    const { bytes } = this.#partial
    this.#partial.hold(bytes, bytes.length)
    this.#searched = 0
    return bytes.length === 0 ? [] : [this.#frame(bytes, 0, bytes.length)]
  }

  #frame(bytes: Uint8Array, start: number, end: number): ScannedFrame {
    if (end - start > this.#maxFrameBytes) throw new FrameTooLargeError(this.#maxFrameBytes)
    let to = end
    while (to > start && isSpace(bytes[to - 1])) to--
    let from = start
    while (from < to && isSpace(bytes[from])) from++
    return { bytes, start, end, data: from < to ? bytes.subarray(from, to) : undefined, event: '' }
  }
}

function isSpace(code: number | undefined): boolean {
  return code === lf || code === 0x0d || code === 0x20 || code === 0x09
}

/** A body without any framing: one frame, when its bytes have ended. */
export class BufferedBodyScanner implements FrameScanner {
  readonly #partial: PartialFrame

  constructor(maxFrameBytes: number) {
    this.#partial = new PartialFrame(maxFrameBytes)
  }

  push(chunk: Uint8Array): readonly ScannedFrame[] {
    this.#partial.hold(this.#partial.with(chunk), 0)
    return []
  }

  end(): readonly ScannedFrame[] {
    const { bytes } = this.#partial
    this.#partial.hold(bytes, bytes.length)
    return bytes.length === 0 ? [] : [{ bytes, start: 0, end: bytes.length, data: bytes, event: '' }]
  }
}
