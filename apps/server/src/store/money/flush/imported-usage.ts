import type { SqlDialect } from '../../dialects/sql-dialect.ts'
import { ChargeSums, type CostSum, hourOf } from '../../log/rows/charge-sums.ts'
import { RollupSums } from '../../log/rows/rollup-sums.ts'
import type { BatchStatement } from '../../program.ts'
import { storableText } from '../../schema/text.ts'
import type { AccountKind } from '../../settlement.ts'
import type { Quota, Seconds } from '../../units.ts'
import { chargeStatements } from './charge-statements.ts'

/** Calls of one user, model and channel in an hour, as another gateway logged them. */
export interface ImportedCalls {
  readonly hour: Seconds
  readonly type: 'consumption' | 'error'
  readonly userId: number
  readonly model: string
  /** 0 when it is not known here. */
  readonly channelId: number
  readonly count: number
  readonly quota: Quota
  readonly promptTokens: number
  readonly completionTokens: number
  /** Costs for the operator, where they are known. */
  readonly costs?: CostSum
}

/** Charges of an account at the other gateway beyond the logged calls. */
export interface ImportedCharge {
  readonly kind: AccountKind
  readonly id: number
  readonly quota: Quota
  readonly calls: number
  readonly at: Seconds
}

/** Usage of another gateway: it counts in balances, rollups and hourly charges, and has no rows in the log. */
export interface ImportedUsage {
  readonly calls: readonly ImportedCalls[]
  readonly charges: readonly ImportedCharge[]
}

/** The statements that write it, in the order in which a flush writes the same tables. */
export function* importedUsageStatements(
  { calls, charges }: ImportedUsage,
  dialect: SqlDialect,
): Generator<BatchStatement, void> {
  const sums = new ChargeSums()
  const unlogged = new ChargeSums(hourOf)
  const rollup = new RollupSums()
  for (const { costs, ...sum } of calls) {
    const row = { ...sum, model: storableText(sum.model), createdAt: sum.hour }
    rollup.addSum(sum.type, row, sum.count, costs)
    if (sum.type === 'error') continue
    const charge = { quota: sum.quota, calls: sum.count, at: sum.hour, ...costs }
    sums.addSum('user', { id: sum.userId, ...charge })
    sums.addSum('channel', { id: sum.channelId, ...charge })
    unlogged.addSum('channel', { id: sum.channelId, ...charge })
  }
  for (const { kind, ...charge } of charges) {
    sums.addSum(kind, charge)
    unlogged.addSum(kind, charge)
  }
  yield* chargeStatements({ charges: sums, rollup, unlogged }, dialect)
  yield rollup.byUser('imported_usage', dialect)
}
