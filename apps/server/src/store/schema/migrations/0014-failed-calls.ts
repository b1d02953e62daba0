import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/** Requests of failed calls, sealed, for as long as their owner and the operator want. */
export function failedCalls({ integer, keyedTableEnd }: SqlDialect): string[] {
  return [
    `create table failed_calls (
      request_id text not null primary key,
      user_id ${integer} not null,
      sealed text not null,
      bytes ${integer} not null,
      created_at ${integer} not null,
      expires_at ${integer} not null
    ) ${keyedTableEnd}`,
    'create index failed_calls_by_user on failed_calls (user_id)',
    'create index failed_calls_by_time on failed_calls (created_at)',
  ]
}
