import type { SqlDialect } from '../dialects/sql-dialect.ts'

/** Users who were warned of a low balance. `settled`: nothing is left to be delivered. */
export function quotaWarnings({ integer, tableEnd }: SqlDialect): string[] {
  return [
    `create table quota_warnings (
      user_id ${integer} not null primary key,
      warned_at ${integer} not null,
      settled ${integer} not null
    ) ${tableEnd}`,
  ]
}
