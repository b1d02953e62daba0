/** What is counted: requests and tokens of a window, or calls that are being served. */
export type Measure = 'requests' | 'tokens' | 'concurrency'

/** What a call needs of one limit. */
export interface Demand {
  /** What is limited: `key 7`, `model gpt-4o`. */
  readonly subject: string
  readonly measure: Measure
  readonly limit: number
  /** How much of it the call takes; never more than `limit`, or it would never pass. */
  readonly amount: number
  /** Length of the sliding window; a minute when absent. Without meaning for `concurrency`. */
  readonly windowSeconds?: number
}

/** How far a limit is used, for the caller's programs to pace themselves. */
export interface LimitStatus {
  readonly measure: Measure
  readonly limit: number
  readonly remaining: number
  /** Seconds until the limit is unused again, without further calls. */
  readonly resetSeconds: number
}

/** What was taken, to be settled once. */
export interface Taken {
  readonly demands: readonly Demand[]
  /** For each demand, the number of the window that it was counted in. */
  readonly windows: readonly number[]
}

export type Verdict =
  | { readonly granted: true; readonly taken: Taken; readonly limitStatuses: readonly LimitStatus[] }
  | {
      readonly granted: false
      /** The one that refuses. */
      readonly demand: Demand
      readonly retryAfterSeconds: number
      readonly limitStatuses: readonly LimitStatus[]
    }

/** What became of what was taken. */
export interface Outcome {
  /** Tokens that the call used; 0 for one that was not charged. */
  readonly tokens: number
  /** It was refused elsewhere: nothing of it counts. */
  readonly refused: boolean
}

/** Counts of what limits bound. */
export interface LimitCounts {
  /** Takes all of them or, when one is used up, none. */
  take(demands: readonly Demand[]): Verdict | Promise<Verdict>
  /** Frees the slots of a call that is over, and counts the tokens that it used instead of those it might. */
  settle(taken: Taken, outcome: Outcome): void
  /** Seconds until the demand can be met; 0 when it can be now. Takes nothing. */
  secondsUntil(demand: Demand): number | Promise<number>
  /** Counts what has happened already, whether the limit has room for it or not. */
  add(demand: Demand): void
}

/** Identifies what a demand is counted under. */
export function keyOf({ subject, measure, windowSeconds }: Demand): string {
  return windowSeconds === undefined ? `${subject} ${measure}` : `${subject} ${measure} ${windowSeconds}`
}

export function windowMsOf({ windowSeconds = 60 }: Demand): number {
  return windowSeconds * 1000
}

/** A guess of when a slot becomes free: nobody knows when a call ends. */
export const slotWaitMs = 1000

/** How much of a demand counts once its call is over. */
export function usedOf({ measure, amount }: Demand, { tokens, refused }: Outcome): number {
  if (refused) return 0
  return measure === 'tokens' ? tokens : amount
}

export function waitSeconds(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1000))
}
