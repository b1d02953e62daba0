import type { SqlWords } from '../dialects/words.ts'
import type { BatchStatement } from '../program.ts'
import type { DrainBatch, Settlement } from '../store.ts'
import { accountKinds, type ChargeSums, sumCharges } from './aggregate.ts'
import { jsonRows } from './json-rows.ts'
import { logRowStatements } from './log-rows.ts'

/** Settlements that make a row in the log. */
export function loggedOf(settlements: readonly Settlement[]): readonly Settlement[] {
  return settlements.every(({ logged }) => logged) ? settlements : settlements.filter(({ logged }) => logged)
}

/**
 * Everything one drain writes, in one order for all nodes: users, then tokens, then channels. Made piece by piece, none
 * of which takes long, so that calls can pass between two.
 * @param logged what `loggedOf` finds in the batch
 */
export function* drainStatements(
  { node, after, settlements }: DrainBatch,
  logged: readonly Settlement[],
  words: SqlWords,
): Generator<BatchStatement, void> {
  const sums = sumCharges(settlements)
  for (const sql of words.beforeDrain) yield { sql, parameters: [] }
  yield* movePosition(node, after, settlements.at(-1)?.seq ?? after)
  yield* updateAccounts(sums.total, words)
  yield addHourlyCharges(sums.byHour, words)
  yield* logRowStatements(logged, () => 'consumption', words)
}

/** The batch is refused unless the node's position is where the batch begins. */
function movePosition(node: string, from: number, to: number): BatchStatement[] {
  return [
    {
      sql: 'insert into journal_positions (node, seq) values (?, 0) on conflict do nothing',
      parameters: [node],
    },
    {
      sql: 'update journal_positions set seq = ? where node = ? and seq = ?',
      parameters: [to, node, from],
      expectedChanges: 1,
    },
  ]
}

/** An account that is gone has nothing to count; its charges stay. */
function* updateAccounts(
  { user, token, channel }: ChargeSums['total'],
  words: SqlWords,
): Generator<BatchStatement, void> {
  yield words.updateRows(
    'users',
    { id: 'integer', quota: 'integer', calls: 'integer' },
    (paid) => `quota = users.quota - ${paid('quota')}, used_quota = used_quota + ${paid('quota')},
        request_count = request_count + ${paid('calls')}`,
    jsonRows([...user.values()], ({ id, quota, calls }) => [id, quota, calls]),
  )
  yield words.updateRows(
    'tokens',
    { id: 'integer', quota: 'integer', at: 'integer' },
    (paid) => `remain_quota = remain_quota - ${paid('quota')}, used_quota = used_quota + ${paid('quota')},
        accessed_at = case when accessed_at < ${paid('at')} then ${paid('at')} else accessed_at end`,
    jsonRows([...token.values()], ({ id, quota, at }) => [id, quota, at]),
  )
  yield words.updateRows(
    'channels',
    { id: 'integer', quota: 'integer' },
    (paid) => `used_quota = used_quota + ${paid('quota')}`,
    jsonRows([...channel.values()], ({ id, quota }) => [id, quota]),
  )
}

function addHourlyCharges(byHour: ChargeSums['byHour'], words: SqlWords): BatchStatement {
  const rows = Array.from(byHour, ([hour, charges]) =>
    accountKinds.flatMap((kind) =>
      Array.from(charges[kind].values(), ({ id, quota, calls }) => [hour, kind, id, quota, calls]),
    ),
  ).flat()
  return words.insertRows(
    'ledger_charges',
    { hour: 'integer', account_kind: 'text', account_id: 'integer', amount: 'integer', calls: 'integer' },
    jsonRows(rows, (row) => row),
    `on conflict (hour, account_kind, account_id) do update set
      amount = ledger_charges.amount + excluded.amount, calls = ledger_charges.calls + excluded.calls`,
  )
}
