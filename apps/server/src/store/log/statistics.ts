import { endOfTime } from '@tollgate/api/calendar'
import { logTypes } from '@tollgate/api/roles'
import { type Program, query } from '../program.ts'
import type { Quota, Seconds } from '../units.ts'
import type { GroupUsage } from './group-usage.ts'
import type { MarginQuery, Margins } from './margins.ts'
import {
  type Fragment,
  hoursOf,
  oneStretch,
  rowsOfStretch,
  type Stretch,
  splitQuarters,
} from './quarters/split-hours.ts'
import { StepSums, type UsageBucket } from './quarters/step-sums.ts'
import type { SavedSpan } from './spend/saved-sums.ts'
import type { SpendLines } from './spend/spend-lines.ts'
import type { SpendPage, SpendQuery } from './spend/spend-page.ts'
import type { SpendTimes } from './spend/spend-rows.ts'

/** A time of whole quarters, in steps; see `Stretch`. */
export type StatisticsRange = Stretch

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

/** Sums by hour and quarter, which every flush adds to: the figures of charts and summaries. */
export interface StatisticsRepository {
  /** Lists usage by step and model, of all users or of one. */
  list(range: StatisticsRange, userId?: number): Promise<UsageBucket[]>
  /** Charges beside costs, those charged most first; see `MarginQuery`. */
  margins(query: MarginQuery): Promise<Margins>
  /** Reads what calls, of some models or of all, came to in each group since the quarter `since`. */
  groupUsage(since: Seconds, models?: readonly string[]): Promise<readonly GroupUsage[]>
  /** Since the quarter `since` until now; the models with most calls first. */
  modelTotals(since: Seconds, today: Seconds, userId?: number): Promise<ModelTotal[]>
  /** Some of the users who spent something, those who spent most first, and the sum of all. */
  spend(query: SpendQuery): Promise<SpendPage>
  /** Ids of all of them, in that order. */
  spenders(times: SpendTimes): Promise<Float64Array>
  /** Saves what users spent in a time, so that the first `spend` of a node that starts adds to it. @param columns see `SpendQuery` */
  saveSpend(span: SavedSpan, times: SpendTimes, columns: number): Promise<void>
  /** Reads the spending of some users, in their order, by model. */
  spendLines(times: SpendTimes, userIds: Float64Array): Promise<SpendLines>
}

const { consumption, error } = logTypes

/** Sums by step and model, of all users or of one. */
export function* readUsageBuckets(range: StatisticsRange, userId?: number): Program<UsageBucket[]> {
  const sums = new StepSums(range)
  for (const row of yield* readHours(range, userId)) sums.addHour(row)
  const split = splitQuarters(range)
  if (split.length > 0) for (const row of yield* readQuarters(split, userId)) sums.moveQuarter(row)
  return sums.buckets()
}

const figuresAt = (at: string) =>
  `${at} as at, model, count, quota, prompt_tokens + completion_tokens as tokens`

function* readHours(range: StatisticsRange, userId: number | undefined): Program<readonly UsageBucket[]> {
  const known = yield* knownHours()
  if (known === undefined) return []
  if (userId === undefined)
    return yield* query<UsageBucket>(
      `select ${figuresAt('hour')} from usage_by_model
        where type = ${consumption} and hour >= ? and hour < ? order by hour, model`,
      [range.from, range.end],
    )
  const hours = hoursOf(range, ...known)
  return yield* query<UsageBucket>(
    `${hours.sql} select ${figuresAt('usage.hour')} from hours cross join usage_hourly as usage
      where usage.hour = hours.hour and type = ${consumption} and user_id = ?`,
    [...hours.parameters, userId],
  )
}

function* readQuarters(
  quarters: readonly Seconds[],
  userId: number | undefined,
): Program<readonly UsageBucket[]> {
  const those = `type = ${consumption} and quarter in (${quarters.map(() => '?').join(', ')})`
  return userId === undefined
    ? yield* query<UsageBucket>(
        `select ${figuresAt('quarter')} from usage_by_model_quarters where ${those}`,
        quarters,
      )
    : yield* query<UsageBucket>(
        `select ${figuresAt('quarter')} from usage_quarters where ${those} and user_id = ?`,
        [...quarters, userId],
      )
}

const since = (column: string, type: number, name: string) =>
  `cast(sum(case when type = ${type} then ${column} else 0 end) as bigint) as ${name}`

const totals = [
  since('count', consumption, 'count'),
  since('count', error, 'errors'),
  since('quota', consumption, 'quota'),
  since('prompt_tokens + completion_tokens', consumption, 'tokens'),
].join(', ')

interface Total {
  readonly model: string
  readonly count: number
  readonly errors: number
  readonly quota: number
  readonly tokens: number
}

export function* readModelTotals(from: Seconds, today: Seconds, userId?: number): Program<ModelTotal[]> {
  const buffered = yield* readTotals(from, userId)
  const ofToday = new Map((yield* readTotals(today, userId)).map((total) => [total.model, total]))
  return buffered.map((total) => {
    const now = ofToday.get(total.model)
    return {
      ...total,
      todayCount: now?.count ?? 0,
      todayErrors: now?.errors ?? 0,
      todayQuota: now?.quota ?? 0,
      todayTokens: now?.tokens ?? 0,
    }
  })
}

function* readTotals(from: Seconds, userId: number | undefined): Program<readonly Total[]> {
  const known = yield* knownHours()
  if (known === undefined) return []
  const stretch = oneStretch(from, endOfTime)
  const hours = userId === undefined ? noFragment : hoursOf(stretch, ...known)
  const rows = userId === undefined ? totalsOfAll(stretch) : totalsOfUser(stretch, userId)
  const found = yield* query<Total>(
    `${hours.sql} select model, ${totals} from ${rows.sql} as usage group by model order by 2 desc, model`,
    [...hours.parameters, ...rows.parameters],
  )
  return found.filter(({ count, errors, quota }) => count !== 0 || errors !== 0 || quota !== 0)
}

const noFragment: Fragment = { sql: '', parameters: [] }
const totalColumns = {
  key: ['type', 'model'],
  sums: ['count', 'quota', 'prompt_tokens', 'completion_tokens'],
} as const
const selectTotals = `select ${[...totalColumns.key, ...totalColumns.sums].join(', ')}`
const counted = `type in (${consumption}, ${error})`

function totalsOfAll(stretch: Stretch): Fragment {
  return rowsOfStretch({
    stretch,
    ...totalColumns,
    rows: {
      sql: `${selectTotals} from usage_by_model where ${counted} and hour >= ? and hour < ?`,
      parameters: [stretch.from, stretch.end],
    },
    quarters: 'usage_by_model_quarters',
    only: { sql: counted, parameters: [] },
  })
}

function totalsOfUser(stretch: Stretch, userId: number): Fragment {
  return rowsOfStretch({
    stretch,
    ...totalColumns,
    rows: {
      sql: `${selectTotals} from hours cross join usage_hourly as usage
        where usage.hour = hours.hour and ${counted} and user_id = ?`,
      parameters: [userId],
    },
    quarters: 'usage_quarters',
    only: { sql: `${counted} and user_id = ?`, parameters: [userId] },
  })
}

/** The first and the last hour of which there are figures; `undefined` when there is none. */
function* knownHours(): Program<readonly [Seconds, Seconds] | undefined> {
  const [known] = yield* query<{ earliest: number | null; latest: number | null }>(
    `select min(hour) as earliest, max(hour) as latest from (
      select min(hour) as hour from usage_by_model where type = ${consumption}
      union all select max(hour) from usage_by_model where type = ${consumption}
      union all select min(hour) from usage_by_model where type = ${error}
      union all select max(hour) from usage_by_model where type = ${error}
    ) as ends`,
  )
  return known?.earliest == null || known.latest == null ? undefined : [known.earliest, known.latest]
}
