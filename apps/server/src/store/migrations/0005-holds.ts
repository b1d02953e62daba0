import type { SqlDialect } from '../dialects/sql-dialect.ts'

/** Charges taken in advance for work that outlives a process, a row per account; a hold is open while its rows are here. */
export function holds({ integer, keyedTableEnd }: SqlDialect): string[] {
  return [
    `create table holds (
      id text not null,
      account_kind text not null,
      account_id ${integer} not null,
      amount ${integer} not null,
      created_at ${integer} not null,
      primary key (id, account_kind, account_id)
    ) ${keyedTableEnd}`,
  ]
}
