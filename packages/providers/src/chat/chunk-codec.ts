import {
  type ChatPart,
  type ChunkState,
  collectResponse,
  type DecodedResponse,
  type Frame,
  isObject,
  type JsonObject,
  newChunkState,
  openAiChat,
  parseExactJson,
  readChunk,
  type StreamDecoder,
  type UpstreamCodec,
} from '@tollgate/formats'

/** Translates one vendor's responses to OpenAI's chunks. */
export interface ChunkDialect extends Pick<UpstreamCodec, 'format' | 'encodeRequest' | 'decodeError'> {
  /** The event, or the buffered response, as a chunk; `undefined` for one that says nothing. */
  chunkOf(event: JsonObject): JsonObject | undefined
  isFailure(event: JsonObject): boolean
  /** Recognises the event that nothing follows. */
  isLast(event: JsonObject): boolean
  /** A response without anything in it is a failure there. */
  readonly refusesEmpty?: boolean
}

interface State {
  readonly chunks: ChunkState
}

/** A codec of an upstream whose format names things differently from OpenAI's, and structures them alike. */
export function chunkCodec(dialect: ChunkDialect): UpstreamCodec {
  const { format, encodeRequest, decodeError } = dialect
  const decodeStream: StreamDecoder<State> = {
    start: () => ({ chunks: newChunkState() }),
    step: (state, frame) => partsOf(dialect, state, frame),
    finish: ({ chunks }) => openAiChat.decodeStream.finish(chunks),
  }
  return {
    format,
    encodeRequest,
    decodeResponse: (body) => decodeResponse(dialect, body),
    // Only this decoder reads the state: callers store it between steps as `unknown`.
    decodeStream: decodeStream as StreamDecoder<unknown>,
    decodeError,
  }
}

function partsOf(dialect: ChunkDialect, { chunks }: State, { data }: Frame): readonly ChatPart[] {
  const event = parseExactJson(data)
  if (!isObject(event) || dialect.isFailure(event)) return [failed(dialect, data)]
  const chunk = dialect.chunkOf(event)
  const parts = chunk === undefined ? [] : readChunk(chunks, chunk)
  if (!dialect.isLast(event)) return parts
  if (dialect.refusesEmpty === true && !chunks.hasDelivered) return [failed(dialect, data)]
  return [...parts, { type: 'end' }]
}

function failed({ decodeError }: ChunkDialect, body: string): Extract<ChatPart, { type: 'error' }> {
  return { type: 'error', error: decodeError({ status: 200, headers: {}, body }) }
}

/** Decodes a buffered response, which is one object, or the messages of a WebSocket as lines. */
function decodeResponse(dialect: ChunkDialect, body: unknown): DecodedResponse {
  const lines =
    typeof body === 'string' ? body.split('\n').filter((line) => line !== '') : [JSON.stringify(body)]
  const state: State = { chunks: newChunkState() }
  const parts: ChatPart[] = []
  for (const data of lines) {
    for (const part of partsOf(dialect, state, { event: '', data })) {
      if (part.type === 'error') return { ok: false, error: part.error }
      parts.push(part)
    }
  }
  // The messages of a WebSocket may break off; one object is complete.
  const isComplete = typeof body !== 'string' || parts.some(({ type }) => type === 'end' || type === 'stop')
  const response = collectResponse(parts)
  return isComplete && response.candidates.length > 0
    ? { ok: true, response }
    : { ok: false, error: failed(dialect, lines.join('\n')).error }
}
