import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/** Sums of what each user spent in some times, so that a node that starts adds to them. Programs of the version before leave them alone. */
export function spendSums({ integer, bytes, keyedTableEnd }: SqlDialect): string[] {
  return [
    `create table spend_sums (
      span text not null primary key,
      from_at ${integer} not null,
      end_at ${integer} not null,
      models text not null,
      corrections text not null,
      figures ${bytes} not null
    ) ${keyedTableEnd}`,
  ]
}
