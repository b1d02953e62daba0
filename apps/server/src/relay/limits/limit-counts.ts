/** What is counted: requests and tokens of a minute, or calls that are being served. */
export type Measure = 'requests' | 'tokens' | 'concurrency'

/** What a call asks of one limit. */
export interface Demand {
  /** Who or what is limited: `token 7`, `model gpt-4o`. */
  readonly subject: string
  readonly measure: Measure
  readonly limit: number
  /** How much of it the call takes; never more than `limit`, or it would never pass. */
  readonly amount: number
}

/** How far a limit is used, for the caller's programs to pace themselves. */
export interface LimitStatus {
  readonly measure: Measure
  readonly limit: number
  readonly remaining: number
  /** Whole seconds until nothing of it is used any more, if nobody calls. */
  readonly resetSeconds: number
}

/** What was taken, to be settled once. */
export interface Taken {
  readonly demands: readonly Demand[]
  /** Number of the minute it was counted in. */
  readonly minute: number
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

/** Counts of what limits bound. Nodes that share a store share the counts: one round trip to take, one to settle. */
export interface LimitCounts {
  /** Takes all of them or, when one is used up, none. */
  take(demands: readonly Demand[]): Verdict | Promise<Verdict>
  /** The call is over: its slots are free again, and its tokens are what it used. */
  settle(taken: Taken, outcome: Outcome): void
}
