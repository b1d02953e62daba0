import type { Answer, UpstreamErrorInfo } from '@tollgate/formats'
import type { RoutedChannel } from '../channels/routing-types.ts'
import type { Convoy } from '../lib/convoy.ts'
import type { OutboundGuard } from '../lib/outbound-guard.ts'
import type { AddressBook } from './addresses.ts'
import type { RelayCall } from './call.ts'
import type { Dialect, StreamReader } from './dialect.ts'
import {
  brokenExchange,
  type Exchange,
  type ExchangeDependencies,
  type ExchangeEnd,
  openExchange,
  unanswered,
} from './exchange.ts'

/** The part of a body's reader that is used. */
export interface ByteReader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>
}

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
      readonly bytes: ByteReader
      readonly reader: StreamReader
      /** Passed the guard with the first meaningful event; goes out first. */
      readonly held: readonly Uint8Array[]
      /** The upstream's end mark came along already. */
      readonly done: boolean
    }

export type AttemptResult =
  | { readonly ok: true; readonly begun: Begun }
  | { readonly ok: false; readonly error: UpstreamErrorInfo; readonly endedBy: ExchangeEnd | undefined }

export interface AttemptDependencies extends ExchangeDependencies {
  readonly dialect: Dialect
  readonly addresses: AddressBook
  /** Gathers the calls whose upstreams have answered. */
  readonly answered: Convoy
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

const noBytes = new Uint8Array()
const utf8 = new TextDecoder()

/** One try at one upstream with one key: sends, and waits until the answer has begun. Never throws. */
export async function attempt(
  call: RelayCall,
  target: AttemptTarget,
  deps: AttemptDependencies,
  onOpened: (exchange: Pick<Exchange, 'end'>) => void,
): Promise<AttemptResult> {
  const { channel, keyIndex, upstreamModel } = target
  const result = await openExchange(
    deps,
    {
      provider: channel.provider,
      address: deps.addresses(channel, call.mode, keyIndex, upstreamModel),
      guard: channel.baseUrlTrusted ? undefined : deps.outboundGuard,
      body: call.request.bodyFor({
        upstreamModel,
        override: channel.paramOverride,
        provider: channel.provider,
      }),
      proxy: channel.setting.proxy === '' ? undefined : channel.setting.proxy,
      limitMs: deps.limits.firstAnswerMs,
    },
    onOpened,
  )
  if (!result.ok) return result
  const { exchange } = result
  try {
    return call.request.stream
      ? await beginStream(call, target, exchange, deps)
      : await readWhole(call, target, exchange, deps)
  } catch (error) {
    exchange.done()
    return { ok: false, error: brokenExchange(exchange, error), endedBy: exchange.endedBy }
  }
}

function malformed(exchange: Exchange, message: string): AttemptResult {
  const { endedBy } = exchange
  exchange.end('shutdown')
  return { ok: false, error: unanswered('upstream_bug', message), endedBy }
}

async function readWhole(
  call: RelayCall,
  { channel }: AttemptTarget,
  exchange: Exchange,
  deps: AttemptDependencies,
): Promise<AttemptResult> {
  const { response } = exchange
  const body = await readBounded(response, deps.limits.answerBytes)
  if (body === undefined) return malformed(exchange, 'The upstream sent an answer that is too large.')
  exchange.finish()
  await deps.answered.join()
  const answer = deps.dialect.readAnswer(call.mode, utf8.decode(body), channel.provider)
  if (!answer.ok) return { ok: false, error: answer.error, endedBy: undefined }
  return { ok: true, begun: { kind: 'whole', body, answer, contentType: jsonTypeOf(response) } }
}

const json = 'application/json'

/** The body was read as JSON and goes out as such: an upstream must not have a browser take it for a page of ours. */
function jsonTypeOf(response: Response): string {
  const named = response.headers.get('content-type') ?? ''
  return named === json || /^application\/json\b/i.test(named) ? named : json
}

/** The whole body; `undefined` when it is longer than `limit`. */
function readBounded(response: Response, limit: number): Promise<Uint8Array | undefined> {
  const announced = response.headers.get('content-length')
  // Of a compressed answer the announced length says nothing about what it unpacks to.
  if (announced === null || response.headers.get('content-encoding') !== null)
    return readPieces(response, limit)
  return Number(announced) > limit ? Promise.resolve(undefined) : response.bytes()
}

async function readPieces({ body }: Response, limit: number): Promise<Uint8Array | undefined> {
  if (body === null) return noBytes
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > limit) return undefined
    chunks.push(chunk)
  }
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
}

function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') === true
}

/** Holds everything back until an event says that the answer has begun: before it, failure can still be hidden. */
async function beginStream(
  call: RelayCall,
  { channel }: AttemptTarget,
  exchange: Exchange,
  deps: AttemptDependencies,
): Promise<AttemptResult> {
  const { response } = exchange
  if (response.body === null || !isEventStream(response)) {
    return notAStream(call, channel, exchange, deps)
  }
  const bytes: ByteReader = response.body.getReader()
  const reader = deps.dialect.readStream(call.request, channel.provider)
  const held = createHeld(deps.limits.guardBytes)
  for (;;) {
    const { done: ended, value } = await bytes.read()
    const step = value === undefined ? reader.end() : reader.push(value)
    held.add(step.forward)
    const done = step.done || ended
    if (reader.phase === 'delivering') {
      return { ok: true, begun: { kind: 'stream', exchange, bytes, reader, held: held.pieces, done } }
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
  const body = await readBounded(exchange.response, deps.limits.answerBytes)
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
