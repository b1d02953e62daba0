import { hostname } from 'node:os'
import { monotonicClock } from '@tollgate/base'
import { journalDirectories, journalNode } from '../billing/journal/open.ts'
import type { Config } from '../config.ts'
import { createFleet, createLoneFleet, type Fleet } from '../fleet/fleet.ts'
import type { Siblings } from '../fleet/machine-reach.ts'
import { createFleetCounts, type FleetCounts } from '../gateway/relay/limits/fleet-counts.ts'
import { createMemoryCounts } from '../gateway/relay/limits/memory-counts.ts'
import type { Logger } from '../lib/logger.ts'
import type { WindowShare } from '../lib/sliding-window.ts'
import type { ChangeBus } from '../store/change-events.ts'
import type { Store } from '../store/store.ts'
import type { Machine } from '../workers/machine.ts'

/** Decides whether other nodes may share the database: on PostgreSQL always, on SQLite never. */
export function isFleet({ DATABASE_URL }: Config): boolean {
  return DATABASE_URL !== undefined
}

/** Longer than a proxy keeps an idle connection, or looks away from `/readyz` (deploy/). */
const defaultDrainSeconds = 5

/** Callers with an open connection open another one meanwhile, which waits at the socket until the next process is there. */
const handOverSeconds = 2

/**
 * Returns the milliseconds for which a node continues to serve once it is to stop.
 * @param isHandedOver whether the socket stays open for the next process
 */
export function drainMs(config: Config, isHandedOver: boolean, machine?: Machine): number {
  const isReplaced = machine !== undefined && !machine.isEnding
  const byDefault = isFleet(config) && !isReplaced ? defaultDrainSeconds : isHandedOver ? handOverSeconds : 0
  return (config.DRAIN_SECONDS ?? byDefault) * 1000
}

interface FleetBase {
  readonly config: Config
  readonly version: string
  readonly node: string
  readonly store: Store
  readonly bus: ChangeBus
  readonly logger: Logger
  readonly machine?: Machine | undefined
  /** The counts that the processes of this machine share. */
  readonly sharedCounts: (name: string) => WindowShare | undefined
}

export async function composeFleet({
  config,
  version,
  node: id,
  store,
  bus,
  logger,
  machine,
  sharedCounts,
}: FleetBase): Promise<Fleet> {
  const worker = machine === undefined ? '' : ` worker ${machine.seat.number}`
  const node = { id, version, address: `${hostname()}:${config.PORT}${worker}` }
  const listenUrl = config.DATABASE_LISTEN_URL ?? config.DATABASE_URL
  if (listenUrl === undefined) return createLoneFleet({ node, store, bus, logger })
  const { SERVE_WITHOUT_DATABASE_SECONDS: seconds } = config
  const loneMs = seconds === undefined ? undefined : seconds * 1000
  const siblings = siblingsOver(config, sharedCounts('reached'))
  return await createFleet({ node, store, listenUrl, loneMs, siblings, bus, logger })
}

/** Returns the nodes over the data folder of this process; what one of them tells the others is the number of nodes elsewhere. */
function siblingsOver({ dataDir }: Config, share: WindowShare | undefined): Siblings {
  return {
    ids: () => new Set(journalDirectories(dataDir).map(journalNode)),
    reached: (elsewhere) => share?.counted(String(elsewhere), 1),
    subscribe: (reached) => share?.subscribe((elsewhere) => reached(Number(elsewhere))),
  }
}

/** Counts of limits: over all nodes of a fleet, else in memory. */
export function composeLimitCounts({
  config,
  node,
  store,
  fleet,
  logger,
}: Omit<FleetBase, 'version' | 'bus' | 'sharedCounts'> & { readonly fleet: Fleet }): FleetCounts {
  if (!isFleet(config)) return { counts: createMemoryCounts(monotonicClock), close: async () => undefined }
  const nodes = () => fleet.nodes()
  return createFleetCounts({
    node,
    nodes,
    repository: store.limitCounts,
    redisUrl: config.REDIS_URL,
    logger,
  })
}
