import { logTypes, nameOf } from '@tollgate/api/roles'

type CheckedRow = Readonly<Record<string, unknown>>

/** Figures that must add up: `sql` selects the rows in which `x_expected` and `x_found` differ for one of them. */
export interface Check {
  readonly sql: string
  readonly figures: readonly string[]
  /** What a row's figure is, against what. */
  what(figure: string, row: CheckedRow): string
}

export const checks: readonly Check[] = [
  accountCheck('user_accounts', 'user', {
    quota: { means: 'quota', expected: 'credited - charged', against: 'credits less charges' },
    used_quota: { means: 'used quota', expected: 'charged', against: 'charges' },
    request_count: { means: 'request count', expected: 'calls', against: 'charged calls' },
  }),
  accountCheck('token_accounts', 'token', {
    remain_quota: {
      means: 'remaining quota',
      expected: 'credited - charged',
      against: 'credits less charges',
    },
    used_quota: { means: 'used quota', expected: 'charged', against: 'charges' },
  }),
  accountCheck('channel_accounts', 'channel', {
    used_quota: { means: 'used quota', expected: 'charged - credited', against: 'charges less credits' },
  }),
  {
    figures: ['held'],
    what: (_, row) => `quota held for open work of ${row['kind']} ${row['id']}, against its entries`,
    sql: `select kind, id, cast(sum(taken) as bigint) as held_expected, cast(sum(open) as bigint) as held_found from (
        select account_kind as kind, account_id as id, -amount as taken, 0 as open
          from ledger_entries where cause in ('hold', 'hold-release')
        union all
        select account_kind as kind, account_id as id, 0 as taken, amount as open from holds
      ) as sides group by kind, id order by kind, id`,
  },
  {
    figures: ['amount', 'calls'],
    what: (figure, row) =>
      `${figure === 'amount' ? 'quota' : figure} charged to channels in the hour from ${hourOf(row)}, against users`,
    sql: `select hour, ${sumOfKind('amount', 'user')} as amount_expected, ${sumOfKind('amount', 'channel')} as amount_found,
        ${sumOfKind('calls', 'user')} as calls_expected, ${sumOfKind('calls', 'channel')} as calls_found
      from ledger_charges group by hour order by hour`,
  },
  rollupCheck(['count', 'quota', 'prompt_tokens', 'completion_tokens']),
  {
    figures: ['count', 'quota'],
    what: (figure, row) => `${figure} of block ${row['id']} of the log index, against the log`,
    sql: `select log_blocks.id as id, log_blocks.count as count_found, log_blocks.quota as quota_found,
        count(logs.id) as count_expected, cast(coalesce(sum(logs.quota), 0) as bigint) as quota_expected
      from log_blocks left join logs on logs.id >= first_id and logs.id <= last_id
      group by log_blocks.id, log_blocks.count, log_blocks.quota order by log_blocks.id`,
  },
]

interface AccountFigure {
  readonly means: string
  /** SQL over `credited`, `charged` and `calls`. */
  readonly expected: string
  readonly against: string
}

function accountCheck(table: string, kind: string, figures: Readonly<Record<string, AccountFigure>>): Check {
  const compared = Object.entries(figures).map(
    ([column, { expected }]) => `${column} as ${column}_found, ${expected} as ${column}_expected`,
  )
  return {
    figures: Object.keys(figures),
    what(figure, row) {
      const { means, against } = figures[figure] ?? { means: figure, against: 'its parts' }
      return `${means} of ${kind} ${row['id']}, against ${against}`
    },
    sql: `select id, ${compared.join(', ')} from (
        select ${table}.id as id, ${Object.keys(figures).join(', ')},
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
      ) as accounts order by id`,
  }
}

function sumOfKind(column: string, kind: string): string {
  return `cast(coalesce(sum(case when account_kind = '${kind}' then ${column} end), 0) as bigint)`
}

/** Hours of the log against hours of the rollup; either side may miss some. */
function rollupCheck(figures: readonly string[]): Check {
  const sums = (side: 'log' | 'rollup') =>
    figures.map((figure) => {
      const logged = figure === 'count' ? 'count(*)' : `sum(${figure})`
      const [expected, found] = side === 'log' ? [logged, '0'] : ['0', `sum(${figure})`]
      return `${expected} as ${figure}_logged, ${found} as ${figure}_rolled`
    })
  const compared = figures.map(
    (figure) => `cast(sum(${figure}_logged) as bigint) as ${figure}_expected,
      cast(sum(${figure}_rolled) as bigint) as ${figure}_found`,
  )
  return {
    figures,
    what: (figure, row) =>
      `${figure.replace('_', ' ')} of the hourly rollup for ${typeOf(row)} in the hour from ${hourOf(row)}, against the log`,
    sql: `select hour, type, ${compared.join(', ')} from (
        select created_at - created_at % 3600 as hour, type, ${sums('log').join(', ')} from logs where type <> ${logTypes.error} group by 1, 2
        union all
        select hour, type, ${sums('rollup').join(', ')} from usage_hourly group by 1, 2
      ) as sides group by hour, type order by hour, type`,
  }
}

function hourOf(row: CheckedRow): string {
  return new Date(Number(row['hour']) * 1000).toISOString()
}

function typeOf(row: CheckedRow): string {
  return nameOf(logTypes, Number(row['type'])) ?? `type ${row['type']}`
}
