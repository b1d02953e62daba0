import { endOfTime } from '@tollgate/api/calendar'
import { logTypes } from '@tollgate/api/roles'
import { type Program, query } from '../program.ts'
import type { Seconds } from '../units.ts'
import { type Fragment, hoursOf, oneStretch, rowsOfStretch } from './quarters/split-hours.ts'

/**
 * Calls of a group with one model, in parts of calls: rollups know no keys, so what a user called counts for the groups of their keys by the
 * shares of what these were charged.
 */
export interface GroupUsage {
  readonly model: string
  readonly group: string
  readonly calls: number
  /** Quota, with the ratio of the group. */
  readonly quota: number
  readonly promptTokens: number
  readonly completionTokens: number
}

const sums = {
  calls: 'count',
  quota: 'quota',
  promptTokens: 'prompt_tokens',
  completionTokens: 'completion_tokens',
} as const
const columns = Object.values(sums)

/**
 * Reads what calls came to since a quarter of an hour, by group and model, of the logged ones: each call counts once. The group is that of now: a key's
 * own, or its owner's where the key has none, or nobody called with a key.
 * @param models as keys of rollups have them; absent: all
 */
export function* readGroupUsage(since: Seconds, models?: readonly string[]): Program<readonly GroupUsage[]> {
  // PostgreSQL knows no empty list.
  if (models?.length === 0) return []
  const [known] = yield* query<{ earliest: number | null; latest: number | null }>(
    'select min(hour) as earliest, max(hour) as latest from usage_hourly where hour >= ?',
    [since],
  )
  const stretch = oneStretch(since, endOfTime)
  const hours = hoursOf(stretch, known?.earliest ?? 0, known?.latest ?? -1)
  const charged = rowsOfStretch({
    stretch,
    key: ['account_id'],
    sums: ['amount'],
    ...rowsIn('ledger_charges', 'charge_quarters', ['account_id', 'amount'], ofKeys),
  })
  const used = rowsOfStretch({
    stretch,
    key: ['user_id', 'model'],
    sums: columns,
    ...rowsIn('usage_hourly', 'usage_quarters', ['user_id', 'model', ...columns], callsWith(models)),
  })
  const totals = Object.entries(sums).map(
    ([name, column]) => `sum(used.${column} * coalesce(shares.share, 1)) as "${name}"`,
  )
  return yield* query<GroupUsage>(
    `${hours.sql}, shares as (
        select tokens.user_id, ${groupOfKey} as "group",
          cast(sum(charged.amount) as double precision) / sum(sum(charged.amount)) over (partition by tokens.user_id) as share
        from ${charged.sql} as charged join tokens on tokens.id = charged.account_id join users on users.id = tokens.user_id
        group by tokens.user_id, ${groupOfKey} having sum(charged.amount) > 0
      )
      select used.model, coalesce(shares."group", users."group") as "group", ${totals.join(', ')}
      from ${used.sql} as used join users on users.id = used.user_id left join shares on shares.user_id = used.user_id
      group by 1, 2 order by 1, 2`,
    [...hours.parameters, ...charged.parameters, ...used.parameters],
  )
}

const groupOfKey = `coalesce(nullif(tokens."group", ''), users."group")`
const ofKeys: Fragment = { sql: `account_kind = 'token'`, parameters: [] }

function callsWith(models: readonly string[] | undefined): Fragment {
  const those = models === undefined ? '' : ` and model in (${models.map(() => '?').join(', ')})`
  return { sql: `type = ${logTypes.consumption}${those}`, parameters: models ?? [] }
}

/** Returns where rows of a rollup are: in the hours of a stretch, and in quarters that have rows of their own. */
function rowsIn(table: string, quarters: string, names: readonly string[], only: Fragment) {
  const sql = `select ${names.join(', ')} from hours cross join ${table} as rows_of_hour
    where rows_of_hour.hour = hours.hour and ${only.sql}`
  return { rows: { sql, parameters: only.parameters }, quarters, only }
}
