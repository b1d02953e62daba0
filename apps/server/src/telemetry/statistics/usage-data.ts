import type { Granularity, UsageRow } from '@tollgate/api'
import { type ReaderClock, zoneOf } from '@tollgate/api/calendar'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { Ledger } from '../../billing/ledger-types.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { UserRepository } from '../../store/accounts/users.ts'
import type { UsageBucket } from '../../store/log/quarters/step-sums.ts'
import type { StatisticsRepository } from '../../store/log/statistics.ts'
import { granularityOf, rangeOfSteps } from './steps.ts'

export interface DataQuery extends ReaderClock {
  readonly start_timestamp?: number | undefined
  readonly end_timestamp?: number | undefined
  readonly granularity?: Granularity | undefined
  readonly default_time?: Granularity | undefined
}

export interface DataRows {
  readonly rows: UsageRow[]
  /** The granularity of the rows. */
  readonly granularity: Granularity
}

interface Dependencies {
  readonly statistics: Pick<StatisticsRepository, 'list'>
  readonly ledger: Pick<Ledger, 'flush'>
  readonly users: Pick<UserRepository, 'idsByUsername'>
  readonly clock: Clock
}

/** The rows of charts: calls, tokens and quota by model and hour, day or week. */
export interface UsageData {
  /** Rows of all users together; with `username`, of the users who have or had that name, one after the other. */
  all(query: DataQuery & { readonly username?: string | undefined }): Promise<DataRows>
  own(user: { readonly userId: number; readonly username: string }, query: DataQuery): Promise<DataRows>
}

const secondsPerDay = 86_400
const defaultDays = 30
/** The longest month, and the hour by which it is longer where the clock is put back. */
const monthDays = 31 + 1 / 24
const yearDays = 366

export function createUsageData({ statistics, ledger, users, clock }: Dependencies): UsageData {
  function timesOf({ start_timestamp, end_timestamp }: DataQuery) {
    const to = end_timestamp || unixSeconds(clock)
    const from = start_timestamp || to - defaultDays * secondsPerDay
    return { from: Math.max(0, from), to: Math.min(to, Number.MAX_SAFE_INTEGER) }
  }

  async function read(query: DataQuery, maxDays: number, refusal: 'month' | 'year', who: readonly Who[]) {
    const { from, to } = timesOf(query)
    if (to - from > maxDays * secondsPerDay) throw new Refusal(`data_range_over_${refusal}`)
    const granularity = granularityOf(query.granularity ?? query.default_time, to - from)
    await ledger.flush()
    const range = rangeOfSteps({ from, to }, granularity, zoneOf(query))
    const rows: UsageRow[] = []
    for (const { userId, username } of who)
      for (const bucket of await statistics.list(range, userId || undefined))
        rows.push(toRow(rows.length + 1, userId, username, bucket))
    return { rows, granularity }
  }

  return {
    async all({ username, ...query }) {
      if (!username) return read(query, yearDays, 'year', [{ userId: 0, username: '' }])
      const ids = (await users.idsByUsername(username)).toSorted((a, b) => b - a)
      return read(
        query,
        yearDays,
        'year',
        ids.map((userId) => ({ userId, username })),
      )
    },
    own: (user, query) => read(query, monthDays, 'month', [user]),
  }
}

interface Who {
  /** 0 for all users. */
  readonly userId: number
  readonly username: string
}

function toRow(id: number, userId: number, username: string, bucket: UsageBucket): UsageRow {
  return {
    id,
    user_id: userId,
    username,
    model_name: bucket.model,
    created_at: bucket.at,
    token_used: bucket.tokens,
    count: bucket.count,
    quota: bucket.quota,
  }
}
