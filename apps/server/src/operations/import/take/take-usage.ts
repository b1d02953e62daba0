import type { Store } from '../../../store/store.ts'
import { type ImportContext, unitOf } from '../import-context.ts'
import type { SourceUser } from '../import-source.ts'

/** Sums of the rows taken from the log. */
export interface UsageTotals {
  calls: number
  /** Hourly sums that they became. */
  sums: number
  quota: number
  /** Spent there without a row in the log. */
  unlogged: number
}

/**
 * Charges a user what they spent there: the logged calls by hour, the rest in one sum, so that counters are the same as there to
 * the unit.
 */
export async function takeUsage(
  context: ImportContext,
  tx: Store,
  { id, sourceId, user }: { readonly id: number; readonly sourceId: string; readonly user: SourceUser },
  totals: UsageTotals,
): Promise<void> {
  const { source, ids, now } = context
  const logged = await source.callsOf(sourceId, unitOf(context))
  const calls = []
  for (const { channel, ...sum } of logged)
    calls.push({ ...sum, userId: id, channelId: (await ids.of(tx, 'channel', channel)) ?? 0 })
  const charged = calls.filter(({ type }) => type === 'consumption')
  const quota = charged.reduce((sum, call) => sum + call.quota, 0)
  const count = charged.reduce((sum, call) => sum + call.count, 0)
  const rest = { quota: user.usedQuota - quota, calls: user.requestCount - count, at: now }
  const isWhole = rest.quota === 0 && rest.calls === 0
  await tx.imports.addUsage({
    calls,
    // Through a channel that is not known: the audit holds both sides of an hour against each other.
    charges: isWhole
      ? []
      : [
          { kind: 'user', id, ...rest },
          { kind: 'channel', id: 0, ...rest },
        ],
  })
  totals.calls += calls.reduce((sum, call) => sum + call.count, 0)
  totals.sums += calls.length
  totals.quota += quota
  totals.unlogged += rest.quota
}
