import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/** Adds the entries of journals that the database has, and the losses and damages found in journals. */
export function journalIdentity({ integer, keyedTableEnd }: SqlDialect): string[] {
  return [
    // One row for a start of a node, more only where entries between were lost: small, and never cleared.
    `create table journal_spans (
      run text not null,
      first_seq ${integer} not null,
      last_seq ${integer} not null,
      node text not null,
      primary key (run, first_seq)
    ) ${keyedTableEnd}`,
    `create table journal_findings (
      id text not null primary key,
      node text not null,
      kind text not null,
      files text not null,
      at_least ${integer} not null,
      at_most ${integer} not null,
      found_at ${integer} not null
    ) ${keyedTableEnd}`,
  ]
}
