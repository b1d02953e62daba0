import { decodeUtf8 } from '../../json/utf8.ts'
import type { FrameScanner } from '../frame.ts'

/** A frame in a form that can be compared. */
export interface ReadFrame {
  readonly event: string
  readonly data: string | undefined
  readonly fault: boolean
  /** The frame's own bytes. */
  readonly raw: readonly number[]
}

/** All frames of a stream that comes in the given chunks. */
export function readFrames(scanner: FrameScanner, chunks: readonly Uint8Array[]): readonly ReadFrame[] {
  const frames = [...chunks.flatMap((chunk) => scanner.push(chunk)), ...scanner.end()]
  return frames.map(({ bytes, start, end, data, event, fault }) => ({
    event,
    data: data === undefined ? undefined : decodeUtf8(data),
    fault: fault === true,
    raw: [...bytes.subarray(start, end)],
  }))
}

/** The bytes in pieces that end at the given places, in whatever order these come. */
export function cutBytes(bytes: Uint8Array, positions: readonly number[]): readonly Uint8Array[] {
  const inside = positions.map((position) => position % (bytes.length + 1))
  const ends = [...new Set([...inside, bytes.length])].toSorted((a, b) => a - b)
  return ends.map((end, index) => bytes.slice(ends[index - 1] ?? 0, end))
}
