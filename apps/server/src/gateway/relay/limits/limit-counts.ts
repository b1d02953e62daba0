/** Measure of a limit: requests and tokens of a window, or calls in service. */
export type Measure = 'requests' | 'tokens' | 'concurrency'

/** Demand of a call on one limit. */
export interface Demand {
  /** Subject of the limit: `key 7`, `model gpt-4o`. */
  readonly subject: string
  readonly measure: Measure
  readonly limit: number
  /** Amount that the call takes; never more than `limit`, or it would never pass. */
  readonly amount: number
  /** Length of the sliding window; a minute when absent. Without meaning for `concurrency`. */
  readonly windowSeconds?: number
}

/** Use of a limit, by which the caller's programs pace themselves. */
export interface LimitStatus {
  readonly measure: Measure
  readonly limit: number
  readonly remaining: number
  /** Seconds until the limit is unused again, without further calls. */
  readonly resetSeconds: number
}

/** Demands that were taken, to be settled once. */
export interface Taken {
  readonly demands: readonly Demand[]
  /** Number of the window that each demand was counted in. */
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

/** Outcome of a call that took them. */
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
}

/** The demands of a call one by one, to be settled each by its own outcome. */
export function eachOf({ demands, windows }: Taken): Taken[] {
  return demands.map((demand, index) => ({ demands: [demand], windows: windows.slice(index, index + 1) }))
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

/** Returns the amount of a demand that counts once its call is over. */
export function usedOf({ measure, amount }: Demand, { tokens, refused }: Outcome): number {
  if (refused) return 0
  return measure === 'tokens' ? tokens : amount
}

export function waitSeconds(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1000))
}
