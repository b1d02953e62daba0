import type { UpstreamErrorInfo } from '@tollgate/formats'

/** How one attempt at an upstream ended. */
export interface AttemptOutcome {
  readonly channelId: number
  readonly keyIndex: number
  readonly model: string
  /** Time to the first meaningful event (or to the complete response), in ms. */
  readonly ms: number
  /** `undefined` when it succeeded. Status is after `status_code_mapping`. */
  readonly error?: UpstreamErrorInfo
}

/** A start that is computed from a duration may come out a little early. */
const toleranceMs = 5

/**
 * Whether an attempt that has just ended started after `since`. Both times are of the monotonic clock, in ms. An
 * attempt that started before an edit used the old keys and address and says nothing about the new ones.
 */
export function startedAfter(since: number, { ms }: Pick<AttemptOutcome, 'ms'>, now: number): boolean {
  return now - ms + toleranceMs >= since
}
