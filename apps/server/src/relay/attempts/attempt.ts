import {
  type MediaAddress,
  RequestFault,
  type StreamReader,
  type UpstreamErrorInfo,
  WireAnswer,
} from '@tollgate/formats'
import type { HeaderMap, ModelOptions } from '@tollgate/providers'
import type { TickBatch } from '../../lib/tick-batch.ts'
import { encodeBody, type UpstreamBody } from '../../upstream/call-body.ts'
import { TokenExchangeError } from '../../upstream/credentials/token-exchange.ts'
import type { Deadlines } from '../../upstream/deadlines.ts'
import {
  brokenExchange,
  type Exchange,
  type ExchangeEnd,
  OpenExchange,
  unanswered,
} from '../../upstream/exchange.ts'
import { withModelHeaders } from '../../upstream/model-settings.ts'
import type { UpstreamCall, Upstreams } from '../../upstream/upstreams.ts'
import type { RelayCall } from '../call.ts'
import { uncheckedBytes } from '../charge/stream-budget.ts'
import type { AnswerContext, WholeReading } from '../dialects/dialect.ts'
import type { InFlightEntry } from '../in-flight.ts'
import type { CallMedia } from '../media/call-media.ts'
import type { Candidate } from '../routing/candidates.ts'
import { filteredStream, filteredWhole } from '../words/filter-answer.ts'
import type { SensitiveWords } from '../words/sensitive-words.ts'
import { HeldStart } from './held-start.ts'

/** An upstream whose answer has begun, so that nothing can be retried any more. */
export type Begun = BegunWhole | BegunStream

export interface BegunWhole {
  readonly kind: 'whole'
  readonly reading: Extract<WholeReading, { ok: true }>
  readonly contentType: string
  /** Names of fields that the upstream could not be told. */
  readonly dropped: readonly string[]
}

export interface BegunStream {
  readonly kind: 'stream'
  readonly exchange: Exchange
  readonly reader: StreamReader
  /** Passed the guard with the first meaningful event; goes out first. */
  readonly held: readonly Uint8Array[]
  /** Came along with it and has not been read. */
  readonly unread: Uint8Array | undefined
  /** The upstream's end mark, or an error that it reports, came along already. */
  readonly done: boolean
  readonly failed: boolean
  /** Where it is the upstream's to say. */
  readonly contentType?: string
  readonly dropped: readonly string[]
}

export type AttemptResult<Start = Begun> = { readonly ok: true; readonly begun: Start } | FailedAttempt

export interface FailedAttempt {
  readonly ok: false
  readonly error: UpstreamErrorInfo
  readonly endedBy: ExchangeEnd | undefined
  /** The call cannot be said in the channel's format: nothing was sent. */
  readonly fault?: RequestFault
}

export interface AttemptDependencies {
  readonly deadlines: Deadlines
  readonly upstreams: Upstreams
  /** The operator's settings of models. */
  readonly modelOptions: () => ModelOptions
  readonly media: CallMedia
  /** Calls whose upstreams answer in one turn of the event loop go on in one batch. */
  readonly answered: TickBatch
  readonly limits: RelayLimits
  readonly words: SensitiveWords
}

export interface RelayLimits {
  /** Longest wait for the first event of a stream, or for a whole answer. */
  readonly firstAnswerMs: number
  /** Longest silence inside a stream. */
  readonly silenceMs: number
  readonly answerBytes: number
  /** Bytes that may come before the first meaningful event. */
  readonly guardBytes: number
}

/** One try at one upstream with one key: sends, and waits until the answer has begun. Never throws. */
export async function attempt(
  call: RelayCall,
  candidate: Candidate,
  deps: AttemptDependencies,
  entry: Pick<InFlightEntry, 'opened'>,
): Promise<AttemptResult> {
  const options = deps.modelOptions()
  const headers = headersFor(call, candidate, options)
  const addresses = deps.media.needed(call.request, candidate.operation)
  const request =
    addresses.length === 0 ? call.request : await withFiles(call.request, addresses, deps, entry)
  const body = request instanceof RequestFault ? request : bodyFor(request, candidate, options, headers)
  if (body instanceof RequestFault)
    return { ok: false, error: unanswered('bad_request', body.message), endedBy: undefined, fault: body }
  call.trail.isInstructed = body.isInstructed
  const asked = upstreamCall(call, candidate, body, headers)
  const result = await send(call, candidate, asked, body, deps, entry)
  if (result.ok || result.error.status !== 401) return result
  // A token that the key was exchanged for may have been withdrawn before its time.
  return deps.upstreams.tokenRefused(asked) ? send(call, candidate, asked, body, deps, entry) : result
}

/** Fields of a caller of the upstream's own format, and what the operator sets for the model. */
function headersFor({ request }: RelayCall, { operation }: Candidate, options: ModelOptions): HeaderMap {
  const caller = request.format === operation.format ? request.callerHeaders : noHeaders
  return withModelHeaders(operation.format, caller, options, request.model)
}

const noHeaders: HeaderMap = {}

async function withFiles(
  request: RelayCall['request'],
  addresses: readonly MediaAddress[],
  { media }: AttemptDependencies,
  entry: Pick<InFlightEntry, 'opened'>,
): Promise<RelayCall['request'] | RequestFault> {
  try {
    return await media.withFiles(request, addresses, entry)
  } catch (error) {
    if (error instanceof RequestFault) return error
    throw error
  }
}

function bodyFor(
  request: RelayCall['request'],
  candidate: Candidate,
  options: ModelOptions,
  headers: HeaderMap,
): UpstreamBody | RequestFault {
  const { operation, upstreamModel, channel, passThrough } = candidate
  const { paramOverride: override, setting } = channel
  const { instructions } = setting
  try {
    return encodeBody(request, {
      operation,
      upstreamModel,
      override,
      instructions,
      options,
      headers,
      passThrough,
    })
  } catch (error) {
    if (error instanceof RequestFault) return error
    throw error
  }
}

async function send(
  call: RelayCall,
  candidate: Candidate,
  asked: UpstreamCall,
  body: UpstreamBody,
  deps: AttemptDependencies,
  entry: Pick<InFlightEntry, 'opened'>,
): Promise<AttemptResult> {
  const exchange = new OpenExchange(deps.deadlines, deps.limits.firstAnswerMs)
  entry.opened(exchange)
  try {
    const sending = exchange.send(() => deps.upstreams.send(asked))
    const answer = await sending
    exchange.begun(answer)
    if (answer.status < 200 || answer.status > 299) return await readFailure(candidate, exchange)
    if (call.request.isStreamed(candidate.operation))
      return await beginStream(call, candidate, exchange, body, deps)
    const whole = answer.whole(deps.limits.answerBytes)
    const bytes = whole instanceof Promise ? await whole : whole
    exchange.done()
    await deps.answered.join()
    return readWhole(call, candidate, exchange, bytes, body, deps)
  } catch (error) {
    exchange.done()
    return { ok: false, error: errorOf(exchange, error, candidate), endedBy: exchange.endedBy }
  }
}

function upstreamCall(
  { request }: RelayCall,
  { channel, keyIndex, operation, model: callerModel }: Candidate,
  { model, text }: UpstreamBody,
  callerHeaders: HeaderMap,
): UpstreamCall {
  return {
    channel,
    keyIndex,
    operation,
    upstreamModel: model,
    callerModel,
    stream: request.stream,
    body: text,
    callerHeaders,
    query: request.format === operation.format ? request.callerQuery : '',
  }
}

/** A `TypeError` is a base URL that is none, or a key with characters that no header may hold. */
export function errorOf(
  exchange: Exchange,
  error: unknown,
  { operation }: Pick<Candidate, 'operation'>,
): UpstreamErrorInfo {
  if (error instanceof TokenExchangeError) return operation.decodeError(error.failure)
  return error instanceof TypeError
    ? unanswered('upstream_bug', "The upstream's address or key cannot be sent.")
    : brokenExchange(exchange, error)
}

/** What a refusal says. */
export async function readFailure({ operation }: Candidate, exchange: OpenExchange): Promise<FailedAttempt> {
  const failure = await exchange.failure()
  exchange.done()
  return { ok: false, error: operation.decodeError(failure), endedBy: exchange.endedBy }
}

/** The call itself where its channel wants nothing of its answers, as nearly all do. */
function answerContext(call: RelayCall, { channel }: Candidate): AnswerContext {
  const { forceFormat, thinkingToContent } = channel.setting
  if (!forceFormat && !thinkingToContent) return call
  const { requestId, createdAt } = call
  return { requestId, createdAt, form: { knownFieldsOnly: forceFormat, thoughtsInText: thinkingToContent } }
}

function malformed(exchange: Exchange, message: string): AttemptResult {
  const { endedBy } = exchange
  exchange.end('shutdown')
  return { ok: false, error: unanswered('upstream_bug', message), endedBy }
}

function readWhole(
  call: RelayCall,
  candidate: Candidate,
  exchange: Exchange,
  bytes: Uint8Array | undefined,
  { dropped }: UpstreamBody,
  { words }: AttemptDependencies,
): AttemptResult {
  if (bytes === undefined) return malformed(exchange, 'The upstream sent an answer that is too large.')
  const answer = wireAnswer(bytes, exchange)
  const reading = call.request.readAnswer(answer, candidate.operation, answerContext(call, candidate))
  if (!reading.ok) return { ok: false, error: reading.error, endedBy: undefined }
  const contentType = reading.contentType ?? jsonTypeOf(answer)
  const filter = words.answers()
  const clean = filter === undefined ? reading : filteredWhole(reading, call.request, filter)
  return { ok: true, begun: { kind: 'whole', reading: clean, contentType, dropped } }
}

const json = 'application/json'
const sendableJsonType = /^application\/json\b[ -~]*$/i

/** The body was read as JSON and goes out as such: an upstream must not have a browser take it for a page of ours. */
function jsonTypeOf({ contentType }: WireAnswer): string {
  return contentType === json || sendableJsonType.test(contentType) ? contentType : json
}

function wireAnswer(bytes: Uint8Array, { answer }: Exchange): WireAnswer {
  return new WireAnswer(bytes, answer.header('content-type') ?? '')
}

/** Media types of streams. An answer of another type is an error in disguise, or an upstream that cannot stream. */
const streamTypes = {
  sse: /^text\/event-stream/i,
  'sse-fields': /^text\/event-stream/i,
  ndjson: /^(application\/(x-)?ndjson|application\/jsonl|application\/json|text\/)/i,
  'json-array': /^application\/json/i,
  'aws-event-stream': /^application\/vnd\.amazon\.eventstream/i,
  websocket: /./,
} as const

/** Holds everything back until an event says that the answer has begun: before it, failure can still be hidden. */
async function beginStream(
  call: RelayCall,
  candidate: Candidate,
  exchange: Exchange,
  body: UpstreamBody,
  deps: AttemptDependencies,
): Promise<AttemptResult> {
  const { operation } = candidate
  const { answer } = exchange
  const { dropped } = body
  const contentType = streamTypeOf(call, operation, answer.header('content-type') ?? '')
  if (contentType === undefined) return notAStream(call, candidate, exchange, body, deps)
  const filter = deps.words.answers()
  const received = call.request.readStream(operation, answerContext(call, candidate))
  const reader = filter === undefined ? received : filteredStream(received, call.request, filter)
  const held = new HeldStart(deps.limits.guardBytes)
  for (;;) {
    const { done: ended, value } = await answer.read()
    const { step, unread } = readStart(reader, value, held)
    const done = step.done || ended
    if (reader.phase === 'delivering') {
      const failed = step.error !== undefined
      const start = { held: held.pieces, unread, done: done || failed, failed, contentType }
      return { ok: true, begun: { kind: 'stream', exchange, reader, ...start, dropped } }
    }
    if (step.error !== undefined) return refused(exchange, step.error)
    if (done) return malformed(exchange, 'The upstream sent an empty answer.')
    if (held.isFull) return malformed(exchange, 'The upstream sent a stream without an answer in it.')
  }
}

/** The media type of the caller's stream; `undefined` for an answer that is no stream. */
function streamTypeOf(
  { request }: RelayCall,
  { framing }: Candidate['operation'],
  upstreamType: string,
): string | undefined {
  if (request.streamType !== undefined) return request.streamType(upstreamType)
  return streamTypes[framing].test(upstreamType) ? request.streamForm.contentType : undefined
}

/** Reads up to where the answer begins: what of it is delivered beyond that is to be looked at first. */
function readStart(reader: StreamReader, bytes: Uint8Array | undefined, held: HeldStart) {
  let unread = bytes
  for (;;) {
    const step = unread === undefined ? reader.end() : reader.push(unread.subarray(0, uncheckedBytes))
    held.add(step.forward)
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

/** A failure, or an answer that is whole already. */
async function notAStream(
  call: RelayCall,
  candidate: Candidate,
  exchange: Exchange,
  { dropped }: UpstreamBody,
  deps: AttemptDependencies,
): Promise<AttemptResult> {
  const bytes = await exchange.answer.whole(deps.limits.answerBytes)
  exchange.done()
  if (bytes !== undefined) {
    const { request } = call
    const { operation } = candidate
    const context = answerContext(call, candidate)
    const reading = request.readAnswer(wireAnswer(bytes, exchange), operation, context)
    if (!reading.ok) return { ok: false, error: reading.error, endedBy: undefined }
    const reader = request.readUnstreamed?.(operation, context)
    if (reader !== undefined)
      return unstreamed(reader, bytes, exchange, request.streamForm.contentType, dropped)
  }
  const error = unanswered(
    'upstream_bug',
    'The upstream answered without streaming, although a stream was asked for.',
  )
  return { ok: false, error, endedBy: undefined }
}

function unstreamed(
  reader: StreamReader,
  bytes: Uint8Array,
  exchange: Exchange,
  contentType: string,
  dropped: readonly string[],
): AttemptResult {
  reader.push(bytes)
  const { forward: held, error } = reader.end()
  if (error !== undefined) return { ok: false, error, endedBy: undefined }
  const begun = { held, unread: undefined, done: true, failed: false, contentType, dropped }
  return { ok: true, begun: { kind: 'stream', exchange, reader, ...begun } }
}
