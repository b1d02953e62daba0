import { logTypes, nameOf } from '@tollgate/api/roles'

/** One thing that must add up: `sql` selects what does not, with `expected` and `found`. */
export interface Check {
  readonly sql: string
  what(row: Readonly<Record<string, unknown>>): string
}

/** Findings of one check that are told; the first hundred say what is wrong as well as the first million. */
export const findingsPerCheck = 100

export const checks: readonly Check[] = [
  {
    what: (row) => `quota of user ${row['id']}, against credits less charges`,
    sql: accountCheck('users', 'user', 'quota', 'credited - charged'),
  },
  {
    what: (row) => `used quota of user ${row['id']}, against charges`,
    sql: accountCheck('users', 'user', 'used_quota', 'charged'),
  },
  {
    what: (row) => `request count of user ${row['id']}, against charged calls`,
    sql: accountCheck('users', 'user', 'request_count', 'calls'),
  },
  {
    what: (row) => `remaining quota of token ${row['id']}, against credits less charges`,
    sql: accountCheck('tokens', 'token', 'remain_quota', 'credited - charged'),
  },
  {
    what: (row) => `used quota of token ${row['id']}, against charges`,
    sql: accountCheck('tokens', 'token', 'used_quota', 'charged'),
  },
  {
    what: (row) => `used quota of channel ${row['id']}, against charges less credits`,
    sql: accountCheck('channels', 'channel', 'used_quota', 'charged - credited'),
  },
  ...(['amount', 'calls'] as const).map((column) => ({
    what: (row: Readonly<Record<string, unknown>>) =>
      `${column === 'amount' ? 'quota' : 'calls'} charged to channels in the hour from ${hourOf(row)}, against users`,
    sql: `select hour, expected, found from (
        select hour, ${sumWhere(column, 'user')} as expected, ${sumWhere(column, 'channel')} as found
        from ledger_charges group by hour
      ) as hours where expected <> found order by hour`,
  })),
  ...(['count', 'quota', 'prompt_tokens', 'completion_tokens'] as const).map((column) => ({
    what: (row: Readonly<Record<string, unknown>>) =>
      `${column.replace('_', ' ')} of the hourly rollup for ${typeOf(row)} in the hour from ${hourOf(row)}, against the log`,
    sql: rollupCheck(column),
  })),
  ...(['count', 'quota'] as const).map((column) => ({
    what: (row: Readonly<Record<string, unknown>>) => `${column} of block ${row['id']} of the log index, against the log`,
    sql: `select id, expected, found from (
        select log_blocks.id as id, log_blocks.${column} as found, cast((
          select coalesce(sum(${column === 'count' ? '1' : 'logs.quota'}), 0) from logs
          where logs.id >= first_id and logs.id <= last_id
        ) as bigint) as expected
        from log_blocks
      ) as blocks where expected <> found order by id`,
  })),
]

/** Compares a column of every account with a sum over `credited`, `charged` and `calls`. */
function accountCheck(table: string, kind: string, column: string, expected: string): string {
  return `select id, expected, found from (
      select id, ${column} as found, ${expected} as expected from (
        select ${table}.id as id, ${column},
          coalesce(credits.amount, 0) as credited, coalesce(charges.amount, 0) as charged,
          coalesce(charges.calls, 0) as calls
        from ${table}
        left join (
          select account_id, cast(sum(amount) as bigint) as amount
          from ledger_entries where account_kind = '${kind}' group by account_id
        ) as credits on credits.account_id = ${table}.id
        left join (
          select account_id, cast(sum(amount) as bigint) as amount, cast(sum(calls) as bigint) as calls
          from ledger_charges where account_kind = '${kind}' group by account_id
        ) as charges on charges.account_id = ${table}.id
      ) as sums
    ) as accounts where expected <> found order by id`
}

function sumWhere(column: string, kind: string): string {
  return `cast(coalesce(sum(case when account_kind = '${kind}' then ${column} end), 0) as bigint)`
}

/** Hours of the log against hours of the rollup; either side may miss some. */
function rollupCheck(column: 'count' | 'quota' | 'prompt_tokens' | 'completion_tokens'): string {
  const summed = column === 'count' ? '1' : column
  return `select hour, type, expected, found from (
      select hour, type, cast(sum(logged) as bigint) as expected, cast(sum(rolled) as bigint) as found from (
        select created_at - created_at % 3600 as hour, type, sum(${summed}) as logged, 0 as rolled from logs group by 1, 2
        union all
        select hour, type, 0 as logged, sum(${column}) as rolled from usage_hourly group by 1, 2
      ) as sides group by hour, type
    ) as hours where expected <> found order by hour, type`
}

function hourOf(row: Readonly<Record<string, unknown>>): string {
  return new Date(Number(row['hour']) * 1000).toISOString()
}

function typeOf(row: Readonly<Record<string, unknown>>): string {
  return nameOf(logTypes, Number(row['type'])) ?? `type ${row['type']}`
}
