import type { SqlDialect } from '../dialects/sql-dialect.ts'

/**
 * What lets the audit compare every charge with the log: the charges that never had a row there, per account and hour,
 * and the time before which rows were cleared away.
 */
export function clearedLogs({ integer, tableEnd, keyedTableEnd }: SqlDialect): string[] {
  return [
    `create table unlogged_charges (
      hour ${integer} not null,
      account_kind text not null,
      account_id ${integer} not null,
      amount ${integer} not null,
      calls ${integer} not null,
      primary key (hour, account_kind, account_id)
    ) ${keyedTableEnd}`,
    // Blocks know the request ids of their rows from now on. They are sealed anew in the background.
    'delete from log_block_parts',
    'delete from log_blocks',
    `create table log_clearing (
      id ${integer} not null primary key check (id = 1),
      cleared_before ${integer} not null
    ) ${tableEnd}`,
  ]
}
