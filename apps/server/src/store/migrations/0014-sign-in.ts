import type { SqlDialect } from '../dialects/sql-dialect.ts'

/** What sessions tell of themselves, second factors, and passkeys. */
export function signInTables({ newId, integer, tableEnd }: SqlDialect): string[] {
  return [
    `alter table sessions add column user_agent text not null default ''`,
    `alter table sessions add column address text not null default ''`,
    `alter table sessions add column last_seen_at ${integer} not null default 0`,
    `create table second_factors (
      user_id ${integer} not null primary key,
      secret_sealed text not null,
      last_step ${integer} not null,
      tries ${integer} not null,
      tries_since ${integer} not null,
      created_at ${integer} not null
    ) ${tableEnd}`,
    `create table recovery_codes (
      user_id ${integer} not null,
      code_hash text not null,
      primary key (user_id, code_hash)
    ) ${tableEnd}`,
    `create table passkeys (
      id ${newId},
      user_id ${integer} not null,
      credential_id text not null unique,
      public_key text not null,
      counter ${integer} not null,
      transports text not null,
      name text not null,
      created_at ${integer} not null,
      last_used_at ${integer} not null
    ) ${tableEnd}`,
    'create index passkeys_by_user on passkeys (user_id)',
  ]
}
