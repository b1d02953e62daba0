import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/** Adds a counter of the credentials that open an account: it exposes a log-in in flight with a replaced one. */
export function credentialVersions({ integer }: SqlDialect): string[] {
  return [`alter table users add column credentials_version ${integer} not null default 0`]
}
