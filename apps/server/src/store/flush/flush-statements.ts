import type { RowColumns, SqlDialect } from '../dialects/sql-dialect.ts'
import type { BatchStatement } from '../program.ts'
import type { FlushRequest, Settlement } from '../settlement.ts'
import { ChannelFailures } from './channel-failures.ts'
import { type AccountCharge, accountKinds, ChargeSums } from './charge-sums.ts'
import { insertLogRows } from './log-rows.ts'
import { RollupSums } from './rollup-sums.ts'

/**
 * Everything one flush of the journal writes, in one order for all nodes: position, log rows, users, tokens, channels,
 * rollups. Generated while it is iterated over, group by group, and once only.
 */
export class FlushStatements implements Iterable<BatchStatement> {
  readonly #request: Omit<FlushRequest, 'batches'>
  readonly #dialect: SqlDialect
  readonly #charges: ChargeStatements

  constructor(
    request: Omit<FlushRequest, 'batches'>,
    groups: Iterable<readonly Settlement[]>,
    dialect: SqlDialect,
  ) {
    this.#request = request
    this.#dialect = dialect
    this.#charges = new ChargeStatements(groups, dialect)
  }

  /** Rows added to the log so far. */
  get logRows(): number {
    return this.#charges.logRows
  }

  *[Symbol.iterator](): Generator<BatchStatement, void> {
    const { node, after, last } = this.#request
    for (const sql of this.#dialect.beforeFlush) yield { sql, parameters: [] }
    yield* movePosition(node, after, last)
    yield* this.#charges
  }
}

/** The statements of settlements, wherever those come from. Generated while it is iterated over, and once only. */
export class ChargeStatements implements Iterable<BatchStatement> {
  /** Rows added to the log so far. */
  logRows = 0
  readonly #groups: Iterable<readonly Settlement[]>
  readonly #dialect: SqlDialect
  readonly #charges = new ChargeSums()
  /** Charges without a row in the log: the audit adds both up. */
  readonly #unlogged = new ChargeSums()
  readonly #rollup = new RollupSums()
  readonly #failures = new ChannelFailures()

  constructor(groups: Iterable<readonly Settlement[]>, dialect: SqlDialect) {
    this.#groups = groups
    this.#dialect = dialect
  }

  *[Symbol.iterator](): Generator<BatchStatement, void> {
    for (const group of this.#groups) yield* this.#logGroup(group)
    yield* updateAccounts(this.#charges, this.#dialect)
    yield addHourlyCharges('ledger_charges', this.#charges, this.#dialect)
    if (this.#unlogged.byHour.size > 0)
      yield addHourlyCharges('unlogged_charges', this.#unlogged, this.#dialect)
    yield* this.#rollup.statements(this.#dialect)
    yield* this.#failures.statements(this.#dialect)
  }

  *#logGroup(settlements: readonly Settlement[]): Generator<BatchStatement, void> {
    this.#charges.add(settlements)
    const logged = settlements.filter((settlement) => settlement.logged)
    if (logged.length < settlements.length)
      this.#unlogged.add(settlements.filter((settlement) => !settlement.logged))
    if (logged.length === 0) return
    this.logRows += logged.length
    for (const row of logged) {
      this.#rollup.add(row.kind, row)
      if (row.kind === 'error') this.#failures.add(row)
    }
    yield insertLogRows(logged, (row) => row.kind, this.#dialect)
  }
}

/** The flush is refused unless the node's position is at its start. */
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

/** A deleted account has no counters; its charges stay. */
function* updateAccounts(charges: ChargeSums, dialect: SqlDialect): Generator<BatchStatement, void> {
  const { user, token, channel } = charges.total()
  yield dialect.updateRows(
    'user_accounts',
    { id: 'integer', quota: 'integer', calls: 'integer' },
    (paid) => `quota = user_accounts.quota - ${paid('quota')}, used_quota = used_quota + ${paid('quota')},
        request_count = request_count + ${paid('calls')}`,
    inOrder(user).map(({ id, quota, calls }) => [id, quota, calls]),
  )
  yield dialect.updateRows(
    'token_accounts',
    { id: 'integer', quota: 'integer', at: 'integer' },
    (paid) => `remain_quota = remain_quota - ${paid('quota')}, used_quota = used_quota + ${paid('quota')},
        accessed_at = case when accessed_at < ${paid('at')} then ${paid('at')} else accessed_at end`,
    inOrder(token).map(({ id, quota, at }) => [id, quota, at]),
  )
  yield dialect.updateRows(
    'channel_accounts',
    { id: 'integer', quota: 'integer' },
    (paid) => `used_quota = used_quota + ${paid('quota')}`,
    inOrder(channel).map(({ id, quota }) => [id, quota]),
  )
}

/** By id, like the tables: neighbours are on one page. */
function inOrder(charges: ReadonlyMap<number, AccountCharge>): AccountCharge[] {
  return [...charges.values()].sort((a, b) => a.id - b.id)
}

const hourlyCharges: RowColumns = {
  hour: 'integer',
  account_kind: 'text',
  account_id: 'integer',
  amount: 'integer',
  calls: 'integer',
}

function addHourlyCharges(table: string, { byHour }: ChargeSums, dialect: SqlDialect): BatchStatement {
  const rows = Array.from(byHour, ([hour, charges]) =>
    accountKinds.flatMap((kind) =>
      inOrder(charges[kind]).map(({ id, quota, calls }) => [hour, kind, id, quota, calls]),
    ),
  ).flat()
  return dialect.insertRows(
    table,
    hourlyCharges,
    rows,
    `on conflict (hour, account_kind, account_id) do update set
      amount = ${table}.amount + excluded.amount, calls = ${table}.calls + excluded.calls`,
  )
}
