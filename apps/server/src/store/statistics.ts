import { logTypes } from '@tollgate/api/roles'
import { hours } from './hours.ts'
import type { MarginQuery, Margins } from './margins.ts'
import { type Program, query, type Value } from './program.ts'
import type { Quota, Seconds } from './units.ts'

/** Hours of the rollups, taken together in steps. */
export interface StatisticsRange {
  /** Starts of hours; both inclusive. */
  readonly from: Seconds
  readonly to: Seconds
  readonly stepSeconds: number
  /** Seconds by which steps start earlier than multiples of `stepSeconds` since 1970. */
  readonly shiftSeconds: number
}

/** Calls of one model within one step. */
export interface UsageBucket {
  /** Start of the step. */
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

/** What one user spent on one model. */
export interface SpendRow {
  readonly userId: number
  readonly model: string
  readonly count: number
  readonly quota: Quota
  readonly promptTokens: number
  readonly completionTokens: number
}

/** Sums by hour, which every flush adds to: the figures of charts and summaries. */
export interface StatisticsRepository {
  /** By step and model, of all users or of one. */
  list(range: StatisticsRange, userId?: number): Promise<UsageBucket[]>
  /** Charges beside costs, those charged most first; see `MarginQuery`. */
  margins(query: MarginQuery): Promise<Margins>
  /** Since the hour `since` until now; the models with most calls first. */
  modelTotals(since: Seconds, today: Seconds, userId?: number): Promise<ModelTotal[]>
  /** Of all users in the hours that start from `from` to `to`. */
  spend(from: Seconds, to: Seconds): Promise<readonly SpendRow[]>
}

const { consumption, error } = logTypes

/** Sums by step and model, of all users or of one. */
export function* readUsageBuckets(range: StatisticsRange, userId?: number): Program<UsageBucket[]> {
  const bounds = yield* knownHours(range.from, range.to)
  if (bounds === undefined) return []
  const figures = 'usage.hour as at, model, count, quota, prompt_tokens + completion_tokens as tokens'
  const rows =
    userId === undefined
      ? yield* query<UsageBucket>(
          `select ${figures} from usage_by_model as usage where type = ${consumption} and hour >= ? and hour <= ?
            order by hour, model`,
          bounds,
        )
      : yield* query<UsageBucket>(
          `${hours} select ${figures} from hours cross join usage_hourly as usage
            where usage.hour = hours.hour and type = ${consumption} and user_id = ? order by usage.hour, model`,
          [...bounds, userId],
        )
  return inSteps(rows, range)
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
  const bounds = yield* knownHours(from, Number.MAX_SAFE_INTEGER)
  if (bounds === undefined) return []
  return userId === undefined
    ? yield* query<Total>(
        `select model, ${totals} from usage_by_model where type in (${consumption}, ${error}) and hour >= ? and hour <= ?
          group by model order by 2 desc, model`,
        bounds,
      )
    : yield* query<Total>(
        `${hours} select model, ${totals} from hours cross join usage_hourly as usage
          where usage.hour = hours.hour and type in (${consumption}, ${error}) and user_id = ?
          group by model order by 2 desc, model`,
        [...bounds, userId],
      )
}

export function* readSpend(from: Seconds, to: Seconds): Program<readonly SpendRow[]> {
  const bounds = yield* knownHours(from, to)
  if (bounds === undefined) return []
  const sum = (column: string, name: string) => `cast(sum(${column}) as bigint) as "${name}"`
  return yield* query<SpendRow>(
    `select user_id as "userId", model, ${sum('count', 'count')}, ${sum('quota', 'quota')},
        ${sum('prompt_tokens', 'promptTokens')}, ${sum('completion_tokens', 'completionTokens')}
      from usage_hourly where type = ${consumption} and hour >= ? and hour <= ?
      group by user_id, model order by user_id, model`,
    bounds,
  )
}

const firstHour = (at: Seconds): Seconds => Math.ceil(at / 3600) * 3600

/** The part of a time for which there are figures, from its first complete hour; `undefined` when there is none. */
function* knownHours(
  from: Seconds,
  to: Seconds,
): Program<(readonly [Seconds, Seconds] & Value[]) | undefined> {
  const [known] = yield* query<{ least: number | null; most: number | null }>(
    `select min(hour) as least, max(hour) as most from (
      select min(hour) as hour from usage_by_model where type = ${consumption}
      union all select max(hour) from usage_by_model where type = ${consumption}
      union all select min(hour) from usage_by_model where type = ${error}
      union all select max(hour) from usage_by_model where type = ${error}
    ) as ends`,
  )
  if (known?.least == null || known.most == null) return undefined
  const first = Math.max(firstHour(from), known.least)
  const last = Math.min(to, known.most)
  return first > last ? undefined : [first, last]
}

/**
 * Hours grouped into steps. Done here because rows come in the order of time: a database would sort them again to group
 * them, which takes twice as long.
 * @param hours in the order of time
 */
function inSteps(
  hours: readonly UsageBucket[],
  { stepSeconds, shiftSeconds }: Pick<StatisticsRange, 'stepSeconds' | 'shiftSeconds'>,
): UsageBucket[] {
  const steps: UsageBucket[] = []
  let start = Number.NaN
  let byModel = new Map<string, Mutable>()
  for (const hour of hours) {
    const at = hour.at - ((hour.at + shiftSeconds) % stepSeconds)
    if (at !== start) {
      steps.push(...byModelName(byModel))
      start = at
      byModel = new Map()
    }
    const known = byModel.get(hour.model)
    if (known === undefined) byModel.set(hour.model, { ...hour, at })
    else add(known, hour)
  }
  steps.push(...byModelName(byModel))
  return steps
}

type Mutable = { -readonly [Name in keyof UsageBucket]: UsageBucket[Name] }

function add(sum: Mutable, { count, quota, tokens }: UsageBucket): void {
  sum.count += count
  sum.quota += quota
  sum.tokens += tokens
}

function byModelName(figures: ReadonlyMap<string, UsageBucket>): UsageBucket[] {
  return [...figures.values()].sort((a, b) => (a.model < b.model ? -1 : 1))
}
