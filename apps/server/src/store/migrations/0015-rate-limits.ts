import type { SqlDialect } from '../dialects/sql-dialect.ts'

/** What a user or a key may use of each minute, and at once; 0 is no limit. */
export function rateLimits({ integer }: SqlDialect): string[] {
  const columns = ['requests_per_minute', 'tokens_per_minute', 'concurrency']
  return ['users', 'tokens'].flatMap((table) =>
    columns.map((column) => `alter table ${table} add column ${column} ${integer} not null default 0`),
  )
}
