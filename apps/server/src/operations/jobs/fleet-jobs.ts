import { storedChangesMs } from '../../fleet/changes.ts'
import { reclaimedMs } from '../../fleet/nodes.ts'
import type { Store } from '../../store/store.ts'
import type { Job } from './scheduler.ts'

const minute = 60_000
/** A node that is gone stays in the list, with what its journal has, for so long. */
const storedNodesMs = 30 * 24 * 60 * minute

const reclaimEveryMs = 5000
/** After a longer pause the database may have been away from everybody, and nobody could say that it lives. */
const reclaimGapMs = 3 * reclaimEveryMs

/** Returns the jobs that settle what gone nodes held, and keep the fleet's tables small. */
export function fleetJobs(
  store: Pick<Store, 'changes' | 'limitCounts' | 'nodes' | 'transaction'>,
): readonly Job[] {
  let lookedAt = Number.NEGATIVE_INFINITY
  return [
    {
      name: 'reclaim-shares',
      scope: 'fleet',
      everyMs: reclaimEveryMs,
      async run() {
        const silent = await store.nodes.listSilent(reclaimedMs)
        const isFirst = performance.now() - lookedAt > reclaimGapMs
        lookedAt = performance.now()
        if (isFirst) return
        for (const node of silent)
          await store.transaction(async (tx) => {
            if (await tx.nodes.markReclaimed(node, reclaimedMs)) await tx.ledger.shares?.returnAll(node)
          })
      },
    },
    {
      name: 'forget-old-counts',
      scope: 'fleet',
      everyMs: minute,
      run: () => store.limitCounts.deleteExpired(),
    },
    {
      name: 'forget-old-changes',
      scope: 'fleet',
      everyMs: 5 * minute,
      async run() {
        await store.changes.removeOlder(storedChangesMs)
        await store.nodes.removeSilent(storedNodesMs)
      },
    },
  ]
}
