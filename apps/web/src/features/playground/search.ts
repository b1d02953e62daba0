import { searchParams, textParam } from '../../lib/search-params.ts'

/** Parameters of the playground in the URL. */
export const playgroundSearch = searchParams({ model: textParam })

/** Name of a shared run in the part of an address that browsers send to no server. */
export const hashName = '#run='

/** Decides whether an address brings a run. */
export function hasSharedRun(hash: string): boolean {
  return hash.startsWith(hashName)
}
