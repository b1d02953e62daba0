import type { MarginKind } from '@tollgate/api'
import { logTypes } from '@tollgate/api/roles'
import { hours } from './hours.ts'
import { type Program, query } from './program.ts'
import type { Quota, Seconds } from './units.ts'

/** Which charges and costs are summed up, by what. */
export interface MarginQuery {
  readonly by: MarginKind
  /** Starts of hours; both inclusive. */
  readonly from: Seconds
  readonly to: Seconds
  /** One model alone, or one channel or user. */
  readonly model?: string
  readonly id?: number
  /** Most rows. */
  readonly limit: number
}

/** What calls were charged, and what those cost whose cost is known. */
export interface MarginSum {
  readonly calls: number
  readonly quota: Quota
  readonly costedCalls: number
  readonly costedQuota: Quota
  readonly cost: Quota
}

export interface MarginOf extends MarginSum {
  /** Empty but for a model. */
  readonly model: string
  /** Of a channel or user; 0 for a model. */
  readonly id: number
}

export interface Margins {
  /** Of all, the rows that are left out too. */
  readonly total: MarginSum
  /** Those charged most first. */
  readonly rows: readonly MarginOf[]
}

/**
 * Sums of the hourly rollups. Those of channels and users have all charges; those of models the ones that were logged, as
 * the other figures of models do.
 */
export function* readMargins(asked: MarginQuery): Program<Margins> {
  const all = asked.by === 'model' ? yield* readByModel(asked) : yield* readByAccount(asked)
  const rows = all.toSorted(
    (a, b) => b.quota - a.quota || b.cost - a.cost || a.id - b.id || (a.model < b.model ? -1 : 1),
  )
  return { total: sumOf(rows), rows: rows.slice(0, asked.limit) }
}

const sums = (calls: string, quota: string) =>
  Object.entries({ calls, quota, costedCalls: 'costed_calls', costedQuota: 'costed_quota', cost: 'cost' })
    .map(([name, column]) => `cast(sum(${column}) as bigint) as "${name}"`)
    .join(', ')

function* readByModel({ from, to, model }: MarginQuery): Program<readonly MarginOf[]> {
  return yield* query<MarginOf>(
    `select model, 0 as id, ${sums('count', 'quota')} from usage_by_model
      where type = ${logTypes.consumption} and hour >= ? and hour <= ? ${model === undefined ? '' : 'and model = ?'}
      group by model`,
    model === undefined ? [from, to] : [from, to, model],
  )
}

function* readByAccount({ by, from, to, id }: MarginQuery): Program<readonly MarginOf[]> {
  const [known] = yield* query<{ least: number | null; most: number | null }>(
    'select min(hour) as least, max(hour) as most from ledger_charges where hour >= ? and hour <= ?',
    [from, to],
  )
  if (known?.least == null || known.most == null) return []
  const bounds = [known.least, known.most, by]
  return yield* query<MarginOf>(
    `${hours} select '' as model, account_id as id, ${sums('calls', 'amount')}
      from hours cross join ledger_charges as charges
      where charges.hour = hours.hour and account_kind = ? ${id === undefined ? '' : 'and account_id = ?'}
      group by account_id`,
    id === undefined ? bounds : [...bounds, id],
  )
}

function sumOf(rows: readonly MarginSum[]): MarginSum {
  const sum = { calls: 0, quota: 0, costedCalls: 0, costedQuota: 0, cost: 0 }
  for (const row of rows) {
    sum.calls += row.calls
    sum.quota += row.quota
    sum.costedCalls += row.costedCalls
    sum.costedQuota += row.costedQuota
    sum.cost += row.cost
  }
  return sum
}
