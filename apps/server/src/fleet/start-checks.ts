import type { Clock } from '@tollgate/base'
import { StoreOpenError } from '../store/errors.ts'
import type { Store } from '../store/store.ts'

const minute = 60_000
const mostSkewMs = 5 * minute

interface Dependencies {
  readonly store: Pick<Store, 'kind' | 'nodes'>
  /** The wall clock. */
  readonly clock: Clock
}

/**
 * Refuses to start a node that could only do harm on a shared database.
 * @throws StoreOpenError with one sentence that says what to do
 */
export async function refuseUnfitNode({ store, clock }: Dependencies): Promise<void> {
  if (store.kind !== 'postgres') return
  const before = clock.now()
  const databaseMs = await store.nodes.now()
  // The database read its clock at some moment in between.
  const aheadMs = (before + clock.now()) / 2 - databaseMs
  if (Math.abs(aheadMs) > mostSkewMs) throw new StoreOpenError(skewSentence(aheadMs))
}

function skewSentence(aheadMs: number): string {
  const minutes = Math.round(Math.abs(aheadMs) / minute)
  const where = aheadMs > 0 ? 'ahead of' : 'behind'
  return `The clock of this machine is ${minutes} minutes ${where} that of the database: synchronize both (NTP) and start again.`
}
