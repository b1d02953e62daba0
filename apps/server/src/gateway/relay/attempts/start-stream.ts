import type { StreamReader, UpstreamErrorInfo } from '@tollgate/formats'
import type { BodyPiece } from '@tollgate/http'
import type { UpstreamBody } from '../../../upstream/call-body.ts'
import { type Exchange, noResponseError } from '../../../upstream/exchange.ts'
import { openedBody, readBody } from '../../../upstream/response-body/read-body.ts'
import { type ResponseHold, smallResponseBytes } from '../../../upstream/response-body/response-memory.ts'
import type { RelayCall } from '../call.ts'
import { uncheckedBytes } from '../charge/stream-budget.ts'
import { filteredStream } from '../content-filter.ts'
import { framingOfText } from '../dialects/stream-form.ts'
import type { Candidate } from '../routing/candidates.ts'
import type { AttemptDependencies, AttemptResult } from './attempt-result.ts'
import { namedStream } from './caller-name.ts'
import { malformed, responseContext, wireResponse } from './read-buffered-response.ts'
import { unusableBody } from './whole-response.ts'

/** Media types of streams. A response of another type is an error with status 2xx, or of an upstream that cannot stream. */
const streamTypes = {
  sse: /^text\/event-stream/i,
  'sse-fields': /^text\/event-stream/i,
  ndjson: /^(application\/(x-)?ndjson|application\/jsonl|application\/json|text\/)/i,
  'json-array': /^application\/json/i,
  'aws-event-stream': /^application\/vnd\.amazon\.eventstream/i,
  websocket: /./,
} as const

/** The response of a candidate, and what reading its start takes. */
interface CandidateResponse {
  readonly call: RelayCall
  readonly candidate: Candidate
  readonly exchange: Exchange
  readonly body: UpstreamBody
  readonly deps: AttemptDependencies
  readonly enter: () => ResponseHold
}

/** Buffers everything until an event shows that the response has started: until then failover is still possible. @step */
export async function beginStream(
  call: RelayCall,
  candidate: Candidate,
  exchange: Exchange,
  body: UpstreamBody,
  deps: AttemptDependencies,
  enter: () => ResponseHold,
): Promise<AttemptResult> {
  const { response } = exchange
  const received = { call, candidate, exchange, body, deps, enter }
  const contentType = streamTypeOf(call, candidate.operation, response.header('content-type') ?? '')
  if (contentType !== undefined) return await readEvents(received, { contentType })
  const opening = await response.read()
  const framed = framedAs(call, candidate, opening.value)
  if (framed === undefined) return await notAStream(received, opening)
  const start = { contentType: call.request.streamForm.contentType, opening }
  return await readEvents({ ...received, candidate: framed }, start)
}

/** A stream's media type for the caller, and its first piece where that has been read. */
interface StreamOpening {
  readonly contentType: string
  readonly opening?: BodyPiece
}

/** Reads events up to the first meaningful one, or a response that has none. */
async function readEvents(
  { call, candidate, exchange, body, deps, enter }: CandidateResponse,
  { contentType, opening }: StreamOpening,
): Promise<AttemptResult> {
  const { response } = exchange
  const { dropped } = body
  let piece = opening
  const reader = readerOf(call, candidate, body, deps)
  const held = new BufferedStart(deps.limits.guardBytes)
  const raw = new BufferedStart(deps.limits.guardBytes)
  const memory = new StartMemory(enter)
  for (;;) {
    const { done: ended, value } = piece ?? (await response.read())
    piece = undefined
    raw.add(value)
    const taking = memory.takeWith(value)
    const room = taking instanceof Promise ? await taking : taking
    if (room !== undefined) return unusableBody(exchange, { kind: 'refused', room })
    const { step, unread } = readStart(reader, value, held)
    const done = step.done || ended
    if (reader.phase === 'delivering') {
      const start = { held: held.pieces, unread, ...endOf(step.error, done), contentType }
      return { ok: true, started: { kind: 'stream', exchange, reader, ...start, dropped } }
    }
    if (done && step.error === undefined) return endedEarly(call, candidate, exchange, body, raw)
    const failed = failedStart(exchange, step.error, held.isFull)
    if (failed !== undefined) return failed
  }
}

function readerOf(
  call: RelayCall,
  candidate: Candidate,
  body: UpstreamBody,
  { contentFilter }: AttemptDependencies,
): StreamReader {
  const received = call.request.readStream(candidate.operation, responseContext(call, candidate, body))
  const filter = contentFilter.responses()
  const clean = filter === undefined ? received : filteredStream(received, call.request, filter)
  return namedStream(clean, call)
}

function endOf(failure: UpstreamErrorInfo | undefined, isDone: boolean) {
  return { done: isDone || failure !== undefined, failure }
}

function failedStart(
  exchange: Exchange,
  error: UpstreamErrorInfo | undefined,
  isFull: boolean,
): AttemptResult | undefined {
  if (error !== undefined) return refused(exchange, error)
  return isFull ? malformed(exchange, 'The upstream sent a stream without a response in it.') : undefined
}

/** A stream that ended before its first meaningful event. */
function endedEarly(
  call: RelayCall,
  candidate: Candidate,
  exchange: Exchange,
  body: UpstreamBody,
  raw: BufferedStart,
): AttemptResult {
  if (raw.isBody) return unstreamed(call, candidate, exchange, body, raw.bytes)
  return malformed(exchange, 'The upstream sent an empty response.')
}

/** The media type of the caller's stream; `undefined` when the response is not a stream. */
function streamTypeOf(
  { request }: RelayCall,
  { framing }: Candidate['operation'],
  upstreamType: string,
): string | undefined {
  if (request.streamType !== undefined) return request.streamType(upstreamType)
  return streamTypes[framing].test(upstreamType) ? request.streamForm.contentType : undefined
}

/** Operations whose events are JSON texts in whatever frames they come. */
const textFramings: ReadonlySet<string> = new Set(['sse', 'json-array'])

/**
 * The candidate with the framing that the first bytes of its response show, whatever media type the upstream calls them: proxies in
 * front of vendors lose or change it. `undefined` for a body that is no stream.
 */
function framedAs(
  { request }: RelayCall,
  candidate: Candidate,
  bytes: Uint8Array | undefined,
): Candidate | undefined {
  const { operation } = candidate
  if (bytes === undefined || request.streamType !== undefined || !textFramings.has(operation.framing))
    return undefined
  const framing = framingOfText(utf8.decode(bytes.subarray(0, 64)))
  return framing && { ...candidate, operation: { ...operation, framing } }
}

/** Reads up to the first meaningful event; the bytes behind it stay unread until the balance has been checked. */
function readStart(reader: StreamReader, bytes: Uint8Array | undefined, held: BufferedStart) {
  let unread = bytes
  for (;;) {
    const step = unread === undefined ? reader.end() : reader.push(unread.subarray(0, uncheckedBytes))
    held.add(...step.forward)
    unread =
      unread !== undefined && unread.length > uncheckedBytes ? unread.subarray(uncheckedBytes) : undefined
    const isDecided = reader.phase === 'delivering' || step.error !== undefined || step.done || held.isFull
    if (isDecided || unread === undefined)
      return { step, unread: step.done || step.error !== undefined ? undefined : unread }
  }
}

function refused(exchange: Exchange, error: UpstreamErrorInfo): AttemptResult {
  exchange.end('shutdown')
  return { ok: false, error, endedBy: undefined }
}

/** Returns a failure, or the complete response. */
async function notAStream(
  { call, candidate, exchange, body, deps, enter }: CandidateResponse,
  opening: BodyPiece,
): Promise<AttemptResult> {
  const read = await readBody(openedBody(exchange.response, opening), {
    limitBytes: deps.limits.responseBytes,
    enter,
  })
  if (read.kind !== 'complete') return unusableBody(exchange, read)
  return unstreamed(call, candidate, exchange, body, read.bytes)
}

/** Reads a whole body that came where a stream was requested. */
function unstreamed(
  call: RelayCall,
  candidate: Candidate,
  exchange: Exchange,
  body: UpstreamBody,
  bytes: Uint8Array,
): AttemptResult {
  exchange.done()
  const { request } = call
  const { operation } = candidate
  const context = responseContext(call, candidate, body)
  const reading = request.readResponse(wireResponse(bytes, exchange), operation, context)
  if (!reading.ok) return { ok: false, error: reading.error, endedBy: undefined }
  const reader = request.readUnstreamed?.(operation, context)
  if (reader !== undefined)
    return singleEventCodec(reader, bytes, exchange, request.streamForm.contentType, body.dropped)
  const error = noResponseError(
    'upstream_bug',
    'The upstream responded without streaming, although a stream was requested.',
  )
  return { ok: false, error, endedBy: undefined }
}

function singleEventCodec(
  reader: StreamReader,
  bytes: Uint8Array,
  exchange: Exchange,
  contentType: string,
  dropped: readonly string[],
): AttemptResult {
  reader.push(bytes)
  const { forward: held, error } = reader.end()
  if (error !== undefined) return { ok: false, error, endedBy: undefined }
  const started = { held, unread: undefined, done: true, failure: undefined, contentType, dropped }
  return { ok: true, started: { kind: 'stream', exchange, reader, ...started } }
}

const utf8 = new TextDecoder()

/** Memory for responses that the start of a stream takes, once it is not small. */
class StartMemory {
  readonly #enter: () => ResponseHold
  #untaken = 0
  #isSmall = true

  constructor(enter: () => ResponseHold) {
    this.#enter = enter
  }

  takeWith(piece: Uint8Array | undefined): ReturnType<ResponseHold['take']> {
    this.#untaken += piece?.length ?? 0
    this.#isSmall &&= this.#untaken <= smallResponseBytes
    if (this.#isSmall) return undefined
    const bytes = this.#untaken
    this.#untaken = 0
    return this.#enter().take(bytes)
  }
}

/** The bytes of a stream before its first meaningful event, bounded. */
class BufferedStart {
  readonly pieces: Uint8Array[] = []
  readonly #limit: number
  #bytes = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get isFull(): boolean {
    return this.#bytes > this.#limit
  }

  get bytes(): Uint8Array {
    return Buffer.concat(this.pieces)
  }

  /** Recognises JSON or a page under the name of a stream: no line of an event begins like these. */
  get isBody(): boolean {
    const start = this.pieces[0]?.subarray(0, 64)
    return start !== undefined && !this.isFull && /^\s*[[{<]/.test(utf8.decode(start))
  }

  /** Keeps what comes until it is full, and nothing after that. */
  add(...pieces: readonly (Uint8Array | undefined)[]): void {
    if (this.isFull) return
    for (const piece of pieces) {
      if (piece === undefined) continue
      this.pieces.push(piece)
      this.#bytes += piece.byteLength
    }
  }
}
