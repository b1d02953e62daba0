import {
  AwsEventStreamScanner,
  type Delivered,
  decodeUtf8,
  type Frame,
  type FrameScanner,
  JsonArrayScanner,
  type JsonObject,
  NdjsonScanner,
  OpenAiStreamReader,
  ResponseStream,
  SseFieldScanner,
  SseScanner,
  type StreamOutcome,
  type StreamReader,
  type UpstreamErrorInfo,
  type Usage,
} from '@tollgate/formats'
import type { Framing, Operation } from '../provider.ts'

/** All that reading a stream comes to. */
export interface Replay {
  /** Bytes the caller got before the settlement, joined. */
  readonly forwarded: Uint8Array
  /** The same behind the settlement; empty for a stream that failed. */
  readonly trailer: string
  readonly usage: Usage | undefined
  readonly delivered: Delivered
  readonly outcome: StreamOutcome
  readonly error: UpstreamErrorInfo | undefined
}

/** Reads a stream that comes in the given chunks, as the relay does for a caller of the upstream's format. */
export function replayStream(
  operation: Operation,
  chunks: readonly Uint8Array[],
  includeUsage: boolean,
): Replay {
  const reader = readerFor(operation, includeUsage)
  const forwarded: Uint8Array[] = []
  for (const chunk of chunks) forwarded.push(...reader.push(chunk).forward)
  const last = reader.end()
  forwarded.push(...last.forward)
  return {
    forwarded: joined(forwarded),
    trailer: last.error === undefined ? reader.trailer(undefined) : '',
    usage: reader.usage,
    delivered: reader.delivered(),
    outcome: reader.outcome,
    error: last.error,
  }
}

const maxFrameBytes = 1 << 20

/** The events of a stream, without its framing. */
export function framesIn({ framing, unwrap }: Operation, bytes: Uint8Array): readonly Frame[] {
  const scanner = new scanners[framing](maxFrameBytes)
  return [...scanner.push(bytes), ...scanner.end()].flatMap(({ event, data }) => {
    if (data === undefined || data.length === 0) return []
    const frame = { event, data: decodeUtf8(data) }
    return unwrap === undefined ? [frame] : (unwrap(frame) ?? [])
  })
}

function readerFor(operation: Operation, includeUsage: boolean): StreamReader {
  const { codec, framing } = operation
  const decodeError: Operation['decodeError'] = (failure) => operation.decodeError(failure)
  if (codec === undefined || codec.format === 'openai-chat')
    return new OpenAiStreamReader({
      includeUsage,
      maxFrameBytes,
      decodeError,
      ...normalizationFor(operation),
    })
  return new ResponseStream({
    scanner: new scanners[framing](maxFrameBytes),
    ...(operation.unwrap !== undefined && { unwrap: (frame: Frame) => operation.unwrap?.(frame) }),
    decoder: codec,
    encode: framing === 'sse' && operation.unwrap === undefined ? 'as-received' : 'as-events',
    maxFrameBytes,
    decodeError,
  })
}

/** The call of replayed responses. */
export const replayedCall = { responseId: 'id', createdAt: 7, model: 'm' } as const

function normalizationFor({ normalizeResponse }: Operation) {
  return normalizeResponse === undefined
    ? {}
    : { normalizeResponse: (event: JsonObject) => normalizeResponse(event, replayedCall) }
}

const scanners = {
  sse: SseScanner,
  'sse-fields': SseFieldScanner,
  ndjson: NdjsonScanner,
  websocket: NdjsonScanner,
  'json-array': JsonArrayScanner,
  'aws-event-stream': AwsEventStreamScanner,
} as const satisfies Record<Framing, new (maxFrameBytes: number) => FrameScanner>

/** The bytes in pieces that end at the given places. */
export function cutAt(bytes: Uint8Array, ...positions: readonly number[]): readonly Uint8Array[] {
  const ends = [...positions, bytes.length]
  return ends.map((end, index) => bytes.slice(ends[index - 1] ?? 0, end))
}

/** Every place to cut small bytes at; a spread of them for large ones. */
export function cutPositions(bytes: Uint8Array, atMost: number): readonly number[] {
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
