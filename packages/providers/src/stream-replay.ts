import {
  type Delivered,
  OpenAiStreamReader,
  type StreamOutcome,
  type UpstreamErrorInfo,
  type Usage,
} from '@tollgate/formats'
import type { Provider } from './provider.ts'

/** All that reading a stream comes to. */
export interface Replay {
  /** Bytes the caller got, joined. */
  readonly forwarded: Uint8Array
  readonly usage: Usage | undefined
  readonly delivered: Delivered
  readonly outcome: StreamOutcome
  readonly error: UpstreamErrorInfo | undefined
}

/** Reads a stream that comes in the given chunks, as the pump does. */
export function replayStream(
  provider: Provider,
  chunks: readonly Uint8Array[],
  includeUsage: boolean,
): Replay {
  const reader = new OpenAiStreamReader({
    includeUsage,
    maxFrameBytes: 1 << 20,
    decodeError: provider.decodeError,
  })
  const forwarded: Uint8Array[] = []
  for (const chunk of chunks) forwarded.push(...reader.push(chunk).forward)
  const last = reader.end()
  forwarded.push(...last.forward)
  return {
    forwarded: joined(forwarded),
    usage: reader.usage,
    delivered: reader.delivered(),
    outcome: reader.outcome,
    error: last.error,
  }
}

/** The bytes in pieces that end at the given places. */
export function cutAt(bytes: Uint8Array, ...places: readonly number[]): readonly Uint8Array[] {
  const ends = [...places, bytes.length]
  return ends.map((end, index) => bytes.slice(ends[index - 1] ?? 0, end))
}

/** Every place to cut small bytes at; a spread of them for large ones. */
export function cutPlaces(bytes: Uint8Array, atMost: number): readonly number[] {
  // A prime step meets every position of a repeating event sooner or later.
  const step = bytes.length <= atMost ? 1 : Math.ceil(bytes.length / atMost) | 1
  return Array.from({ length: Math.ceil(bytes.length / step) }, (_, index) => index * step)
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
