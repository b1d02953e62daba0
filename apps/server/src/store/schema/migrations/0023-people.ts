import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/**
 * Adds rights of administrators, erased accounts, accounts of one person, and sums of cleared rows of the log. It only adds, and
 * columns have defaults: nodes of the version before continue to work.
 */
export function people({ integer, nowMs, tableEnd, keyedTableEnd }: SqlDialect): string[] {
  return [
    `alter table users add column admin_parts text not null default ''`,
    `alter table users add column erased_at ${integer}`,
    `create table cleared_charges (
      hour ${integer} not null,
      account_kind text not null,
      account_id ${integer} not null,
      amount ${integer} not null,
      calls ${integer} not null,
      cost ${integer} not null,
      costed_quota ${integer} not null,
      costed_calls ${integer} not null,
      primary key (hour, account_kind, account_id)
    ) ${keyedTableEnd}`,
    // Cleared rows have sums from the one time to the other; what was cleared before, or by a node of the version before, has none.
    `alter table log_clearing add column sums_from ${integer} not null default 0`,
    `alter table log_clearing add column sums_to ${integer} not null default 0`,
    `create table merged_accounts (
      from_id ${integer} not null primary key,
      into_id ${integer} not null,
      merged_at ${integer} not null,
      merged_by ${integer} not null
    ) ${tableEnd}`,
    // Accounts that were deleted before count from here: nobody was told a term.
    `alter table database_identity add column erasure_since ${integer} not null default 0`,
    `update database_identity set erasure_since = ${nowMs} / 1000`,
    'create index users_deleted on users (deleted_at) where deleted_at is not null',
  ]
}
