import { redemptionStatuses } from '@tollgate/api/roles'
import { type Check, compareSides, sideColumns } from './check.ts'

const figures = ['quota', 'credits'] as const

/**
 * Incoming money: each used code and each paid order has its one credit, and each credit its cause. What another gateway credited is
 * in the balance that was imported.
 */
export const topUpChecks: readonly Check[] = [
  reversalCheck('refund', 'refunded_quota'),
  reversalCheck('dispute', 'disputed_quota'),
  {
    figures: ['quota'],
    what: (_, row) =>
      `quota of user ${row['user_id']} for the goodwill credit of call ${row['name']}, against the credit`,
    sql: () =>
      compareSides(
        'name, user_id',
        ['quota'],
        [
          `select cast(log_id as text) as name, user_id, ${sideColumns('expected', { quota: 'amount' })}
            from goodwill_credits where taken_back_at = 0`,
          `select note as name, account_id as user_id, ${sideColumns('found', { quota: 'amount' })}
            from ledger_entries where account_kind = 'user' and cause = 'goodwill'`,
        ],
      ),
  },
  creditCheck(
    'redemption',
    'redemption code',
    `select cast(id as text) as name, used_user_id as user_id, quota as amount
      from redemptions where status = ${redemptionStatuses.used} and ${isOwn('redemptions', 'code')}`,
  ),
  creditCheck(
    'top-up',
    'order',
    `select trade_no as name, user_id, quota as amount from top_up_orders
      where status = 'success' and ${isOwn('top_up_orders', 'order')}`,
  ),
]

/** Used or paid here: what was so when it was imported keeps its date, which is before. */
function isOwn(table: string, kind: string): string {
  const at = table === 'redemptions' ? 'redeemed_at' : 'completed_at'
  return `not exists (select 1 from imported_rows where kind = '${kind}' and target_id = ${table}.id
    and imported_at >= coalesce(${table}.${at}, 0))`
}

/** Checks the reversals of an order against its entries: there may be several, and some give back. */
function reversalCheck(cause: string, column: string): Check {
  const side = (name: 'expected' | 'found') => sideColumns(name, { quota: 'amount' })
  return {
    figures: ['quota'],
    what: (_, row) =>
      `quota of user ${row['user_id']} for the ${cause} of order ${row['name']}, against the order`,
    sql: () =>
      compareSides(
        'name, user_id',
        ['quota'],
        [
          `select trade_no as name, user_id, ${side('expected')}
            from (select trade_no, user_id, -${column} as amount from top_up_orders) as orders`,
          `select note as name, account_id as user_id, ${side('found')}
            from ledger_entries where account_kind = 'user' and cause = '${cause}'`,
        ],
      ),
  }
}

/** @param causes SQL of the causes of credits: the name, which the entry has as its note, the user and the amount */
function creditCheck(cause: string, kind: string, causes: string): Check {
  const side = (name: 'expected' | 'found') => sideColumns(name, { quota: 'amount', credits: '1' })
  return {
    figures,
    what: (figure, row) =>
      `${figure} of user ${row['user_id']} for ${kind} ${row['name']}, against the ${kind}`,
    sql: () =>
      compareSides('name, user_id', figures, [
        `select name, user_id, ${side('expected')} from (${causes}) as causes`,
        `select note as name, account_id as user_id, ${side('found')}
          from ledger_entries where account_kind = 'user' and cause = '${cause}'`,
      ]),
  }
}
