import { logTypes } from '@tollgate/api/roles'
import { type Program, query, type Value } from '../../program.ts'

/** Accounts whose charges have no other sums than the log. The hourly rollup has those of users. */
const columns = { token: 'token_id', channel: 'channel_id' } as const

const sums = ['amount', 'calls', 'cost', 'costed_quota', 'costed_calls'] as const

/**
 * Adds what rows charge to the sums of cleared rows, by hour and account, before they are deleted: the audit compares charges with them
 * from then on. Runs in the transaction that deletes.
 * @param rows a table and a condition, as SQL
 */
export function* sumCleared(rows: string, parameters: readonly Value[]): Program<void> {
  for (const [kind, column] of Object.entries(columns))
    yield* query(
      `insert into cleared_charges (hour, account_kind, account_id, ${sums.join(', ')})
        select created_at - created_at % 3600, '${kind}', ${column}, cast(sum(quota) as bigint), count(*),
          cast(sum(coalesce(cost, 0)) as bigint), cast(sum(case when cost is null then 0 else quota end) as bigint), count(cost)
        from ${rows} and type = ${logTypes.consumption} and ${column} <> 0
        group by created_at - created_at % 3600, ${column}
        on conflict (hour, account_kind, account_id) do update set
          ${sums.map((sum) => `${sum} = cleared_charges.${sum} + excluded.${sum}`).join(', ')}`,
      parameters,
    )
}
