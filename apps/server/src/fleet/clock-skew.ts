import type { Clock } from '@tollgate/base'
import type { Store } from '../store/store.ts'

const minute = 60_000
/** Beyond it a node does not start, and one that runs does no work for the others. */
export const maxSkewMs = 5 * minute

/** Measures how far this machine's clock is ahead of the database's, in ms; below zero where it is behind. */
export async function aheadOfDatabase({ nodes }: Pick<Store, 'nodes'>, clock: Clock): Promise<number> {
  const before = clock.now()
  const databaseMs = await nodes.now()
  // The database read its clock at some moment in between.
  return (before + clock.now()) / 2 - databaseMs
}

/** Says how far the clocks are apart, and in which direction. */
export function skewText(aheadMs: number): string {
  const minutes = Math.round(Math.abs(aheadMs) / minute)
  return `The clock of this machine is ${minutes} minutes ${aheadMs > 0 ? 'ahead of' : 'behind'} that of the database`
}
