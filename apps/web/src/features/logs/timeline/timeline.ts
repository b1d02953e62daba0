import type { LogOther } from '@tollgate/api'
import type { Attempt } from '../attempts/attempt.ts'

type Timing = NonNullable<LogOther['timing']>

/** A stretch of a call. Times are in ms since the call arrived. */
export type Segment =
  /** Checking the key, choosing a channel, holding the estimate. */
  | { readonly kind: 'route'; readonly start: number; readonly end: number }
  /** One try at one upstream; the one that worked lasts until the first token. */
  | { readonly kind: 'attempt'; readonly start: number; readonly end: number; readonly attempt: Attempt }
  /** The wait for the first token, where the attempts are not recorded. */
  | { readonly kind: 'wait'; readonly start: number; readonly end: number }
  /** Segment from the first token to the last. */
  | { readonly kind: 'response'; readonly start: number; readonly end: number }

export interface Timeline {
  readonly stretches: readonly Segment[]
  readonly totalMs: number
  readonly firstTokenMs: number
}

/** Returns the segments of a call's time. The row has the time when the last attempt was sent; the ones before it end there. */
export function timelineOf(timing: Timing, attempts: readonly Attempt[]): Timeline {
  const totalMs = Math.max(timing.done, timing.first_token, 0)
  const within = (ms: number) => Math.min(Math.max(ms, 0), totalMs)
  const sent = within(timing.sent)
  const firstToken = Math.max(within(timing.first_token), sent)
  const routed = attempts.length > 0 ? Math.min(within(timing.routed), sent) : sent
  const tries: readonly Segment[] =
    attempts.length > 0
      ? positionAttempts(attempts, routed, sent, firstToken)
      : [{ kind: 'wait', start: sent, end: firstToken }]
  const response: readonly Segment[] =
    totalMs > firstToken ? [{ kind: 'response', start: firstToken, end: totalMs }] : []
  return {
    stretches: [{ kind: 'route', start: 0, end: routed }, ...tries, ...response],
    totalMs,
    firstTokenMs: firstToken,
  }
}

function positionAttempts(
  attempts: readonly Attempt[],
  routed: number,
  sent: number,
  firstToken: number,
): readonly Segment[] {
  const placed: Segment[] = []
  let next = sent
  for (const attempt of attempts.toReversed()) {
    const isLast = placed.length === 0
    const start = isLast ? sent : Math.max(routed, next - Math.max(0, attempt.ms))
    placed.unshift({ kind: 'attempt', start, end: isLast ? firstToken : next, attempt })
    next = start
  }
  return placed
}

/** Round marks for the time axis, from zero on, at most `most` besides it. */
export function ticksOf(totalMs: number, limit = 5): readonly number[] {
  if (totalMs <= 0) return [0]
  const step = roundSteps.find((size) => size * limit >= totalMs) ?? totalMs
  return Array.from({ length: Math.floor(totalMs / step) + 1 }, (_, index) => index * step)
}

const second = 1000
const minute = 60 * second
/** Steps people count in: tens of milliseconds, then seconds and minutes by the clock. */
const roundSteps = [
  ...[1, 10, 100].flatMap((power) => [power, 2 * power, 5 * power]),
  ...[1, 2, 5, 10, 20, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 20, 30, 60].map((count) => count * minute),
]
