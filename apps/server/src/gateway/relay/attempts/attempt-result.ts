import type { RequestFault, StreamReader, UpstreamErrorInfo } from '@tollgate/formats'
import type { ModelOptions } from '@tollgate/providers'
import type { TickBatch } from '../../../lib/async/tick-batch.ts'
import type { Deadlines } from '../../../upstream/deadlines.ts'
import type { Exchange, ExchangeEnd } from '../../../upstream/exchange.ts'
import type { ResponseMemory } from '../../../upstream/response-body/response-memory.ts'
import type { Upstreams } from '../../../upstream/upstreams.ts'
import type { ContentFilter } from '../content-filter.ts'
import type { ResponseReading } from '../dialects/dialect.ts'
import type { StreamForm } from '../dialects/stream-form.ts'
import type { CallMedia } from '../media/call-media.ts'
import type { CallObserver } from '../observe.ts'
import type { RelayError } from '../relay-error.ts'

/** A response that has started, so the call can no longer be retried. */
export type StartedResponse = CompleteResponse | StartedStream

export interface CompleteResponse {
  readonly kind: 'buffered'
  readonly reading: Extract<ResponseReading, { ok: true }>
  readonly contentType: string
  /** Names of the fields that the upstream's format cannot express. */
  readonly dropped: readonly string[]
}

export interface StartedStream {
  readonly kind: 'stream'
  readonly exchange: Exchange
  readonly reader: StreamReader
  /** Bytes up to and including the first meaningful event; they go out first. */
  readonly held: readonly Uint8Array[]
  /** Bytes that arrived with it and have not been read. */
  readonly unread: Uint8Array | undefined
  /** Those bytes already contain the upstream's end mark, or an error that it reports. */
  readonly done: boolean
  /** The error that they contain. */
  readonly failure: UpstreamErrorInfo | undefined
  /** Set where the upstream decides it. */
  readonly contentType?: string
  /** Set where it is not the form of the caller's streams. */
  readonly form?: StreamForm
  readonly dropped: readonly string[]
}

export type AttemptResult<Start = StartedResponse> =
  | { readonly ok: true; readonly started: Start }
  | FailedAttempt

export interface FailedAttempt {
  readonly ok: false
  readonly error: UpstreamErrorInfo
  readonly endedBy: ExchangeEnd | undefined
  /** The channel's format cannot express the call: nothing was sent. */
  readonly fault?: RequestFault
  /** The gateway cannot take the response: no other attempt follows, and nobody's fault is counted. */
  readonly refusal?: RelayError
  /** The upstream got the complete request and did not respond: it may have carried it out. */
  readonly outcomeUnknown?: boolean
}

export interface AttemptDependencies {
  readonly deadlines: Deadlines
  readonly upstreams: Upstreams
  /** The operator's settings of models. */
  readonly modelOptions: () => ModelOptions
  readonly media: CallMedia
  /** Calls whose upstreams respond in one turn of the event loop continue in one batch. */
  readonly responseBatch: TickBatch
  /** Absent where upstreams do not get the caller's trace. */
  readonly traceparent?: CallObserver['traceparent']
  readonly limits: RelayLimits
  readonly responses: ResponseMemory
  readonly contentFilter: ContentFilter
}

export interface RelayLimits {
  /** Longest wait for the first event of a stream, or for a complete response. */
  readonly firstResponseMs: number
  /** Longest silence inside a stream. */
  readonly silenceMs: number
  readonly responseBytes: number
  /** Bytes that may come before the first meaningful event. */
  readonly guardBytes: number
}
