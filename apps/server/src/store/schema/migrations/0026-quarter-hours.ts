import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/**
 * Adds the sums of an hour's later quarters, so that days of every time zone can be computed from sums of hours. Rows of quarters are
 * added to the hourly tables and join their hour when the quarter is over: programs of the version before read and write the same sums.
 */
export function quarterHours({ integer, tableEnd, keyedTableEnd }: SqlDialect): string[] {
  const columns = (names: readonly string[]) => names.map((name) => `${name} ${integer} not null`).join(', ')
  const usage = columns([
    'count',
    'quota',
    'prompt_tokens',
    'completion_tokens',
    'cost',
    'costed_quota',
    'costed_calls',
  ])
  return [
    `create table usage_quarters (
      quarter ${integer} not null,
      type ${integer} not null,
      user_id ${integer} not null,
      model text not null,
      ${usage},
      primary key (quarter, type, user_id, model)
    ) ${keyedTableEnd}`,
    `create table usage_by_model_quarters (
      type ${integer} not null,
      quarter ${integer} not null,
      model text not null,
      ${usage},
      primary key (type, quarter, model)
    ) ${keyedTableEnd}`,
    `create table charge_quarters (
      quarter ${integer} not null,
      account_kind text not null,
      account_id ${integer} not null,
      ${columns(['amount', 'calls', 'cost', 'costed_quota', 'costed_calls'])},
      primary key (quarter, account_kind, account_id)
    ) ${keyedTableEnd}`,
    `create table attempt_quarters (
      kind text not null,
      quarter ${integer} not null,
      id ${integer} not null,
      model text not null,
      outcome text not null,
      ${columns(['count', 'ms'])},
      primary key (kind, quarter, id, model, outcome)
    ) ${keyedTableEnd}`,
    `create table open_quarters (
      quarter ${integer} not null primary key
    ) ${tableEnd}`,
    `create table quarter_sums (
      id ${integer} not null primary key check (id = 1),
      since ${integer} not null
    ) ${tableEnd}`,
    // Hours that are there already have no quarters: a later correction of their charges may have none either.
    `insert into quarter_sums (id, since)
      select 1, coalesce(max(hour), -3600) + 3600 from (
        select max(hour) as hour from ledger_charges
        union all select max(hour) from usage_by_model where type = 2
        union all select max(hour) from usage_by_model where type = 5
      ) as ends`,
  ]
}
