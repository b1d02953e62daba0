import type { SqlDialect } from '../dialects/sql-dialect.ts'

/** How open tasks are asked about, what is settled at their end, and who of several nodes does it. */
export function taskEngine({ integer, keyedTableEnd }: SqlDialect): string[] {
  const columns = ['reference', 'upstream_model', 'key_hash', 'charge']
  return [
    ...columns.map((column) => `alter table tasks add column ${column} text not null default ''`),
    `update tasks set reference = upstream_id`,
    // By the account that is asked, instead of by id alone.
    'drop index tasks_unfinished',
    'create index tasks_open on tasks (channel_id, platform, key_hash, id, submitted_ms) where finished_ms = 0',
    `create table leases (
      name text not null,
      holder text not null,
      expires_ms ${integer} not null,
      primary key (name)
    ) ${keyedTableEnd}`,
  ]
}
