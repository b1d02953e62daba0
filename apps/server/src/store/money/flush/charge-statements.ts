import type { SqlTexts } from '../../dialects/sql-dialect.ts'
import type { ChannelFailures } from '../../log/rows/channel-failures.ts'
import type { ChargeSums } from '../../log/rows/charge-sums.ts'
import { openQuarters } from '../../log/rows/open-quarters.ts'
import type { RollupSums } from '../../log/rows/rollup-sums.ts'
import type { BatchStatement } from '../../program.ts'
import { addHourlyCharges, updateAccounts } from './account-charges.ts'

/** Sums of charges, by account and by user and model, and who pays them. */
export interface SummedCharges {
  readonly charges: ChargeSums
  readonly rollup: RollupSums
  /** Charges without a row in the log: the audit adds both up. */
  readonly unlogged?: ChargeSums
  readonly failures?: ChannelFailures
  /** The node that pays from its shares; without it what is free pays. */
  readonly node?: string | undefined
}

/**
 * Counts charges wherever they count. Accounts, and what is counted for each of them, come last: a transaction that credits an
 * account has added its row of the log before, and with it sums and quarters that it shares with every other one. In another order
 * the two would deadlock.
 */
export function* chargeStatements(
  { charges, rollup, unlogged, failures, node }: SummedCharges,
  dialect: SqlTexts,
): Generator<BatchStatement, void> {
  yield* rollup.statements(dialect)
  if (failures !== undefined) yield* failures.statements(dialect)
  yield* openQuarters([...charges.byStart.keys(), ...rollup.quarters], dialect)
  yield* updateAccounts(charges, dialect, node)
  yield addHourlyCharges('ledger_charges', charges, dialect)
  if (unlogged !== undefined && unlogged.byStart.size > 0)
    yield addHourlyCharges('unlogged_charges', unlogged, dialect)
}
