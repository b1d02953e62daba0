import type { RouteChannel, RouteSkip } from '@tollgate/api'
import { channelStatuses } from '@tollgate/api/roles'
import type { HealthRegistry } from '../health/health-types.ts'
import type { ChannelSnapshot, RoutedChannel } from '../routing/routing-types.ts'
import { firstShares } from './expected-route.ts'
import type { Observations } from './observations.ts'

interface Requested {
  readonly model: string
  readonly group: string
}

interface Dependencies {
  readonly snapshot: ChannelSnapshot
  readonly health: Pick<HealthRegistry, 'cooldownMs'>
  readonly observations: Observations
}

/**
 * Every channel that lists the model, in the order in which a chat call of the group tries them, and why the others are passed
 * by. Asks health without claiming its probes.
 */
export function previewChannels({ model, group }: Requested, deps: Dependencies): readonly RouteChannel[] {
  const { snapshot } = deps
  const tiers = snapshot.tiers(group, model) ?? []
  const tried = tiers.flatMap(({ channels }, index) => {
    const shares = firstShares(channels)
    return channels
      .map((channel) => ({ channel, step: index + 1, share: shares.get(channel) ?? 0 }))
      .sort((a, b) => b.share - a.share || a.channel.id - b.channel.id)
  })
  const inTiers = new Set(tried.map(({ channel }) => channel))
  const others = snapshot.channels
    .filter((channel) => channel.models.has(model) && !inTiers.has(channel))
    .map((channel) => ({ channel, step: 0, share: 0 }))
  const rows = countedUp([...tried, ...others].map((ranked) => rowOf(ranked, { model, group }, deps)))
  return [
    ...rows.filter(isTried),
    ...rows.filter(({ skip }) => skip === 'cooling'),
    ...rows.filter(isPassedBy),
  ]
}

/** Steps are counted by the channels that are tried: a tier of which every channel is passed by is none. */
function countedUp(rows: readonly RouteChannel[]): readonly RouteChannel[] {
  const steps = [...new Set(rows.map(({ step }) => step).filter((step) => step > 0))].sort((a, b) => a - b)
  return rows.map((row) => ({ ...row, step: steps.indexOf(row.step) + 1 }))
}

function isTried({ skip }: RouteChannel): boolean {
  return skip === null
}

function isPassedBy({ skip }: RouteChannel): boolean {
  return skip !== null && skip !== 'cooling'
}

function rowOf(
  {
    channel,
    step,
    share,
  }: { readonly channel: RoutedChannel; readonly step: number; readonly share: number },
  requested: Requested,
  { health, observations }: Dependencies,
): RouteChannel {
  const { id, name, type, status, priority, weight } = channel
  const coolingMs = health.cooldownMs(id, requested.model)
  const skip = skipOf(channel, requested, step, coolingMs)
  const { attempts, failures, latencyMs } = observations.at(id, requested.model)
  const cost = observations.cost(id, requested.model)
  return {
    id,
    name,
    type,
    status: channelStatuses[status],
    priority,
    weight,
    step: skip === null || skip === 'cooling' ? step : 0,
    share: skip === null ? share : 0,
    skip,
    cooling_ms: Math.max(0, Math.round(coolingMs)),
    upstream_model: channel.modelMapping.get(requested.model) ?? requested.model,
    attempts,
    failures,
    latency_ms: latencyMs === undefined ? null : Math.round(latencyMs),
    cost: cost === undefined ? null : Math.round(cost),
  }
}

function skipOf(
  channel: RoutedChannel,
  { model, group }: Requested,
  step: number,
  coolingMs: number,
): RouteSkip | null {
  if (channel.status !== 'enabled') return channel.status
  if (!channel.groups.includes(group)) return 'group'
  // It is in no tier although its group reaches it: every key is out of service.
  if (step === 0) return 'keys'
  if (!channel.provider.modes.includes('chat')) return 'mode'
  if (channel.mappingLoops.has(model)) return 'mapping'
  return coolingMs > 0 ? 'cooling' : null
}
