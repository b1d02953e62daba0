import type { SqlDialect } from '../../dialects/sql-dialect.ts'

const sums = ['usage_hourly', 'usage_by_model', 'ledger_charges', 'unlogged_charges']
const columns = ['cost', 'costed_quota', 'costed_calls']

/**
 * Adds the operator's costs of calls: beside the charge of each, and summed up with the charges of those whose cost is known. Every
 * column has a default, so that nodes of the version before continue to write rows without a cost.
 */
export function costs({ integer }: SqlDialect): string[] {
  return [
    `alter table logs add column cost ${integer}`,
    ...sums.flatMap((table) =>
      columns.map((column) => `alter table ${table} add column ${column} ${integer} not null default 0`),
    ),
  ]
}
