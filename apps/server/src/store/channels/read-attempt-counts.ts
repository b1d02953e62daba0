import type { CallOutcome, CountedOutcome } from '@tollgate/api'
import { endOfTime } from '@tollgate/api/calendar'
import { getOrInsert } from '@tollgate/base'
import type { CountedKind } from '../log/quarters/counted-kinds.ts'
import { hoursOf, type Stretch, splitQuarters, stepOf } from '../log/quarters/split-hours.ts'
import { hourOf } from '../log/rows/charge-sums.ts'
import { type Program, query } from '../program.ts'
import type { Seconds } from '../units.ts'

/** Seconds that the rows of a rollup cover. Rows of hours begin with any quarter until that is over. */
export const countedSteps = { minute: 60, hour: 3600 } as const

/** Attempts at one channel. */
export interface AttemptsByChannel {
  readonly channelId: number
  readonly outcome: CountedOutcome
  readonly count: number
  /** Sum of the times to the first event, of those that succeeded. */
  readonly ms: number
}

/** Calls with one model. */
export interface CallsOfModel {
  readonly model: string
  readonly outcome: CallOutcome
  readonly isToday: boolean
  readonly count: number
}

/** Attempts with one model, at one channel. */
export interface AttemptsOfModel extends CallsOfModel {
  readonly channelId: number
}

export function* readAttemptsByChannel(since: Seconds): Program<readonly AttemptsByChannel[]> {
  const rows = yield* query<Omit<AttemptsByChannel, 'channelId'> & { id: number }>(
    `select id, outcome, cast(sum(count) as bigint) as count, cast(sum(ms) as bigint) as ms from attempt_counts
      where step = ${countedSteps.minute} and kind = 'channel' and starts_at >= ? and id > 0
      group by id, outcome`,
    [since],
  )
  return rows.map(({ id, ...figures }) => ({ channelId: id, ...figures }))
}

export function* readAttemptsAtChannels(since: Seconds, today: Seconds): Program<readonly AttemptsOfModel[]> {
  const stretch = todayAndBefore(since, today)
  const hours = yield* query<AttemptRow>(
    `select ${columns} from attempt_counts
      where step = ${countedSteps.hour} and kind = 'channel' and starts_at >= ?
      group by id, model, outcome, 4`,
    [today, since],
  )
  const attempts = attemptsOf(hours, yield* readQuarters(stretch, 'channel'))
  // Programs of before counted there what was refused before any attempt.
  return attempts.filter(({ channelId }) => channelId !== 0)
}

/** Looks up hour by hour: the key of the table starts with the hour, so that writes are at its end. */
export function* readCallCounts(
  kind: Exclude<CountedKind, 'channel'>,
  since: Seconds,
  today: Seconds,
  id: number,
): Program<readonly CallsOfModel[]> {
  const stretch = todayAndBefore(since, today)
  const [known] = yield* query<{ earliest: number | null; latest: number | null }>(
    `select min(starts_at) as earliest, max(starts_at) as latest from attempt_counts
      where step = ${countedSteps.hour} and kind = ? and starts_at >= ?`,
    [kind, since],
  )
  const hours = hoursOf(stretch, known?.earliest ?? 0, known?.latest ?? -1)
  const rows = yield* query<AttemptRow>(
    `${hours.sql} select ${columns} from hours cross join attempt_counts
      where step = ${countedSteps.hour} and kind = ? and starts_at = hours.hour and id = ?
      group by id, model, outcome, 4`,
    [...hours.parameters, today, kind, id],
  )
  const calls = attemptsOf(rows, yield* readQuarters(stretch, kind, id))
  return calls.map(({ channelId: _id, ...call }) => call)
}

/** Calls with one model that ended so within one step. */
export interface CallsInStep {
  /** Index of the step. */
  readonly step: number
  readonly model: string
  readonly outcome: CallOutcome
  readonly count: number
}

/** Sums up everybody's calls by step, model and outcome: here, because a database would sort hundreds of thousands of rows for it. */
export function* readCallSteps(stretch: Stretch): Program<readonly CallsInStep[]> {
  const sums = new Map<string, { -readonly [Name in keyof CallsInStep]: CallsInStep[Name] }>()
  const add = (step: number, { model, outcome }: StepRow, count: number) => {
    if (step < 0) return
    const key = `${step} ${outcome} ${model}`
    getOrInsert(sums, key, () => ({ step, model, outcome, count: 0 })).count += count
  }
  const hours = yield* query<StepRow>(
    `select starts_at as at, model, outcome, count from attempt_counts
      where step = ${countedSteps.hour} and kind = 'calls' and starts_at >= ? and starts_at < ? and id = 0`,
    [stretch.from, stretch.end],
  )
  for (const row of hours) add(stepOf(stretch, row.at), row, row.count)
  const split = splitQuarters(stretch)
  if (split.length > 0) {
    const quarters = yield* query<StepRow>(
      `select quarter as at, model, outcome, count from attempt_quarters
        where kind = 'calls' and quarter in (${questionMarks(split)}) and id = 0`,
      split,
    )
    for (const row of quarters) {
      add(stepOf(stretch, row.at), row, row.count)
      add(stepOf(stretch, hourOf(row.at)), row, -row.count)
    }
  }
  return [...sums.values()].filter(({ count }) => count !== 0)
}

interface StepRow {
  readonly at: Seconds
  readonly model: string
  readonly outcome: CallOutcome
  readonly count: number
}

/** Callers of some models, by what everybody's calls of a time add up to. */
export interface Callers {
  readonly users: number
  readonly calls: number
}

/** Query of callers: calls with these models, by users who are in these groups or have a key in them. */
export interface CallerQuery {
  /** A quarter of an hour. */
  readonly since: Seconds
  /** As keys of rollups have them; at least one. */
  readonly models: readonly string[]
  /** At least one. */
  readonly groups: readonly string[]
  /** Leaves out users who are in one of these groups themselves. */
  readonly guestsOnly?: boolean
}

export function* readCallers({ since, models, groups, guestsOnly = false }: CallerQuery): Program<Callers> {
  const split = splitQuarters({ from: since, end: endOfTime, starts: [since] })
  const calledModels = `model in (${questionMarks(models)})`
  const inGroups = `"group" in (${questionMarks(groups)})`
  const taken =
    split.length === 0
      ? ''
      : `union all select id, count from attempt_quarters
          where kind = 'user-calls' and quarter in (${questionMarks(split)}) and ${calledModels}`
  const [sums] = yield* query<Callers>(
    `select cast(count(distinct calls.id) as bigint) as users, cast(coalesce(sum(calls.count), 0) as bigint) as calls
      from (select id, count from attempt_counts
        where step = ${countedSteps.hour} and kind = 'user-calls' and starts_at >= ? and ${calledModels} ${taken}) as calls
      join users on users.id = calls.id
      where ${guestsOnly ? 'not' : ''} users.${inGroups} ${guestsOnly ? 'and' : 'or'} exists (select 1 from tokens
        where tokens.user_id = calls.id and tokens.deleted_at is null and tokens.${inGroups})`,
    [since, ...models, ...(split.length === 0 ? [] : [...split, ...models]), ...groups, ...groups],
  )
  return sums ?? { users: 0, calls: 0 }
}

function questionMarks(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ')
}

interface AttemptRow {
  readonly id: number
  readonly model: string
  readonly outcome: CallOutcome
  /** 1 for those of today. */
  readonly today: number
  readonly count: number
}

const columns = `id, model, outcome, case when starts_at >= ? then 1 else 0 end as today,
  cast(sum(count) as bigint) as count`

function todayAndBefore(since: Seconds, today: Seconds): Stretch {
  return { from: since, end: endOfTime, starts: since < today ? [since, today] : [since] }
}

/** What of hours that a day splits belongs to the day after the split, and no longer to the time before it. */
function* readQuarters(stretch: Stretch, kind: CountedKind, id?: number): Program<readonly AttemptRow[]> {
  const split = splitQuarters(stretch)
  if (split.length === 0) return []
  const rows = yield* query<Omit<AttemptRow, 'today'> & { quarter: number }>(
    `select quarter, id, model, outcome, count from attempt_quarters
      where kind = ? and quarter in (${split.map(() => '?').join(', ')}) ${id === undefined ? '' : 'and id = ?'}`,
    [kind, ...split, ...(id === undefined ? [] : [id])],
  )
  return rows.flatMap(({ quarter, count, ...row }) => {
    const there = { ...row, today: todayOf(stretch, quarter), count }
    return stepOf(stretch, hourOf(quarter)) < 0
      ? [there]
      : [there, { ...row, today: todayOf(stretch, hourOf(quarter)), count: -count }]
  })
}

const todayOf = (stretch: Stretch, at: Seconds) => (at >= (stretch.starts.at(-1) ?? stretch.from) ? 1 : 0)

function attemptsOf(hours: readonly AttemptRow[], quarters: readonly AttemptRow[]): AttemptsOfModel[] {
  if (quarters.length === 0) return hours.map(attemptOf)
  const sums = new Map<string, AttemptRow>()
  for (const row of [...hours, ...quarters]) {
    const key = `${row.today} ${row.id} ${row.outcome} ${row.model}`
    sums.set(key, { ...row, count: row.count + (sums.get(key)?.count ?? 0) })
  }
  return [...sums.values()].filter(({ count }) => count !== 0).map(attemptOf)
}

const attemptOf = ({ id, today, ...row }: AttemptRow): AttemptsOfModel => ({
  ...row,
  channelId: id,
  isToday: today === 1,
})
