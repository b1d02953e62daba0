import { type Program, query } from '../../program.ts'
import type { Quota } from '../../units.ts'
import { type AllFigures, closedSums, readUserSums } from './read-user-sums.ts'
import { type PackedSums, packSums } from './saved-sums.ts'
import { rowsByModel, type SpendTimes, summed } from './spend-rows.ts'
import { type Figures, figureAt, inOrder, partInOrder, type UserSumsMemory } from './user-sums.ts'

/** Window of the users who spent something in a time. */
export interface SpendQuery extends SpendTimes {
  readonly offset: number
  readonly limit: number
  /** Most models with a column of their own. */
  readonly columns: number
}

/** Sums of one user, or of all. */
export interface SpendFigures {
  readonly count: number
  readonly tokens: number
  readonly quota: Quota
  /** Quota of each of the models with a column. */
  readonly byModel: readonly Quota[]
}

/** Page of users with what they spent. */
export interface SpendPage {
  /** Those with a column, dearest first. */
  readonly models: readonly string[]
  /** Those who spent most first. */
  readonly rows: readonly (SpendFigures & { readonly userId: number })[]
  /** Sum of all users. */
  readonly total: SpendFigures & { readonly users: number }
}

/** Reads a page of users. @param memory of the thread that reads */
export function* readSpendPage(
  { offset, limit, columns, ...times }: SpendQuery,
  memory: UserSumsMemory,
): Program<SpendPage> {
  const models = yield* readModels(times)
  const all = yield* readUserSums(times, models, columns, memory)
  const visible = models.slice(0, columns)
  const indexes = visible.map((model) => figureAt.models + all.models.indexOf(model))
  return {
    models: visible,
    rows: partInOrder(all.users, offset, limit).map(({ userId, figures }) => ({
      userId,
      ...readable(figures, indexes),
    })),
    total: { users: all.users.length, ...readable(sumOf(all), indexes) },
  }
}

/** Reads the ids of the users who spent something, those who spent most first. */
export function* readSpenders(times: SpendTimes, memory: UserSumsMemory): Program<Float64Array> {
  const { users } = yield* readUserSums(times, [], 0, memory)
  return Float64Array.from(inOrder(users), ({ userId }) => userId)
}

/** Reads the sums of a time that are saved for nodes that start; `undefined` while corrections are under way. */
export function* readSumsToSave(
  times: SpendTimes,
  columns: number,
  memory: UserSumsMemory,
): Program<PackedSums | undefined> {
  const sums = yield* closedSums(times, yield* readModels(times), columns, memory)
  const packed = packSums(sums)
  if (packed !== undefined) memory.put(sums)
  return packed
}

/** @param indexes of the figures of the models with a column */
function readable(figures: Figures, indexes: readonly number[]): SpendFigures {
  return {
    count: figures[figureAt.count] ?? 0,
    tokens: figures[figureAt.tokens] ?? 0,
    quota: figures[figureAt.quota] ?? 0,
    byModel: indexes.map((index) => figures[index] ?? 0),
  }
}

function sumOf({ users, models }: AllFigures): Figures {
  const sum: Figures = Array.from({ length: figureAt.models + models.length }, () => 0)
  for (const { figures } of users)
    for (let index = 0; index < sum.length; index += 1) sum[index] = (sum[index] ?? 0) + (figures[index] ?? 0)
  return sum
}

/** Models with calls or charges, dearest first. */
function* readModels(times: SpendTimes): Program<readonly string[]> {
  const rows = rowsByModel(times)
  const found = yield* query<{ model: string; count: number; quota: number }>(
    `select model, ${summed('count', 'count')}, ${summed('quota', 'quota')} from ${rows.sql} as usage group by model`,
    rows.parameters,
  )
  return found
    .filter(({ count, quota }) => count !== 0 || quota !== 0)
    .toSorted((a, b) => b.quota - a.quota || (a.model < b.model ? -1 : 1))
    .map(({ model }) => model)
}
