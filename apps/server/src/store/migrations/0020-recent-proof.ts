import type { SqlDialect } from '../dialects/sql-dialect.ts'

/** When it was last proven whose session it is, and for whom a one-time secret was made. */
export function recentProof({ integer }: SqlDialect): string[] {
  return [
    `alter table sessions add column proven_at ${integer} not null default 0`,
    // A session that is open when the gateway is updated was proven by its log-in.
    'update sessions set proven_at = created_at',
    `alter table one_time_secrets add column user_id ${integer} not null default 0`,
    'create index one_time_secrets_by_user on one_time_secrets (user_id)',
  ]
}
