import type { RequestFault, StreamReader, UpstreamErrorInfo } from '@tollgate/formats'
import type { ModelOptions } from '@tollgate/providers'
import type { TickBatch } from '../../lib/tick-batch.ts'
import type { Deadlines } from '../../upstream/deadlines.ts'
import type { Exchange, ExchangeEnd } from '../../upstream/exchange.ts'
import type { Upstreams } from '../../upstream/upstreams.ts'
import type { ContentFilter } from '../content-filter.ts'
import type { ResponseReading } from '../dialects/dialect.ts'
import type { CallMedia } from '../media/call-media.ts'

/** An upstream whose answer has begun, so that nothing can be retried any more. */
export type StartedResponse = CompleteResponse | StartedStream

export interface CompleteResponse {
  readonly kind: 'buffered'
  readonly reading: Extract<ResponseReading, { ok: true }>
  readonly contentType: string
  /** Names of fields that the upstream could not be told. */
  readonly dropped: readonly string[]
}

export interface StartedStream {
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

export type AttemptResult<Start = StartedResponse> =
  | { readonly ok: true; readonly started: Start }
  | FailedAttempt

export interface FailedAttempt {
  readonly ok: false
  readonly error: UpstreamErrorInfo
  readonly endedBy: ExchangeEnd | undefined
  /** The call cannot be said in the channel's format: nothing was sent. */
  readonly fault?: RequestFault
  /** The upstream got the whole request and did not answer it: it may have carried it out. */
  readonly outcomeUnknown?: boolean
}

export interface AttemptDependencies {
  readonly deadlines: Deadlines
  readonly upstreams: Upstreams
  /** The operator's settings of models. */
  readonly modelOptions: () => ModelOptions
  readonly media: CallMedia
  /** Calls whose upstreams answer in one turn of the event loop go on in one batch. */
  readonly responseBatch: TickBatch
  readonly limits: RelayLimits
  readonly contentFilter: ContentFilter
}

export interface RelayLimits {
  /** Longest wait for the first event of a stream, or for a whole answer. */
  readonly firstResponseMs: number
  /** Longest silence inside a stream. */
  readonly silenceMs: number
  readonly responseBytes: number
  /** Bytes that may come before the first meaningful event. */
  readonly guardBytes: number
}
