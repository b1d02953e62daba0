import { endOfTime } from '@tollgate/api/calendar'
import { type Program, query } from '../program.ts'
import type { Quota, Seconds } from '../units.ts'
import { type Fragment, hoursOf, oneStretch, rowsOfStretch } from './quarters/split-hours.ts'

/** Charges of the keys in one group. */
export interface GroupCharges {
  readonly group: string
  readonly quota: Quota
}

const ofKeys: Fragment = { sql: `account_kind = 'token'`, parameters: [] }

/**
 * Reads what the keys of each group were charged since a quarter of an hour. The group is that of now: the key's own, or its owner's where it
 * has none. Calls of the playground are of no key.
 */
export function* readGroupCharges(since: Seconds): Program<readonly GroupCharges[]> {
  const [known] = yield* query<{ earliest: number | null; latest: number | null }>(
    'select min(hour) as earliest, max(hour) as latest from ledger_charges where hour >= ?',
    [since],
  )
  const stretch = oneStretch(since, endOfTime)
  const hours = hoursOf(stretch, known?.earliest ?? 0, known?.latest ?? -1)
  const { sql, parameters } = rowsOfStretch({
    stretch,
    key: ['account_id'],
    sums: ['amount'],
    rows: {
      sql: `select account_id, amount from hours cross join ledger_charges as charges
        where charges.hour = hours.hour and ${ofKeys.sql}`,
      parameters: ofKeys.parameters,
    },
    quarters: 'charge_quarters',
    only: ofKeys,
  })
  return yield* query<GroupCharges>(
    `${hours.sql} select coalesce(nullif(tokens."group", ''), users."group") as "group",
        cast(sum(charges.amount) as bigint) as quota
      from ${sql} as charges join tokens on tokens.id = charges.account_id join users on users.id = tokens.user_id
      group by 1 order by 1`,
    [...hours.parameters, ...parameters],
  )
}
