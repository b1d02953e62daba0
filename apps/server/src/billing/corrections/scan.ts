import { setImmediate as turn } from 'node:timers/promises'
import type { LogFilter, LogRow } from '../../store/log/index/log-row.ts'
import type { UsageRepository } from '../../store/log/usage.ts'
import type { CorrectionRepository, Store } from '../../store/store.ts'
import type { Quota } from '../../store/units.ts'
import { type CallFacts, factsOf, rechargeOf } from './recharge.ts'
import type { RightTerms } from './right-terms.ts'

/** A logged call, what is charged of it by now, and what it costs by the right terms. */
export interface RechargedCall {
  readonly row: LogRow
  readonly charged: Quota
  /** `undefined` where its row does not have the counts that the price needs. */
  readonly right: Quota | undefined
  /** Credit of good will that is in force for it. */
  readonly credited: Quota
}

interface Dependencies {
  readonly usage: Pick<UsageRepository, 'batch'>
  readonly corrections: Pick<CorrectionRepository, 'hasApplied' | 'listChanges'>
  readonly goodwill: Pick<Store['goodwill'], 'hasGiven' | 'listAmounts'>
}

/** Calls wait for a batch, some four milliseconds. */
const rowsPerBatch = 500

/**
 * Every charged call of the filters with its right charge, in batches, between which calls have the event loop.
 */
export async function* scanCalls(
  { usage, corrections, goodwill }: Dependencies,
  filters: readonly LogFilter[],
  terms: RightTerms,
): AsyncGenerator<readonly RechargedCall[], void> {
  const [hasApplied, hasGiven] = await Promise.all([corrections.hasApplied(), goodwill.hasGiven()])
  for (const filter of filters) {
    let before: number | undefined
    do {
      const { rows, next } = await usage.batch(filter, before, rowsPerBatch)
      const ids = rows.map(({ id }) => id)
      const changes = hasApplied ? await corrections.listChanges(ids) : undefined
      const credits = hasGiven ? await goodwill.listAmounts(ids) : undefined
      yield rows.map((row) => ({
        ...rechargedCall(row, row.quota + (changes?.get(row.id) ?? 0), terms),
        credited: credits?.get(row.id) ?? 0,
      }))
      before = next
      await turn()
    } while (before !== undefined)
  }
}

function rechargedCall(row: LogRow, charged: Quota, { settings, priceOf }: RightTerms) {
  const facts = factsOf(row)
  if (facts === undefined) return { row, charged, right: undefined }
  const price = priceOf(row.model, row.group, facts.group_ratio, acceptedAt(row, facts))
  return { row, charged, right: price === 'unpriced' ? undefined : rechargeOf(row, facts, price, settings) }
}

/** The moment whose price a call has. A row without it was written when the call was charged: it lasted as long as it says. */
function acceptedAt({ createdAt }: LogRow, { accepted_at: at, timing }: CallFacts): number {
  return at ?? createdAt - Math.round((timing?.done ?? 0) / 1000)
}
