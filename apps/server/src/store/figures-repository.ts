import type { Quota, Seconds } from './entities.ts'

/** Hours of the rollups, taken together in steps. */
export interface StatisticsRange {
  /** Beginnings of hours; both inclusive. */
  readonly from: Seconds
  readonly to: Seconds
  readonly stepSeconds: number
  /** Seconds by which steps begin earlier than multiples of `stepSeconds` since 1970. */
  readonly shiftSeconds: number
}

/** Calls of one model within one step. */
export interface UsageBucket {
  /** Where the step begins. */
  readonly at: Seconds
  readonly model: string
  readonly count: number
  readonly quota: Quota
  readonly tokens: number
}

/** One model's calls over some days. `today…` is the part since a moment within them. */
export interface ModelTotal {
  readonly model: string
  readonly count: number
  readonly errors: number
  readonly quota: Quota
  readonly tokens: number
  readonly todayCount: number
  readonly todayErrors: number
  readonly todayQuota: Quota
  readonly todayTokens: number
}

export interface FailingChannel {
  readonly channelId: number
  readonly errors: number
  /** Calls that were charged to it in the same time. */
  readonly count: number
}

/** Sums by hour, which every flush adds to: what charts and summaries show. */
export interface StatisticsRepository {
  /** By step and model, of everybody or of one user. */
  list(range: StatisticsRange, userId?: number): Promise<UsageBucket[]>
  /** Since the hour `since` until now; the models with most calls first. */
  modelTotals(since: Seconds, today: Seconds, userId?: number): Promise<ModelTotal[]>
  /** Those with most failures first. */
  failingChannels(since: Seconds, until: Seconds, limit: number): Promise<FailingChannel[]>
}
