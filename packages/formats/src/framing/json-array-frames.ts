import { JsonArrayScanner } from '../json-array.ts'
import { encodeUtf8 } from '../utf8.ts'
import type { FrameScanner, ScannedFrame } from './frame.ts'

/** Frames of an answer that is one JSON list: its elements, without what separates them. */
export class JsonArrayFrames implements FrameScanner {
  readonly #scanner: JsonArrayScanner

  constructor(maxFrameBytes: number) {
    this.#scanner = new JsonArrayScanner(maxFrameBytes)
  }

  push(chunk: Uint8Array): readonly ScannedFrame[] {
    return this.#scanner.push(chunk).map(frameOf)
  }

  /** An element that is not closed is none. */
  end(): readonly ScannedFrame[] {
    return []
  }
}

function frameOf(element: string): ScannedFrame {
  const bytes = encodeUtf8(element)
  return { bytes, start: 0, end: bytes.length, data: bytes, event: '' }
}
