import type { Clock } from '@tollgate/base'
import { StoreOpenError } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import { aheadOfDatabase, maxSkewMs, skewText } from './clock-skew.ts'

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
  const aheadMs = await aheadOfDatabase(store, clock)
  if (Math.abs(aheadMs) > maxSkewMs)
    throw new StoreOpenError(`${skewText(aheadMs)}: synchronize both (NTP) and start again.`)
}
