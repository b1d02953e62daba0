import { hourSeconds } from '@tollgate/api/calendar'
import { logTypes } from '@tollgate/api/roles'
import { type Program, query } from '../../program.ts'
import { hourOf } from '../rows/charge-sums.ts'
import { readSavedSums } from './saved-sums.ts'
import { rowsByModel, rowsByUser, type SpendTimes, summed } from './spend-rows.ts'
import { stepsOf } from './spend-steps.ts'
import {
  addFigures,
  bothOf,
  type Figures,
  figureAt,
  type UserFigures,
  type UserSums,
  type UserSumsMemory,
} from './user-sums.ts'

/** Calls may still be added to hours as near to the last one. */
const openSeconds = hourSeconds

/** Models with a figure more than are wanted: the order of the dearest may change without a scan. */
const spareModels = 2

/** Figures of all users, in no order, and the models that have a figure. */
export interface AllFigures {
  readonly users: readonly UserFigures[]
  readonly models: readonly string[]
}

/**
 * Reads what each user spent in a time.
 * @param models of the time, dearest first
 * @param columns so many of them have a figure of their own, and some more may
 * @param memory of the times before: what they share with this one is not scanned again
 */
export function* readUserSums(
  times: SpendTimes,
  models: readonly string[],
  columns: number,
  memory: UserSumsMemory,
): Program<AllFigures> {
  const sums = yield* closedSums(times, models, columns, memory)
  const tail = new Map(yield* figuresOf({ from: sums.times.end, end: times.end }, sums.models))
  if (sums.corrections !== undefined) memory.put(sums)
  const users: UserFigures[] = []
  for (const [userId, figures] of allOf(sums.users, tail))
    if (figures[figureAt.count] !== 0 || figures[figureAt.quota] !== 0) users.push({ userId, figures })
  return { users, models: sums.models }
}

/** Reads the sums of the part of a time to which no call is added any more, as `readUserSums` does. They belong to the caller. */
export function* closedSums(
  times: SpendTimes,
  models: readonly string[],
  columns: number,
  memory: UserSumsMemory,
): Program<UserSums> {
  const closed = { from: times.from, end: yield* endOfClosed(times) }
  return (
    (yield* knownSums(closed, models.slice(0, columns), memory)) ?? {
      users: yield* scanned(closed, models.slice(0, columns + spareModels)),
      times: closed,
      models: models.slice(0, columns + spareModels),
      corrections: yield* correctionsIn(),
    }
  )
}

function* allOf(
  users: ReadonlyMap<number, Figures>,
  tail: ReadonlyMap<number, Figures>,
): Generator<readonly [number, Figures]> {
  for (const [userId, figures] of users) yield [userId, bothOf(figures, tail.get(userId))]
  for (const [userId, figures] of tail) if (!users.has(userId)) yield [userId, figures]
}

/** The end of the part to which no call is added any more, but for late ones. */
function* endOfClosed({ from, end }: SpendTimes): Program<number> {
  const [newest] = yield* query<{ hour: number | null }>(
    `select max(hour) as hour from usage_by_model where type = ${logTypes.consumption}`,
  )
  const closed = hourOf(newest?.hour ?? 0) - openSeconds
  return Math.max(from, Math.min(end, closed))
}

/** Remembered sums, else saved ones, brought to another time; `undefined` where a scan is sooner done, or charges have changed. */
function* knownSums(
  times: SpendTimes,
  models: readonly string[],
  memory: UserSumsMemory,
): Program<UserSums | undefined> {
  const isUsable = (sums: Pick<UserSums, 'times' | 'models'>) =>
    isNear(sums, times) && models.every((model) => sums.models.includes(model))
  const known = memory.take(isUsable) ?? (yield* readSavedSums(isUsable, (saved) => distance(saved, times)))
  if (known === undefined || known.corrections !== (yield* correctionsIn()) || !(yield* isCurrent(known)))
    return undefined
  for (const { sign, ...part } of differences(known.times, times))
    for (const step of yield* stepsOf(part))
      addFigures(known.users, yield* figuresOf(step, known.models), sign)
  return { ...known, times }
}

/** Compares two times: the sums of one are made from those of the other where they differ in less than half. */
function isNear({ times }: Pick<UserSums, 'times'>, wanted: SpendTimes): boolean {
  return distance(times, wanted) <= (wanted.end - wanted.from) / 2
}

/** Returns how much of two times is not of both, in seconds. */
function distance(one: SpendTimes, other: SpendTimes): number {
  return Math.abs(one.from - other.from) + Math.abs(one.end - other.end)
}

interface Difference extends SpendTimes {
  readonly sign: 1 | -1
}

/** Returns what has to be added to one time and subtracted from it to make the other. */
function differences(known: SpendTimes, wanted: SpendTimes): Difference[] {
  const parts: Difference[] = [
    { sign: 1, from: wanted.from, end: known.from },
    { sign: -1, from: known.from, end: wanted.from },
    { sign: 1, from: known.end, end: wanted.end },
    { sign: -1, from: wanted.end, end: known.end },
  ]
  return parts.filter(({ from, end }) => from < end)
}

/** Compares the sums with those of all users together, to which each late call and each correction adds. */
function* isCurrent({ times, users }: UserSums): Program<boolean> {
  const rows = rowsByModel(times)
  const [total] = yield* query<{ count: number | null; tokens: number | null; quota: number | null }>(
    `select ${summed('count', 'count')}, ${summed('prompt_tokens + completion_tokens', 'tokens')},
      ${summed('quota', 'quota')} from ${rows.sql} as usage`,
    rows.parameters,
  )
  const sum = [0, 0, 0]
  for (const figures of users.values())
    for (let index = 0; index < sum.length; index += 1) sum[index] = (sum[index] ?? 0) + (figures[index] ?? 0)
  return [total?.count, total?.tokens, total?.quota].every((value, index) => (value ?? 0) === sum[index])
}

/**
 * Changes with every correction of charges, which may move money between users without changing the total; `undefined` while one is
 * under way.
 */
function* correctionsIn(): Program<string | undefined> {
  const rows = yield* query<{ under_way: number; number: number; at: number }>(
    `select case when state in ('applied', 'taken-back') then 0 else 1 end as under_way, count(*) as number,
        cast(sum(ended_at + taken_back_at) as bigint) as at
      from corrections group by 1 order by 1`,
  )
  return rows.some((row) => row.under_way === 1) ? undefined : JSON.stringify(rows)
}

function* scanned(times: SpendTimes, models: readonly string[]): Program<Map<number, Figures>> {
  const users = new Map<number, Figures>()
  for (const step of yield* stepsOf(times)) addFigures(users, yield* figuresOf(step, models), 1)
  return users
}

function* figuresOf(
  times: SpendTimes,
  models: readonly string[],
): Program<readonly (readonly [number, Figures])[]> {
  if (times.from >= times.end) return []
  const rows = rowsByUser(times)
  const names = models.map((_, index) => `m${index}`)
  const columns = [
    summed('count', 'count'),
    summed('prompt_tokens + completion_tokens', 'tokens'),
    summed('quota', 'quota'),
    ...names.map((name) => summed('case when model = ? then quota else 0 end', name)),
  ]
  const found = yield* query<Record<string, number>>(
    `select user_id as "userId", ${columns.join(', ')} from ${rows.sql} as usage group by user_id`,
    [...models, ...rows.parameters],
  )
  return found.map((row) => [
    row['userId'] ?? 0,
    ['count', 'tokens', 'quota', ...names].map((name) => row[name] ?? 0),
  ])
}
