import type { MarginKind } from '@tollgate/api'
import { logTypes } from '@tollgate/api/roles'
import { type Program, query } from '../program.ts'
import type { Quota, Seconds } from '../units.ts'
import { type Fragment, hoursOf, oneStretch, rowsOfStretch } from './quarters/split-hours.ts'

/** Query of margins: charges and costs of a time, by one dimension. */
export interface MarginQuery {
  readonly by: MarginKind | 'token'
  /** Starts of quarters; the end is exclusive. */
  readonly from: Seconds
  readonly end: Seconds
  /** One model alone, or one channel, user or key. */
  readonly model?: string
  readonly id?: number
  /** Most rows. */
  readonly limit: number
}

/** Charges of calls, and the costs of those whose cost is known. */
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
  /** Id of a channel, user or key; 0 for a model. */
  readonly id: number
}

export interface Margins {
  /** Sums over all rows, those that are left out too. */
  readonly total: MarginSum
  /** Those charged most first. */
  readonly rows: readonly MarginOf[]
}

/**
 * Sums of the rollups. Those of channels and users have all charges; those of models the ones that were logged, as
 * the other figures of models do.
 */
export function* readMargins(requested: MarginQuery): Program<Margins> {
  const all = requested.by === 'model' ? yield* readByModel(requested) : yield* readByAccount(requested)
  const rows = all.toSorted(
    (a, b) => b.quota - a.quota || b.cost - a.cost || a.id - b.id || (a.model < b.model ? -1 : 1),
  )
  return { total: sumOf(rows), rows: rows.slice(0, requested.limit) }
}

const costSums = ['cost', 'costed_quota', 'costed_calls'] as const

const totals = (calls: string, quota: string) =>
  Object.entries({ calls, quota, costedCalls: 'costed_calls', costedQuota: 'costed_quota', cost: 'cost' })
    .map(([name, column]) => `cast(sum(${column}) as bigint) as "${name}"`)
    .join(', ')

const isThere = ({ calls, quota, cost }: MarginOf) => calls !== 0 || quota !== 0 || cost !== 0

function* readByModel({ from, end, model }: MarginQuery): Program<readonly MarginOf[]> {
  const only: Fragment = {
    sql: `type = ${logTypes.consumption} ${model === undefined ? '' : 'and model = ?'}`,
    parameters: model === undefined ? [] : [model],
  }
  const sums = ['count', 'quota', ...costSums]
  const { sql, parameters } = rowsOfStretch({
    stretch: oneStretch(from, end),
    key: ['model'],
    sums,
    rows: {
      sql: `select model, ${sums.join(', ')} from usage_by_model where ${only.sql} and hour >= ? and hour < ?`,
      parameters: [...only.parameters, from, end],
    },
    quarters: 'usage_by_model_quarters',
    only,
  })
  const rows = yield* query<MarginOf>(
    `select model, 0 as id, ${totals('count', 'quota')} from ${sql} as usage group by model`,
    parameters,
  )
  return rows.filter(isThere)
}

function* readByAccount({ by, from, end, id }: MarginQuery): Program<readonly MarginOf[]> {
  const [known] = yield* query<{ earliest: number | null; latest: number | null }>(
    'select min(hour) as earliest, max(hour) as latest from ledger_charges where hour >= ? and hour < ?',
    [from, end],
  )
  const stretch = oneStretch(from, end)
  const hours = hoursOf(stretch, known?.earliest ?? 0, known?.latest ?? -1)
  const only: Fragment = {
    sql: `account_kind = ? ${id === undefined ? '' : 'and account_id = ?'}`,
    parameters: id === undefined ? [by] : [by, id],
  }
  const sums = ['calls', 'amount', ...costSums]
  const { sql, parameters } = rowsOfStretch({
    stretch,
    key: ['account_id'],
    sums,
    rows: {
      sql: `select account_id, ${sums.join(', ')} from hours cross join ledger_charges as charges
        where charges.hour = hours.hour and ${only.sql}`,
      parameters: only.parameters,
    },
    quarters: 'charge_quarters',
    only,
  })
  const rows = yield* query<MarginOf>(
    `${hours.sql} select '' as model, account_id as id, ${totals('calls', 'amount')}
      from ${sql} as charges group by account_id`,
    [...hours.parameters, ...parameters],
  )
  return rows.filter(isThere)
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
