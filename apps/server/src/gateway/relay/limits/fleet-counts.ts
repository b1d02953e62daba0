import { monotonicClock, systemClock } from '@tollgate/base'
import type { Logger } from '../../../lib/logger.ts'
import type { LimitCountRepository } from '../../../store/fleet/limit-counts.ts'
import { FailoverStore, type NamedStore } from './failover-store.ts'
import type { LimitCounts } from './limit-counts.ts'
import { createMemorySlices } from './memory-slices.ts'
import { createRedisSlices } from './redis-slices.ts'
import { SharedCounts } from './shared-counts.ts'
import type { SliceStore } from './slice-store.ts'

interface FleetCountsOptions {
  /** Id of this node. */
  readonly node: string
  /** Live nodes of the fleet. */
  readonly nodes: () => number
  readonly repository: LimitCountRepository
  readonly redisUrl: string | undefined
  readonly logger: Logger
}

export interface FleetCounts {
  readonly counts: LimitCounts
  /** Gives back what this node holds, so that other nodes can grant it. */
  close(): Promise<void>
}

/** Counts of limits over all nodes: in Redis where there is one, else in PostgreSQL, else each node its part. */
export function createFleetCounts(options: FleetCountsOptions): FleetCounts {
  const { node, nodes, repository, redisUrl, logger } = options
  const redis = redisUrl === undefined ? undefined : createRedisSlices(redisUrl, node)
  const postgres: SliceStore = { exchange: (requests) => repository.exchange(node, requests) }
  const stores: NamedStore[] = [
    ...(redis === undefined ? [] : [{ name: 'Redis', store: redis }]),
    { name: 'PostgreSQL', store: postgres },
    { name: 'this node', store: createMemorySlices(() => systemClock.now(), nodes) },
  ]
  const store = new FailoverStore(stores, monotonicClock, logger)
  const counts = new SharedCounts({ store, clock: monotonicClock, nodes, logger })
  return {
    counts,
    async close() {
      await counts.close()
      redis?.close()
    },
  }
}
