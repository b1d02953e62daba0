import type { Margin, MarginFigures, MarginKind } from '@tollgate/api'
import { quartersOf } from '@tollgate/api/calendar'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { Ledger } from '../../billing/ledger-types.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { UserRepository } from '../../store/accounts/users.ts'
import type { MarginOf, MarginQuery, MarginSum } from '../../store/log/margins.ts'
import type { StatisticsRepository } from '../../store/log/statistics.ts'

interface Dependencies {
  readonly statistics: Pick<StatisticsRepository, 'margins'>
  readonly users: Pick<UserRepository, 'listByIds'>
  readonly ledger: Pick<Ledger, 'flush'>
  /** Empty for a channel that no longer exists. */
  readonly channelName: (id: number) => string
  readonly clock: Clock
}

interface Requested {
  readonly by?: MarginKind | undefined
  readonly start_timestamp?: number | undefined
  readonly end_timestamp?: number | undefined
  readonly id?: number | undefined
  readonly model_name?: string | undefined
  readonly limit?: number | undefined
}

const secondsPerDay = 86_400
const defaultDays = 30
const maxDays = 366
const defaultRows = 100
const maxRows = 1000

/** Creates the reports of charges beside the operator's costs, by model, channel or user. */
export function createMargins({ statistics, users, ledger, channelName, clock }: Dependencies) {
  async function nameRows(by: MarginKind, rows: readonly MarginOf[]): Promise<(row: MarginOf) => string> {
    if (by === 'channel') return ({ id }) => channelName(id)
    if (by === 'model') return () => ''
    const known = await users.listByIds(rows.map(({ id }) => id))
    return ({ id }) => known.get(id)?.username ?? ''
  }

  return async (requested: Requested): Promise<Margin> => {
    const query = queryOf(requested, unixSeconds(clock))
    await ledger.flush()
    const { total, rows } = await statistics.margins(query)
    const nameOf = await nameRows(query.by, rows)
    return {
      total: figuresOf(total),
      rows: rows.map((row) => ({
        model_name: row.model,
        id: row.id,
        name: nameOf(row),
        ...figuresOf(row),
      })),
    }
  }
}
export type Margins = ReturnType<typeof createMargins>

function queryOf(
  { by = 'model', id, model_name, limit = defaultRows, ...times }: Requested,
  now: number,
): MarginQuery & { readonly by: MarginKind } {
  const to = Math.min(times.end_timestamp || now, Number.MAX_SAFE_INTEGER)
  const from = Math.max(0, times.start_timestamp || to - defaultDays * secondsPerDay)
  if (to - from > maxDays * secondsPerDay) throw new Refusal('data_range_over_year')
  return {
    by,
    ...quartersOf({ from, to }),
    limit: Math.min(Math.max(limit, 1), maxRows),
    ...(by === 'model' && model_name !== undefined && { model: model_name }),
    ...(by !== 'model' && id !== undefined && { id }),
  }
}

function figuresOf({ calls, quota, costedCalls, costedQuota, cost }: MarginSum): MarginFigures {
  return { calls, quota, costed_calls: costedCalls, costed_quota: costedQuota, cost }
}
