import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/** Adds goodwill credits, one for each call of the log, and links that show a charge, or those of a day, to whoever has one. */
export function explainedCharges({ newId, integer, tableEnd, keyedTableEnd }: SqlDialect): string[] {
  return [
    `create table goodwill_credits (
      log_id ${integer} not null primary key,
      user_id ${integer} not null,
      amount ${integer} not null,
      created_at ${integer} not null,
      actor_id ${integer} not null,
      taken_back_at ${integer} not null
    ) ${keyedTableEnd}`,
    'create index goodwill_credits_by_user on goodwill_credits (user_id)',
    `create table charge_links (
      id ${newId},
      user_id ${integer} not null,
      log_id ${integer} not null,
      starts_at ${integer} not null,
      ends_at ${integer} not null,
      time_zone text not null,
      created_at ${integer} not null,
      created_by ${integer} not null,
      expires_at ${integer} not null,
      revoked_at ${integer} not null
    ) ${tableEnd}`,
    'create index charge_links_by_user on charge_links (user_id, id)',
    'create index charge_links_by_end on charge_links (expires_at)',
  ]
}
