import type { Edge } from './graph.ts'
import { isProduct } from './product.ts'

export const serverSources = 'apps/server/src/'

/**
 * The entries of `apps/server/src` from the top to the ground floor: each may know those below it.
 * docs/architecture.md draws them in this order.
 */
export const rooms: readonly string[] = [
  'executable.ts',
  'main.ts',
  'compose',
  'config.ts',
  'http',
  'operations',
  'telemetry',
  'gateway',
  'wallet',
  'accounts',
  'models',
  'services.ts',
  'channels',
  'settings',
  'billing',
  'records',
  'fleet',
  'upstream',
  'workers',
  'store',
  'lib',
]

/** Imports of the server that lead to a higher room, and entries that have no place in the order: a line each. */
export function upwardArrows(edges: readonly Edge[]): readonly string[] {
  return edges.flatMap((edge) => {
    const [from, to] = [roomOf(edge.from), roomOf(edge.to)]
    if (from === undefined || to === undefined || !isProduct(edge)) return []
    const unplaced = [from, to].find((room) => !rooms.includes(room))
    if (unplaced !== undefined)
      return [`${serverSources}${unplaced} has no place in scripts/boundaries/rooms.ts`]
    if (rooms.indexOf(from) <= rooms.indexOf(to)) return []
    return [`${edge.from}:${edge.line} knows ${edge.to}\n  rooms-run-down: ${to} is above ${from}`]
  })
}

function roomOf(path: string): string | undefined {
  return path.startsWith(serverSources) ? path.slice(serverSources.length).split('/')[0] : undefined
}
