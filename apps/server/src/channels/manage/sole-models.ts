import { isRoutable } from '../routing/channel-snapshot.ts'
import type { ChannelSnapshot, RoutedChannel } from '../routing/routing-types.ts'

type Counts = ReadonlyMap<number, number>

/** Counted once for each snapshot: a list is read more often than a channel changes. */
const known = new WeakMap<ChannelSnapshot, Counts>()
/** Models times groups; beyond these the count would hold up the event loop. */
const maxPairs = 500_000

/** Returns for each channel the number of models that it alone serves to some group; none for installations too large to count. */
export function soleModels(snapshot: ChannelSnapshot): Counts {
  const counted = known.get(snapshot) ?? countSoleModels(snapshot.channels.filter(isRoutable))
  known.set(snapshot, counted)
  return counted
}

type Served = Pick<RoutedChannel, 'id' | 'groups' | 'models'>

/** @param channels those in service */
export function countSoleModels(channels: readonly Served[]): Counts {
  const pairs = channels.reduce((sum, { groups, models }) => sum + groups.length * models.size, 0)
  if (pairs > maxPairs) return new Map()
  const sole = new Map<number, Set<string>>()
  for (const servers of serversByGroup(channels).values())
    for (const [model, server] of servers)
      if (server !== several) sole.set(server, (sole.get(server) ?? new Set()).add(model))
  return new Map([...sole].map(([id, models]) => [id, models.size]))
}

const several = -1

/** The channel that serves a model, or the mark of several, by group. */
function serversByGroup(channels: readonly Served[]): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const byGroup = new Map<string, Map<string, number>>()
  for (const { id, groups, models } of channels)
    for (const group of new Set(groups)) {
      const servers = byGroup.get(group) ?? new Map<string, number>()
      for (const model of models) servers.set(model, servers.has(model) ? several : id)
      byGroup.set(group, servers)
    }
  return byGroup
}
