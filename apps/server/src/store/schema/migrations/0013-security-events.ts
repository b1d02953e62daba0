import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/** Adds events of accounts, and access tokens with a name, a scope and an end, as many as a user wants. */
export function securityEvents({ newId, integer, tableEnd }: SqlDialect): string[] {
  return [
    `create table security_events (
      id ${newId},
      created_at ${integer} not null,
      user_id ${integer} not null,
      username text not null,
      kind text not null,
      detail text not null,
      address text not null,
      user_agent text not null
    ) ${tableEnd}`,
    'create index security_events_by_user on security_events (user_id, id)',
    'create index security_events_by_time on security_events (created_at)',
    `create table access_tokens (
      id ${newId},
      user_id ${integer} not null,
      name text not null,
      scope text not null,
      hash text not null,
      created_at ${integer} not null,
      expires_at ${integer} not null,
      last_used_at ${integer} not null
    ) ${tableEnd}`,
    'create unique index access_tokens_by_hash on access_tokens (hash)',
    'create index access_tokens_by_user on access_tokens (user_id)',
    // The column stays for older programs that run beside this one.
    `insert into access_tokens (user_id, name, scope, hash, created_at, expires_at, last_used_at)
      select id, '', 'full', access_token_hash, created_at, 0, 0 from users where access_token_hash <> ''`,
  ]
}
