import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/** Adds the rows imported from other gateways, so that no run takes a row twice, and the usage that came without log rows. */
export function imports({ integer, keyedTableEnd }: SqlDialect): string[] {
  return [
    `create table imported_rows (
      source text not null,
      kind text not null,
      source_id text not null,
      mark text not null,
      target_id ${integer} not null,
      imported_at ${integer} not null,
      primary key (source, kind, source_id)
    ) ${keyedTableEnd}`,
    'create index imported_rows_by_target on imported_rows (kind, target_id)',
    `create table imported_usage (
      hour ${integer} not null,
      type ${integer} not null,
      user_id ${integer} not null,
      model text not null,
      count ${integer} not null,
      quota ${integer} not null,
      prompt_tokens ${integer} not null,
      completion_tokens ${integer} not null,
      cost ${integer} not null,
      costed_quota ${integer} not null,
      costed_calls ${integer} not null,
      primary key (hour, type, user_id, model)
    ) ${keyedTableEnd}`,
  ]
}
