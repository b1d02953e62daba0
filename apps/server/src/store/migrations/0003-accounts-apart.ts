import type { SqlDialect } from '../dialects/sql-dialect.ts'

/**
 * What every call changes of a user, a key and a channel, in narrow tables of their own. A row that is written is a page
 * that is written: beside names, keys and settings it was a page for nearly every key that was charged, and that cost
 * more than inserting the log.
 */
export function accountsApart({ integer, tableEnd }: SqlDialect): string[] {
  const apart = (table: string, account: string, columns: readonly string[]) => [
    `create table ${account} (
      id ${integer} not null primary key,
      ${columns.map((column) => `${column} ${integer} not null default 0`).join(', ')}
    ) ${tableEnd}`,
    `insert into ${account} (id, ${columns.join(', ')}) select id, ${columns.join(', ')} from ${table}`,
    ...columns.map((column) => `alter table ${table} drop column ${column}`),
  ]
  return [
    ...apart('users', 'user_accounts', ['quota', 'used_quota', 'request_count']),
    ...apart('tokens', 'token_accounts', ['remain_quota', 'used_quota', 'accessed_at']),
    ...apart('channels', 'channel_accounts', ['used_quota']),
  ]
}
