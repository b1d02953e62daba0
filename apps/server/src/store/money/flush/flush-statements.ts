import type { SqlTexts } from '../../dialects/sql-dialect.ts'
import { ChannelFailures } from '../../log/rows/channel-failures.ts'
import { ChargeSums, hourOf } from '../../log/rows/charge-sums.ts'
import { insertLogRows } from '../../log/rows/log-rows.ts'
import { RollupSums } from '../../log/rows/rollup-sums.ts'
import type { BatchStatement } from '../../program.ts'
import type { FlushRequest, JournalSpan, Settlement } from '../../settlement.ts'
import { chargeStatements } from './charge-statements.ts'

/**
 * Everything one flush of the journal writes, in one order for all nodes: position, log rows, rollups, users, tokens,
 * channels, hourly charges. Generated while it is iterated over, group by group, and once only.
 */
export class FlushStatements implements Iterable<BatchStatement> {
  readonly #request: Omit<FlushRequest, 'batches'>
  readonly #dialect: SqlTexts
  readonly #charges: ChargeStatements

  constructor(
    request: Omit<FlushRequest, 'batches'>,
    groups: Iterable<readonly Settlement[]>,
    dialect: SqlTexts,
  ) {
    this.#request = request
    this.#dialect = dialect
    this.#charges = new ChargeStatements(groups, dialect, request.node)
  }

  /** Rows added to the log so far. */
  get logRows(): number {
    return this.#charges.logRows
  }

  *[Symbol.iterator](): Generator<BatchStatement, void> {
    const { node, after, last, spans = [] } = this.#request
    for (const sql of this.#dialect.beforeFlush) yield { sql, parameters: [] }
    yield* movePosition(node, after, last)
    for (const span of spans) yield addSpan(node, span)
    yield* this.#charges
  }
}

/** The statements of settlements, wherever those come from. Generated while it is iterated over, and once only. */
export class ChargeStatements implements Iterable<BatchStatement> {
  /** Rows added to the log so far. */
  logRows = 0
  readonly #groups: Iterable<readonly Settlement[]>
  readonly #dialect: SqlTexts
  readonly #node: string | undefined
  readonly #charges = new ChargeSums()
  /** Charges without a row in the log: the audit adds both up. */
  readonly #unlogged = new ChargeSums(hourOf)
  readonly #rollup = new RollupSums()
  readonly #failures = new ChannelFailures()

  /** @param node pays from its shares; without it what is free pays */
  constructor(groups: Iterable<readonly Settlement[]>, dialect: SqlTexts, node?: string) {
    this.#groups = groups
    this.#dialect = dialect
    this.#node = node
  }

  *[Symbol.iterator](): Generator<BatchStatement, void> {
    for (const group of this.#groups) yield* this.#logGroup(group)
    yield* chargeStatements(
      {
        charges: this.#charges,
        rollup: this.#rollup,
        unlogged: this.#unlogged,
        failures: this.#failures,
        node: this.#node,
      },
      this.#dialect,
    )
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

/** Moves the node's position from the start of the flush, which is refused unless it is there. */
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

/**
 * Continues the span that ends before this one, or begins another. The flush is refused when the database has one of its
 * entries, under whatever node it took them.
 */
function addSpan(node: string, { run, first, last }: JournalSpan): BatchStatement {
  return {
    sql: `insert into journal_spans (run, first_seq, last_seq, node)
      select cast(? as text),
        coalesce((select first_seq from journal_spans where run = ? and last_seq = ?), cast(? as bigint)),
        cast(? as bigint), cast(? as text)
      where not exists (select 1 from journal_spans where run = ? and first_seq <= ? and last_seq >= ?)
      on conflict (run, first_seq) do update set last_seq = excluded.last_seq`,
    parameters: [run, run, first - 1, first, last, node, run, last, first],
    expectedChanges: 1,
  }
}
