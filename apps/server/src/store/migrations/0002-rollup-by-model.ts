import type { SqlDialect } from '../dialects/sql-dialect.ts'

/**
 * The hourly rollup by user and model alone, which is what charts show. With key, channel and group in it nearly every
 * call of a busy installation made a row of its own, and writing those cost more than all else of a call.
 */
export function rollupByModel({ integer, keyedTableEnd }: SqlDialect): string[] {
  const sums = ['count', 'quota', 'prompt_tokens', 'completion_tokens']
  return [
    `create table usage_by_model (
      hour ${integer} not null,
      type ${integer} not null,
      user_id ${integer} not null,
      model text not null,
      ${sums.map((sum) => `${sum} ${integer} not null`).join(', ')},
      primary key (hour, type, user_id, model)
    ) ${keyedTableEnd}`,
    `insert into usage_by_model
      select hour, type, user_id, model, ${sums.map((sum) => `cast(sum(${sum}) as ${integer})`).join(', ')}
      from usage_hourly group by hour, type, user_id, model`,
    'drop table usage_hourly',
    'alter table usage_by_model rename to usage_hourly',
  ]
}
