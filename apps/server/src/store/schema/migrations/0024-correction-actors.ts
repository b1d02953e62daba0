import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/** Adds the user who took a correction back, so that an erasure finds the name. */
export function correctionActors({ integer }: SqlDialect): string[] {
  return [`alter table corrections add column taken_back_id ${integer} not null default 0`]
}
