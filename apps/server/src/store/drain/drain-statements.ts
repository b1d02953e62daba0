import type { SqlWords } from '../dialects/words.ts'
import type { BatchStatement } from '../program.ts'
import type { DrainBatch, Settlement } from '../store.ts'
import { type AccountCharge, sumCharges } from './aggregate.ts'
import { jsonRows } from './json-rows.ts'
import { logRowStatements, type NewLogRow } from './log-rows.ts'

/** Everything one drain writes, in one order for all nodes: users, then tokens, then channels. */
export function drainStatements({ node, after, settlements }: DrainBatch, words: SqlWords): BatchStatement[] {
  const { accounts, hourly } = sumCharges(settlements)
  return [
    ...words.beforeDrain.map((sql) => ({ sql, parameters: [] })),
    ...movePosition(node, after, settlements.at(-1)?.seq ?? after),
    charge('users', accounts.user, words, 'quota = users.quota - paid.quota, request_count = request_count + calls'),
    charge(
      'tokens',
      accounts.token,
      words,
      `remain_quota = remain_quota - paid.quota,
        accessed_at = case when accessed_at < paid.at then paid.at else accessed_at end`,
    ),
    charge('channels', accounts.channel, words, ''),
    {
      sql: `insert into ledger_charges (hour, account_kind, account_id, amount, calls)
        select * from ${words.rowsFromJson({ hour: 'integer', kind: 'text', id: 'integer', quota: 'integer', calls: 'integer' })}
          as paid where true
        on conflict (hour, account_kind, account_id) do update set
          amount = ledger_charges.amount + excluded.amount, calls = ledger_charges.calls + excluded.calls`,
      parameters: [jsonRows(hourly, ({ hour, kind, id, quota, calls }) => [hour, kind, id, quota, calls])],
    },
    ...logRowStatements(loggedRows(settlements), words),
  ]
}

export function loggedRows(settlements: readonly Settlement[]): NewLogRow[] {
  return settlements.flatMap(({ seq: _seq, logged, ...row }) =>
    logged ? [{ ...row, type: 'consumption' as const }] : [],
  )
}

/** The batch is refused unless the node's position is where the batch begins. */
function movePosition(node: string, from: number, to: number): BatchStatement[] {
  return [
    { sql: 'insert into journal_positions (node, seq) values (?, 0) on conflict do nothing', parameters: [node] },
    {
      sql: 'update journal_positions set seq = ? where node = ? and seq = ?',
      parameters: [to, node, from],
      expectedChanges: 1,
    },
  ]
}

/** All accounts of one table in one statement. An account that is gone has nothing to count; its charges stay. */
function charge(
  table: 'users' | 'tokens' | 'channels',
  accounts: readonly AccountCharge[],
  words: SqlWords,
  set: string,
): BatchStatement {
  const paid = words.rowsFromJson({ id: 'integer', quota: 'integer', calls: 'integer', at: 'integer' })
  return {
    sql: `update ${table} set used_quota = used_quota + paid.quota${set === '' ? '' : `, ${set}`}
      from ${paid} as paid where ${table}.id = paid.id`,
    parameters: [jsonRows(accounts, ({ id, quota, calls, at }) => [id, quota, calls, at])],
  }
}
