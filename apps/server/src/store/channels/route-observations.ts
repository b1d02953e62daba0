import type { CountedOutcome } from '@tollgate/api'
import { logTypes } from '@tollgate/api/roles'
import { type Program, query } from '../program.ts'
import type { Seconds } from '../units.ts'
import { countedSteps } from './read-attempt-counts.ts'

/** Attempts with one model at one channel, by outcome. */
export interface ObservedAttempts {
  readonly channelId: number
  readonly model: string
  readonly outcome: CountedOutcome
  readonly count: number
  /** Sum of the times to the first event, of those that succeeded. */
  readonly ms: number
}

/** Tokens of the charged calls of one model. */
export interface ObservedTokens {
  readonly model: string
  readonly calls: number
  readonly promptTokens: number
  readonly completionTokens: number
}

/** Outcomes of calls, from the hourly rollups. */
export interface RouteObservations {
  readonly attempts: readonly ObservedAttempts[]
  readonly tokens: readonly ObservedTokens[]
}

export function* readRouteObservations(since: Seconds): Program<RouteObservations> {
  const attempts = yield* query<ObservedAttempts>(
    `select id as "channelId", model, outcome, cast(sum(count) as bigint) as count, cast(sum(ms) as bigint) as ms
      from attempt_counts
      where step = ${countedSteps.hour} and kind = 'channel' and starts_at >= ? and id > 0
      group by id, model, outcome`,
    [since],
  )
  const tokens = yield* query<ObservedTokens>(
    `select model, cast(sum(count) as bigint) as calls, cast(sum(prompt_tokens) as bigint) as "promptTokens",
        cast(sum(completion_tokens) as bigint) as "completionTokens"
      from usage_by_model where type = ? and hour >= ? group by model`,
    [logTypes.consumption, since],
  )
  return { attempts, tokens }
}
