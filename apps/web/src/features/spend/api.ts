import { calls, type SpendTableRow } from '@tollgate/api'
import type { ListSource } from '../../components/list/index.ts'
import { request, requestContent } from '../../lib/api/api-client.ts'
import { saveResponse } from '../../lib/browser/save-file.ts'
import { timesOf } from '../../lib/format/range-times.ts'
import { clockHere } from '../../lib/format/reader-clock.ts'
import type { TimeRange, Times } from '../../lib/format/time-range.ts'
import { dateNow } from '../../lib/server-clock.ts'

/** This month, as bills are. */
export const defaultRange: TimeRange = 'month'

/** A user's row, or the sum of all users in front of them. */
export interface SpendRow extends SpendTableRow {
  /** 0 for the sum. */
  readonly id: number
  /** Models with a column, dearest first: the same in every row. */
  readonly models: readonly string[]
}

/** Those who spent most first, under the sum of all. */
export function spendSource(times: Times): ListSource<SpendRow> {
  return {
    queryKey: ['spend'],
    filter: times,
    async read({ page, pageSize }, signal) {
      const query = { ...spendTimes(times), p: page, page_size: pageSize }
      const { rows, total, models } = await request(calls.usageData.spend, { query, signal })
      const sum: SpendRow = { ...total, id: 0, user_id: 0, username: '', models }
      const users = rows.map((row) => ({ ...row, id: row.user_id, models }))
      return { rows: users.length === 0 ? [] : [sum, ...users], total: total.users }
    },
  }
}

function spendTimes(times: Times) {
  const { from, to } = timesOf(times, dateNow(), defaultRange)
  return { start_timestamp: from, end_timestamp: to }
}

/** Saves a line per user and model as a file of CSV. */
export async function exportSpend(times: Times): Promise<void> {
  const query = { ...spendTimes(times), ...clockHere() }
  await saveResponse(await requestContent(calls.usageData.exportSpend, { query }))
}

/** Returns the spending on models without a column of their own. */
export function spentOnOthers({ quota, by_model }: Pick<SpendTableRow, 'quota' | 'by_model'>): number {
  return by_model.reduce((rest, each) => rest - each, quota)
}
