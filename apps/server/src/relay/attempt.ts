import type { Answer, UpstreamErrorInfo } from '@tollgate/formats'
import type { HttpAnswer } from '@tollgate/http/client'
import type { RoutedChannel } from '../channels/routing-types.ts'
import type { OutboundGuard } from '../lib/outbound-guard.ts'
import { type TickBatch, together } from '../lib/tick-batch.ts'
import type { AddressBook, UpstreamAddress } from './addresses.ts'
import type { RelayCall } from './call.ts'
import type { Deadlines } from './deadlines.ts'
import type { Dialect, StreamReader } from './dialect.ts'
import { brokenExchange, type Exchange, type ExchangeEnd, OpenExchange, unanswered } from './exchange.ts'
import type { InFlightEntry } from './in-flight.ts'
import type { UpstreamClient, UpstreamRequest } from './upstream-client.ts'

/** An upstream whose answer has begun, so that nothing can be retried any more. */
export type Begun =
  | {
      readonly kind: 'whole'
      readonly body: Uint8Array
      readonly answer: Extract<Answer, { ok: true }>
      readonly contentType: string
    }
  | {
      readonly kind: 'stream'
      readonly exchange: Exchange
      readonly reader: StreamReader
      /** Passed the guard with the first meaningful event; goes out first. */
      readonly held: readonly Uint8Array[]
      /** The upstream's end mark came along already. */
      readonly done: boolean
    }

export type AttemptResult =
  | { readonly ok: true; readonly begun: Begun }
  | { readonly ok: false; readonly error: UpstreamErrorInfo; readonly endedBy: ExchangeEnd | undefined }

export interface AttemptDependencies {
  readonly deadlines: Deadlines
  readonly upstreams: UpstreamClient
  readonly dialect: Dialect
  readonly addresses: AddressBook
  /** Gathers the calls whose upstreams have answered. */
  readonly answered: TickBatch
  readonly limits: RelayLimits
  /** Keeps addresses that somebody below root chose away from private networks. */
  readonly outboundGuard: OutboundGuard
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

export interface AttemptTarget {
  readonly channel: RoutedChannel
  readonly keyIndex: number
  readonly upstreamModel: string
}

const utf8 = new TextDecoder()

/** One try at one upstream with one key: sends, and waits until the answer has begun. Never throws. */
export async function attempt(
  call: RelayCall,
  target: AttemptTarget,
  deps: AttemptDependencies,
  entry: Pick<InFlightEntry, 'opened'>,
): Promise<AttemptResult> {
  const address = addressFor(call, target, deps)
  if (address === undefined) return unsendable
  const request = upstreamRequest(call, target, address, deps)
  const exchange = new OpenExchange(deps.deadlines, deps.limits.firstAnswerMs)
  entry.opened(exchange)
  await together
  try {
    const answer = await exchange.send(deps.upstreams, request)
    exchange.begun(answer)
    if (answer.status < 200 || answer.status > 299) return await readFailure(target, exchange)
    if (call.request.stream) return await beginStream(call, target, exchange, deps)
    const whole = answer.whole(deps.limits.answerBytes)
    const body = whole instanceof Promise ? await whole : whole
    exchange.done()
    await deps.answered.join()
    return readWhole(call, target, exchange, body, deps)
  } catch (error) {
    exchange.done()
    return { ok: false, error: brokenExchange(exchange, error), endedBy: exchange.endedBy }
  }
}

function upstreamRequest(
  { request }: RelayCall,
  { channel, upstreamModel }: AttemptTarget,
  address: UpstreamAddress,
  { outboundGuard }: AttemptDependencies,
): UpstreamRequest {
  const { provider, paramOverride, baseUrlTrusted, setting } = channel
  return {
    address,
    guard: baseUrlTrusted ? undefined : outboundGuard,
    body: request.bodyFor({ upstreamModel, override: paramOverride, provider }),
    proxy: setting.proxy === '' ? undefined : setting.proxy,
  }
}

async function readFailure({ channel }: AttemptTarget, exchange: OpenExchange): Promise<AttemptResult> {
  const failure = await exchange.failure()
  exchange.done()
  return { ok: false, error: channel.provider.decodeError(failure), endedBy: exchange.endedBy }
}

const unsendable: AttemptResult = {
  ok: false,
  error: unanswered('upstream_bug', "The upstream's address or key cannot be sent."),
  endedBy: undefined,
}

/** `undefined` for a base URL that is none, or a key with characters that no header may hold. */
function addressFor(
  { mode }: RelayCall,
  { channel, keyIndex, upstreamModel }: AttemptTarget,
  { addresses }: AttemptDependencies,
): UpstreamAddress | undefined {
  try {
    return addresses(channel, mode, keyIndex, upstreamModel)
  } catch {
    return undefined
  }
}

function malformed(exchange: Exchange, message: string): AttemptResult {
  const { endedBy } = exchange
  exchange.end('shutdown')
  return { ok: false, error: unanswered('upstream_bug', message), endedBy }
}

function readWhole(
  call: RelayCall,
  { channel }: AttemptTarget,
  exchange: Exchange,
  body: Uint8Array | undefined,
  deps: AttemptDependencies,
): AttemptResult {
  if (body === undefined) return malformed(exchange, 'The upstream sent an answer that is too large.')
  const read = deps.dialect.readAnswer(call.mode, utf8.decode(body), channel.provider)
  if (!read.ok) return { ok: false, error: read.error, endedBy: undefined }
  const contentType = jsonTypeOf(exchange.answer)
  return { ok: true, begun: { kind: 'whole', body, answer: read, contentType } }
}

const json = 'application/json'
const sendableJsonType = /^application\/json\b[ -~]*$/i

/** The body was read as JSON and goes out as such: an upstream must not have a browser take it for a page of ours. */
function jsonTypeOf(answer: HttpAnswer): string {
  const named = answer.header('content-type') ?? ''
  return named === json || sendableJsonType.test(named) ? named : json
}

function isEventStream(answer: HttpAnswer): boolean {
  return answer.header('content-type')?.toLowerCase().startsWith('text/event-stream') === true
}

/** Holds everything back until an event says that the answer has begun: before it, failure can still be hidden. */
async function beginStream(
  call: RelayCall,
  { channel }: AttemptTarget,
  exchange: Exchange,
  deps: AttemptDependencies,
): Promise<AttemptResult> {
  const { answer } = exchange
  if (!isEventStream(answer)) return notAStream(call, channel, exchange, deps)
  const reader = deps.dialect.readStream(call.request, channel.provider)
  const held = createHeld(deps.limits.guardBytes)
  for (;;) {
    const { done: ended, value } = await answer.read()
    const step = value === undefined ? reader.end() : reader.push(value)
    held.add(step.forward)
    const done = step.done || ended
    if (reader.phase === 'delivering') {
      return { ok: true, begun: { kind: 'stream', exchange, reader, held: held.pieces, done } }
    }
    if (step.error !== undefined) return refused(exchange, step.error)
    if (done) return malformed(exchange, 'The upstream sent an empty answer.')
    if (held.isFull) return malformed(exchange, 'The upstream sent a stream without an answer in it.')
  }
}

function refused(exchange: Exchange, error: UpstreamErrorInfo): AttemptResult {
  exchange.end('shutdown')
  return { ok: false, error, endedBy: undefined }
}

/** What came before the answer, bounded. */
function createHeld(limit: number) {
  const pieces: Uint8Array[] = []
  let bytes = 0
  return {
    pieces,
    get isFull() {
      return bytes > limit
    },
    add(forward: readonly Uint8Array[]): void {
      for (const piece of forward) {
        pieces.push(piece)
        bytes += piece.byteLength
      }
    },
  }
}

/** A 200 that is no event stream: an error in disguise, or an upstream that cannot stream. */
async function notAStream(
  call: RelayCall,
  channel: RoutedChannel,
  exchange: Exchange,
  deps: AttemptDependencies,
): Promise<AttemptResult> {
  const body = await exchange.answer.whole(deps.limits.answerBytes)
  exchange.done()
  if (body !== undefined) {
    const answer = deps.dialect.readAnswer(call.mode, utf8.decode(body), channel.provider)
    if (!answer.ok) return { ok: false, error: answer.error, endedBy: undefined }
  }
  const error = unanswered(
    'upstream_bug',
    'The upstream answered without streaming, although a stream was asked for.',
  )
  return { ok: false, error, endedBy: undefined }
}
