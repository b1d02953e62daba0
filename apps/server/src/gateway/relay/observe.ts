import type { CountedOutcome } from '@tollgate/api'
import type { Usage } from '@tollgate/formats'
import type { ModelRequest, RelayCall } from './call.ts'
import type { EarlyEnd } from './charge/counted-usage.ts'
import type { RelayError } from './relay-error.ts'

/** Outcome of a call. */
export interface CallEnd {
  readonly outcome: CountedOutcome
  /** Reason for which it ended early or was refused; `undefined` for a response that came to its end. */
  readonly why: RelayError | EarlyEnd | undefined
  /** Milliseconds since the call arrived. */
  readonly doneMs: number
  /** Usage as charged; absent for a call that was not. */
  readonly usage?: Usage
  readonly upstreamModel?: string
  /** Charged, in quota units. */
  readonly quota: number
  /** The call has ended before: a session is charged several times. */
  readonly isRepeated: boolean
}

/**
 * Watches calls for metrics, traces and the log of calls. Absent where nobody watches, so that a call then pays one comparison.
 * Hears of each call when it is over, with its trace complete. Must not throw.
 */
export interface CallObserver {
  ended(call: RelayCall<ModelRequest>, end: CallEnd): void
  /**
   * Names a call at the start of an attempt, for an upstream that traces too: the field `traceparent`, or `undefined` to send
   * none.
   */
  traceparent?(call: RelayCall<ModelRequest>): string | undefined
}
