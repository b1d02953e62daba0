import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/** Counts of attempts by whose fault they failed, and the failure of a channel's last test. */
export function attemptCounts({ integer, keyedTableEnd }: SqlDialect): string[] {
  return [
    // The key starts with the time within a kind, so that writes are at the end of it.
    `create table attempt_counts (
      step ${integer} not null,
      kind text not null,
      starts_at ${integer} not null,
      id ${integer} not null,
      model text not null,
      outcome text not null,
      count ${integer} not null,
      ms ${integer} not null,
      primary key (step, kind, starts_at, id, model, outcome)
    ) ${keyedTableEnd}`,
    // An older program on this schema leaves it as it is.
    `alter table channels add column test_failure text not null default 'null'`,
  ]
}
