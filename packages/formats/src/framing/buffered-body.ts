import type { FrameScanner, ScannedFrame } from './frame.ts'
import { PartialFrame } from './partial-frame.ts'

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
