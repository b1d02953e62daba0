import { type ChannelSort, channelStatuses } from '@tollgate/api'
import type { ChannelSummary } from '../../store/repositories/channels.ts'
import type { HealthView } from '../health/health-types.ts'

/** A channel with its health and charges in memory. */
export interface ListedChannel {
  readonly channel: ChannelSummary
  readonly health: HealthView
  /** Includes charges that are not in the store yet. */
  readonly usedQuota: number
}

type Compare = (a: ListedChannel, b: ListedChannel) => number

const by =
  (figure: (listed: ListedChannel) => number): Compare =>
  (a, b) =>
    figure(a) - figure(b)

const ascending: Readonly<Record<ChannelSort, Compare>> = {
  id: by(({ channel }) => channel.id),
  name: (a, b) => compareText(a.channel.name, b.channel.name),
  priority: by(({ channel }) => channel.priority),
  weight: by(({ channel }) => channel.weight),
  used_quota: by(({ usedQuota }) => usedQuota),
  balance: by(({ channel }) => channel.balance),
  response_time: by(({ channel }) => channel.responseTimeMs),
  status: by(({ channel }) => channelStatuses[channel.status]),
  error_rate: by(({ health }) => health.errorRate),
  last_failure: by(({ health }) => health.lastFailureAt),
  problems: (a, b) =>
    problemRank(a) - problemRank(b) ||
    a.health.errorRate - b.health.errorRate ||
    a.health.lastFailureAt - b.health.lastFailureAt,
}

/** Sorts a list; of equals the newest comes first. Names ascend by default, all other columns descend. */
export function channelOrder(sort: ChannelSort, order: 'asc' | 'desc' | undefined): Compare {
  const compare = ascending[sort]
  const sign = (order ?? (sort === 'name' ? 'asc' : 'desc')) === 'asc' ? 1 : -1
  return (a, b) => sign * compare(a, b) || b.channel.id - a.channel.id
}

/**
 * How urgently a channel needs a person: disabled, in cooldown, short of keys, failing, never used; 0 for not at all.
 */
function problemRank({ channel, health }: ListedChannel): number {
  if (channel.status === 'disabled') return 0
  if (channel.status === 'auto-disabled') return 6
  if (health.state === 'open') return 5
  if (health.state === 'half-open') return 4
  if (health.coolingKeys.size > 0 || channel.keyStates.some(({ status }) => status === 'auto-disabled'))
    return 3
  if (health.lastFailureAt > health.lastSuccessAt) return 2
  return health.lastSuccessAt === 0 ? 1 : 0
}

/** By code units, the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
