import type { Language, SpendTable } from '@tollgate/api'
import { monthOf, quartersOf, zoneOf } from '@tollgate/api/calendar'
import type { SettingValues } from '@tollgate/api/settings'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { Ledger } from '../../billing/ledger-types.ts'
import { byteOrderMark, csvLine } from '../../lib/csv.ts'
import { moneyCells, moneyHeaders } from '../../lib/export-cells.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import type { User } from '../../store/accounts/users.ts'
import { type SavedSpan, savedSpans } from '../../store/log/spend/saved-sums.ts'
import { lineFields, type SpendLines } from '../../store/log/spend/spend-lines.ts'
import type { SpendFigures } from '../../store/log/spend/spend-page.ts'
import type { SpendTimes as QuarterTimes } from '../../store/log/spend/spend-rows.ts'
import type { StatisticsRepository } from '../../store/log/statistics.ts'

export interface SpendTimes {
  readonly start_timestamp?: number | undefined
  readonly end_timestamp?: number | undefined
}

/** Times that are known, both inclusive. */
interface Period {
  readonly start_timestamp: number
  readonly end_timestamp: number
}

interface Dependencies {
  readonly statistics: Pick<StatisticsRepository, 'spend' | 'spenders' | 'spendLines'>
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
  /** The times of a query, whole where it leaves some out: those of a table and of an export. */
  periodOf(times: SpendTimes): Period
  /** CSV: a line per user and model. */
  export(times: SpendTimes, language: Language): AsyncIterable<string>
}

const secondsPerDay = 86_400
const defaultDays = 30
const maxDays = 366
/** Models with a column of their own. */
const maxModels = 6
/** Users whose sums are read at once: each read scans the sums of all users. */
const usersPerRead = 4000
/** Lines that are written at once: the event loop serves others between them. */
const linesPerPiece = 500

export function createSpend({ statistics, users, ledger, settings, clock }: Dependencies): Spend {
  function periodOf({ start_timestamp, end_timestamp }: SpendTimes): Period {
    const to = Math.min(end_timestamp || unixSeconds(clock), Number.MAX_SAFE_INTEGER)
    const from = Math.max(0, start_timestamp || to - defaultDays * secondsPerDay)
    if (to - from > maxDays * secondsPerDay) throw new Refusal('data_range_over_year')
    return { start_timestamp: from, end_timestamp: to }
  }

  async function quartersIn(times: SpendTimes): Promise<QuarterTimes> {
    const { start_timestamp: from, end_timestamp: to } = periodOf(times)
    await ledger.flush()
    return quartersOf({ from, to })
  }

  async function namesOf(ids: readonly number[]): Promise<(userId: number) => string> {
    const found = await users.listByIds(ids)
    return (userId) => found.get(userId)?.username ?? ''
  }

  return {
    periodOf,
    async table(times, window) {
      const { from, end } = await quartersIn(times)
      const { models, rows, total } = await statistics.spend({ from, end, ...window, columns: maxModels })
      const nameOf = await namesOf(rows.map(({ userId }) => userId))
      return {
        models: [...models],
        rows: rows.map(({ userId, ...figures }) => ({
          user_id: userId,
          username: nameOf(userId),
          ...visible(figures),
        })),
        total: { users: total.users, ...visible(total) },
      }
    },
    async *export(times, language) {
      const range = await quartersIn(times)
      const all = await statistics.spenders(range)
      yield byteOrderMark + csvLine([...headers[language], ...moneyHeaders('charge', language)])
      for (let at = 0; at < all.length; at += usersPerRead) {
        const lines = await statistics.spendLines(range, all.slice(at, at + usersPerRead))
        for (const piece of piecesOf(lines)) {
          const nameOf = await namesOf([...new Set(piece.map(({ userId }) => userId))])
          yield piece.map((line) => csvOf(line, nameOf(line.userId), settings.current)).join('')
        }
      }
    },
  }
}

const utc = zoneOf({ utc_offset: 0 })

/** Saves what users spent in the times that are read most, as of now: a node that starts adds what came since. */
export async function saveSpend({
  statistics,
  clock,
}: {
  readonly statistics: Pick<StatisticsRepository, 'saveSpend'>
  readonly clock: Clock
}): Promise<void> {
  const to = unixSeconds(clock)
  const begins: Readonly<Record<SavedSpan, number>> = {
    month: monthOf(undefined, to, utc)?.from ?? to,
    'thirty-days': Math.max(0, to - defaultDays * secondsPerDay),
  }
  for (const span of savedSpans)
    await statistics.saveSpend(span, quartersOf({ from: begins[span], to }), maxModels)
}

function visible({ count, tokens, quota, byModel }: SpendFigures) {
  return { count, token_used: tokens, quota, by_model: [...byModel] }
}

const headers: Readonly<Record<Language, readonly string[]>> = {
  en: ['User ID', 'User', 'Model', 'Calls', 'Prompt tokens', 'Completion tokens'],
  zh: ['用户 ID', '用户', '模型', '调用次数', '提示 tokens', '补全 tokens'],
}

type Line = Record<Exclude<(typeof lineFields)[number], 'model'>, number> & { readonly model: string }

function* piecesOf({ models, numbers }: SpendLines): Generator<Line[]> {
  const length = linesPerPiece * lineFields.length
  for (let at = 0; at < numbers.length; at += length) yield linesOf(models, numbers.subarray(at, at + length))
}

function linesOf(models: readonly string[], numbers: Float64Array): Line[] {
  return Array.from({ length: numbers.length / lineFields.length }, (_, line) => {
    const field = (name: (typeof lineFields)[number]) =>
      numbers[line * lineFields.length + lineFields.indexOf(name)] ?? 0
    return {
      userId: field('userId'),
      model: models[field('model')] ?? '',
      count: field('count'),
      promptTokens: field('promptTokens'),
      completionTokens: field('completionTokens'),
      quota: field('quota'),
    }
  })
}

function csvOf(
  { userId, model, count, promptTokens, completionTokens, quota }: Line,
  username: string,
  { QuotaPerUnit }: Pick<SettingValues, 'QuotaPerUnit'>,
): string {
  const tokens = [promptTokens, completionTokens]
  return csvLine([userId, username, model, count, ...tokens, ...moneyCells(quota, QuotaPerUnit)])
}
