import { calls, type NodeRow } from '@tollgate/api'
import type { Fleet } from '../../../fleet/fleet.ts'
import { goneMs } from '../../../fleet/nodes.ts'
import type { SeenNode } from '../../../store/fleet/nodes.ts'
import { type ConsoleRoute, route } from '../route.ts'

/** The nodes that share the database, for the super admin. */
export function nodeRoutes({ fleet }: { readonly fleet: Pick<Fleet, 'list'> }): ConsoleRoute[] {
  return [route(calls.nodes.list, async () => (await fleet.list()).map(toWire))]
}

function toWire(node: SeenNode): NodeRow {
  return {
    id: node.id,
    version: node.version,
    address: node.address,
    state: stateOf(node),
    started_at: Math.floor(node.startedMs / 1000),
    seen_at: Math.floor(node.seenMs / 1000),
    calls_per_second: node.callsPerSecond,
    journal_seq: node.journalSeq,
    journal_lag: node.journalLag,
    shares: node.shares,
    jobs: [...node.jobs],
  }
}

function stateOf({ silentMs, draining }: SeenNode): NodeRow['state'] {
  if (silentMs > goneMs) return 'gone'
  return draining ? 'draining' : 'live'
}
