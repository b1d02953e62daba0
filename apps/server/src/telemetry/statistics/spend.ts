import type { Language, SpendTable } from '@tollgate/api'
import { quartersOf } from '@tollgate/api/calendar'
import type { SettingValues } from '@tollgate/api/settings'
import { type Clock, getOrInsert, unixSeconds } from '@tollgate/base'
import type { Ledger } from '../../billing/ledger-types.ts'
import { byteOrderMark, csvLine } from '../../lib/csv.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import type { User } from '../../store/accounts/users.ts'
import type { SpendRow, StatisticsRepository } from '../../store/log/statistics.ts'
import type { Quota } from '../../store/units.ts'

export interface SpendTimes {
  readonly start_timestamp?: number | undefined
  readonly end_timestamp?: number | undefined
}

interface Dependencies {
  readonly statistics: Pick<StatisticsRepository, 'spend'>
  readonly users: {
    listByIds(ids: readonly number[]): Promise<ReadonlyMap<number, Pick<User, 'username'>>>
  }
  readonly ledger: Pick<Ledger, 'flush'>
  readonly settings: SettingsReader
  readonly clock: Clock
}

/** Spending of users on models, from the hourly sums. */
export interface Spend {
  /** One page of users. */
  table(times: SpendTimes, page: { readonly offset: number; readonly limit: number }): Promise<SpendTable>
  /** CSV: a line per user and model. */
  export(times: SpendTimes, language: Language): AsyncIterable<string>
}

const secondsPerDay = 86_400
const defaultDays = 30
const maxDays = 366
/** Models with a column of their own. */
const maxModels = 6
/** Users whose lines are built at once. */
const exportedUsers = 200

export function createSpend({ statistics, users, ledger, settings, clock }: Dependencies): Spend {
  async function read({ start_timestamp, end_timestamp }: SpendTimes): Promise<UserSpend[]> {
    const to = Math.min(end_timestamp || unixSeconds(clock), Number.MAX_SAFE_INTEGER)
    const from = Math.max(0, start_timestamp || to - defaultDays * secondsPerDay)
    if (to - from > maxDays * secondsPerDay) throw new Refusal('data_range_over_year')
    await ledger.flush()
    const { from: first, end } = quartersOf({ from, to })
    return byUser(await statistics.spend(first, end))
  }

  async function namesOf(rows: readonly UserSpend[]): Promise<(row: UserSpend) => string> {
    const found = await users.listByIds(rows.map(({ userId }) => userId))
    return ({ userId }) => found.get(userId)?.username ?? ''
  }

  return {
    async table(times, { offset, limit }) {
      const all = await read(times)
      const sums = sumByModel(all.flatMap(({ rows }) => rows))
      const models = [...sums.keys()].slice(0, maxModels)
      const visible = all.slice(offset, offset + limit)
      const nameOf = await namesOf(visible)
      return {
        models,
        rows: visible.map((row) => ({
          user_id: row.userId,
          username: nameOf(row),
          ...figuresOf(row.rows),
          by_model: columnsOf(sumByModel(row.rows), models),
        })),
        total: {
          ...figuresOf(all.flatMap(({ rows }) => rows)),
          users: all.length,
          by_model: columnsOf(sums, models),
        },
      }
    },
    async *export(times, language) {
      const all = await read(times)
      yield byteOrderMark + csvLine(headers[language])
      for (let at = 0; at < all.length; at += exportedUsers) {
        const some = all.slice(at, at + exportedUsers)
        const nameOf = await namesOf(some)
        yield some.flatMap((user) => linesOf(user, nameOf(user), settings.current)).join('')
      }
    },
  }
}

const headers: Readonly<Record<Language, readonly string[]>> = {
  en: ['User ID', 'User', 'Model', 'Calls', 'Prompt tokens', 'Completion tokens', 'Quota', 'Amount (USD)'],
  zh: ['用户 ID', '用户', '模型', '调用次数', '提示 tokens', '补全 tokens', '额度', '金额（USD）'],
}

function linesOf(
  { userId, rows }: UserSpend,
  username: string,
  { QuotaPerUnit }: Pick<SettingValues, 'QuotaPerUnit'>,
): string[] {
  return rows.map(({ model, count, promptTokens, completionTokens, quota }) =>
    csvLine([
      userId,
      username,
      model,
      count,
      promptTokens,
      completionTokens,
      quota,
      Number((quota / QuotaPerUnit).toFixed(6)),
    ]),
  )
}

interface UserSpend {
  readonly userId: number
  readonly quota: Quota
  /** Dearest first. */
  readonly rows: readonly SpendRow[]
}

/** Those who spent most first. */
function byUser(rows: readonly SpendRow[]): UserSpend[] {
  const users = new Map<number, SpendRow[]>()
  for (const row of rows) getOrInsert(users, row.userId, () => []).push(row)
  return [...users]
    .map(([userId, those]) => ({
      userId,
      quota: those.reduce((sum, { quota }) => sum + quota, 0),
      rows: those.toSorted((a, b) => b.quota - a.quota || (a.model < b.model ? -1 : 1)),
    }))
    .sort((a, b) => b.quota - a.quota || a.userId - b.userId)
}

/** Dearest first. */
function sumByModel(rows: readonly SpendRow[]): ReadonlyMap<string, Quota> {
  const sums = new Map<string, Quota>()
  for (const { model, quota } of rows) sums.set(model, (sums.get(model) ?? 0) + quota)
  return new Map([...sums].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1)))
}

function columnsOf(sums: ReadonlyMap<string, Quota>, models: readonly string[]): Quota[] {
  return models.map((model) => sums.get(model) ?? 0)
}

function figuresOf(rows: readonly SpendRow[]) {
  const sum = { count: 0, token_used: 0, quota: 0 }
  for (const row of rows) {
    sum.count += row.count
    sum.token_used += row.promptTokens + row.completionTokens
    sum.quota += row.quota
  }
  return sum
}
