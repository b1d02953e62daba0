import { type Program, query } from '../../program.ts'
import type { Quota } from '../../units.ts'
import { readUserSums } from './read-user-sums.ts'
import { rowsByModel, type SpendTimes, summed } from './spend-rows.ts'
import {
  type Figures,
  figureAt,
  inOrder,
  partInOrder,
  type UserFigures,
  type UserSumsMemory,
} from './user-sums.ts'

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
  const users = yield* readUserSums(times, models, columns, memory)
  return {
    models: models.slice(0, columns),
    rows: partInOrder(users, offset, limit).map(({ userId, figures }) => ({
      userId,
      ...readable(figures),
    })),
    total: {
      users: users.length,
      ...readable(sumOf(users, figureAt.models + Math.min(columns, models.length))),
    },
  }
}

/** Reads the ids of the users who spent something, those who spent most first. */
export function* readSpenders(times: SpendTimes, memory: UserSumsMemory): Program<Float64Array> {
  const users = yield* readUserSums(times, [], 0, memory)
  return Float64Array.from(inOrder(users), ({ userId }) => userId)
}

function readable(figures: Figures): SpendFigures {
  return {
    count: figures[figureAt.count] ?? 0,
    tokens: figures[figureAt.tokens] ?? 0,
    quota: figures[figureAt.quota] ?? 0,
    byModel: figures.slice(figureAt.models),
  }
}

function sumOf(users: readonly UserFigures[], length: number): Figures {
  const sum: Figures = Array.from({ length }, () => 0)
  for (const { figures } of users)
    for (let index = 0; index < length; index += 1) sum[index] = (sum[index] ?? 0) + (figures[index] ?? 0)
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
