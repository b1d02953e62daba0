import type { Language, SpendTable } from '@tollgate/api'
import { monthOf, quartersOf, zoneOf } from '@tollgate/api/calendar'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { Ledger } from '../../billing/ledger-types.ts'
import type { Pieces } from '../../lib/async/pieces.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import { type SavedSpan, savedSpans } from '../../store/log/spend/saved-sums.ts'
import type { SpendFigures } from '../../store/log/spend/spend-page.ts'
import type { SpendTimes as QuarterTimes } from '../../store/log/spend/spend-rows.ts'
import type { StatisticsRepository } from '../../store/log/statistics.ts'
import { type NamedUsers, namesOf, type SpendFile } from './spend-file.ts'

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
  readonly statistics: Pick<StatisticsRepository, 'spend' | 'spenders'>
  readonly users: NamedUsers
  readonly spendFile: (file: SpendFile) => Pieces
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
  export(times: SpendTimes, language: Language): Pieces
}

const secondsPerDay = 86_400
const defaultDays = 30
const maxDays = 366
/** Models with a column of their own. */
const maxModels = 6
export function createSpend({ statistics, users, ledger, settings, clock, spendFile }: Dependencies): Spend {
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

  return {
    periodOf,
    async table(times, window) {
      const { from, end } = await quartersIn(times)
      const { models, rows, total } = await statistics.spend({ from, end, ...window, columns: maxModels })
      const nameOf = await namesOf(
        users,
        rows.map(({ userId }) => userId),
      )
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
      const userIds = await statistics.spenders(range)
      yield* spendFile({ range, userIds, language, quotaPerUnit: settings.current.QuotaPerUnit })
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
