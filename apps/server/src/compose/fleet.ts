import { hostname } from 'node:os'
import type { Config } from '../config.ts'
import { createFleet, createLoneFleet, type Fleet } from '../fleet/fleet.ts'
import type { Logger } from '../lib/logger.ts'
import type { ChangeBus } from '../store/change-events.ts'
import type { Store } from '../store/store.ts'

/** Whether several nodes may share the database: the one place that decides it. */
export function isFleet({ DATABASE_URL, TOLLGATE_FLEET }: Config): boolean {
  return DATABASE_URL !== undefined && TOLLGATE_FLEET === 'on'
}

interface FleetBase {
  readonly config: Config
  readonly version: string
  readonly node: string
  readonly store: Store
  readonly bus: ChangeBus
  readonly logger: Logger
}

export async function composeFleet({
  config,
  version,
  node: id,
  store,
  bus,
  logger,
}: FleetBase): Promise<Fleet> {
  const node = { id, version, address: `${hostname()}:${config.PORT}` }
  const listenUrl = config.DATABASE_LISTEN_URL ?? config.DATABASE_URL
  if (!isFleet(config) || listenUrl === undefined) return createLoneFleet(node)
  return await createFleet({ node, store, listenUrl, bus, logger })
}
