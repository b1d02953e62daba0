import type { AccountKind } from '../../settlement.ts'
import { type Check, compareSides, hourOf, sideColumns } from './check.ts'

/** Balances and counters of accounts, against the credits and charges they are made of. */
export const accountChecks: readonly Check[] = [
  balanceCheck('user_accounts', 'user', {
    quota: { means: 'quota', expected: 'credited - charged', against: 'credits less charges' },
    used_quota: { means: 'used quota', expected: 'charged', against: 'charges' },
    request_count: { means: 'request count', expected: 'calls', against: 'charged calls' },
  }),
  balanceCheck('token_accounts', 'token', {
    remain_quota: {
      means: 'remaining quota',
      expected: 'credited - charged',
      against: 'credits less charges',
    },
    used_quota: { means: 'used quota', expected: 'charged', against: 'charges' },
  }),
  balanceCheck('channel_accounts', 'channel', {
    used_quota: { means: 'used quota', expected: 'charged - credited', against: 'charges less credits' },
  }),
  correctionCheck('user', 'user_id'),
  correctionCheck('token', 'token_id'),
  grantCheck('user_accounts', 'user'),
  grantCheck('token_accounts', 'token'),
  {
    figures: ['held'],
    what: (_, row) => `quota held for open work of ${row['kind']} ${row['id']}, against its entries`,
    sql: () =>
      compareSides(
        'kind, id',
        ['held'],
        [
          `select account_kind as kind, account_id as id, ${sideColumns('expected', { held: '-amount' })}
            from ledger_entries where cause in ('hold', 'hold-release')`,
          `select account_kind as kind, account_id as id, ${sideColumns('found', { held: 'amount' })} from holds`,
        ],
      ),
  },
  {
    figures: ['quota', 'calls'],
    what: (figure, row) => `${figure} charged to channels in the hour from ${hourOf(row)}, against users`,
    sql: () =>
      compareSides(
        'hour',
        ['quota', 'calls'],
        [chargesOf('expected', 'user'), chargesOf('found', 'channel')],
      ),
  },
]

/** Checks corrections, which are in the charges of their hours: of each, every account has one entry with the sum. */
function correctionCheck(kind: 'user' | 'token', column: string): Check {
  return {
    figures: ['corrected'],
    what: (_, row) =>
      `quota by which correction ${row['name']} changed the charges of ${kind} ${row['id']}, against its ledger entry`,
    sql: () =>
      compareSides(
        'name, id',
        ['corrected'],
        [
          `select cast(correction_id as text) as name, ${column} as id, ${sideColumns('expected', { corrected: '-amount' })}
            from correction_sums where applied = 1 and ${column} <> 0`,
          `select note as name, account_id as id, ${sideColumns('found', { corrected: 'amount' })}
            from ledger_entries where account_kind = '${kind}' and cause = 'correction'`,
        ],
      ),
  }
}

function chargesOf(side: 'expected' | 'found', kind: AccountKind): string {
  const columns = sideColumns(side, { quota: 'amount', calls: 'calls' })
  return `select hour, ${columns} from ledger_charges where account_kind = '${kind}'`
}

/**
 * Checks that a balance has been granted exactly what the nodes hold of it, at every moment. No share has a bound of its own: one is
 * below zero while charges exceed it, and the free part is while a debit exceeds it.
 */
function grantCheck(table: string, kind: AccountKind): Check {
  return {
    figures: ['granted'],
    what: (_, row) => `quota of ${kind} ${row['id']} granted to nodes, against their shares`,
    sql: () => `select id, granted as granted_found, cast(coalesce(shares.amount, 0) as bigint) as granted_expected
      from ${table} left join (
        select account_id, sum(amount) as amount from balance_shares where account_kind = '${kind}' group by account_id
      ) as shares on account_id = id order by id`,
  }
}

interface AccountFigure {
  readonly means: string
  /** SQL over `credited`, `charged` and `calls`. */
  readonly expected: string
  readonly against: string
}

function balanceCheck(
  table: string,
  kind: AccountKind,
  figures: Readonly<Record<string, AccountFigure>>,
): Check {
  const compared = Object.entries(figures).map(
    ([column, { expected }]) => `${column} as ${column}_found, ${expected} as ${column}_expected`,
  )
  return {
    figures: Object.keys(figures),
    what(figure, row) {
      const { means, against } = figures[figure] ?? { means: figure, against: 'its parts' }
      return `${means} of ${kind} ${row['id']}, against ${against}`
    },
    sql: () => `select id, ${compared.join(', ')} from (
        select ${table}.id as id, ${Object.keys(figures).join(', ')},
          coalesce(credits.amount, 0) as credited, coalesce(charges.amount, 0) as charged,
          coalesce(charges.calls, 0) as calls
        from ${table}
        left join (
          select account_id, cast(sum(amount) as bigint) as amount
          from ledger_entries where account_kind = '${kind}' and cause <> 'correction' group by account_id
        ) as credits on credits.account_id = ${table}.id
        left join (
          select account_id, cast(sum(amount) as bigint) as amount, cast(sum(calls) as bigint) as calls
          from ledger_charges where account_kind = '${kind}' group by account_id
        ) as charges on charges.account_id = ${table}.id
      ) as accounts order by id`,
  }
}
