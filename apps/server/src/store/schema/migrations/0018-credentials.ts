import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/** How often what opens an account has changed: a log-in in flight by what was replaced is known by it. */
export function credentialVersions({ integer }: SqlDialect): string[] {
  return [`alter table users add column credentials_version ${integer} not null default 0`]
}
