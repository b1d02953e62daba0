import { keptChangesMs } from '../fleet/changes.ts'
import type { Store } from '../store/store.ts'
import type { Job } from './scheduler.ts'

const minute = 60_000
/** A node that is gone stays in the list, with what its journal has, for so long. */
const keptNodesMs = 30 * 24 * 60 * minute

/** Keeps the tables of the fleet small. */
export function fleetJobs({ changes, nodes }: Pick<Store, 'changes' | 'nodes'>): readonly Job[] {
  return [
    {
      name: 'forget-old-changes',
      scope: 'fleet',
      everyMs: 5 * minute,
      async run() {
        await changes.removeOlder(keptChangesMs)
        await nodes.removeSilent(keptNodesMs)
      },
    },
  ]
}
