import { type ChannelCondition, channelResource, channelStatuses, type ownChannelSorts } from '@tollgate/api'
import type { ChannelSummary } from '../../store/channels/channels.ts'
import type { HealthView } from '../health/health-types.ts'
import { attemptCount, failedShare, type RecentAttempts } from '../health/recent-attempts.ts'

/** A channel with its health and charges in memory. */
export interface ListedChannel {
  readonly channel: ChannelSummary
  readonly health: HealthView
  readonly condition: ChannelCondition
  /** Attempts of the last hour. */
  readonly recent: RecentAttempts
  /** Includes charges that are not in the store yet. */
  readonly usedQuota: number
}

type Compare = (a: ListedChannel, b: ListedChannel) => number

const by =
  (figure: (listed: ListedChannel) => number): Compare =>
  (a, b) =>
    figure(a) - figure(b)

/** Orders by what is no value of a field alone. */
const own: Readonly<Record<string, Compare>> = {
  used_quota: by(({ usedQuota }) => usedQuota),
  balance: by(({ channel }) => channel.balance),
  response_time: by(({ channel, recent }) => recent.latencyMs || channel.responseTimeMs),
  status: by(({ channel }) => channelStatuses[channel.status]),
  error_rate: by(({ recent }) => failedShare(recent)),
  traffic: by(({ recent }) => attemptCount(recent)),
  last_failure: by(({ health }) => health.lastFailureAt),
  problems: (a, b) =>
    urgency[a.condition] - urgency[b.condition] ||
    failedShare(a.recent) - failedShare(b.recent) ||
    a.health.lastFailureAt - b.health.lastFailureAt,
} satisfies Readonly<Record<(typeof ownChannelSorts)[number], Compare>> & Readonly<Record<string, Compare>>

function byField(sort: string): Compare {
  // A summary has every field that lists sort by.
  const field = channelResource.sortField(sort) as keyof ChannelSummary
  return (a, b) => compareValues(a.channel[field], b.channel[field])
}

function compareValues(a: unknown, b: unknown): number {
  return typeof a === 'string' && typeof b === 'string' ? compareText(a, b) : Number(a) - Number(b)
}

/** Sorts a list; of equals the newest comes first. Names ascend by default, all other columns descend. */
export function channelOrder(sort: string, order: 'asc' | 'desc' | undefined): Compare {
  const compare = own[sort] ?? byField(sort)
  const sign = (order ?? (sort === 'name' ? 'asc' : 'desc')) === 'asc' ? 1 : -1
  return (a, b) => sign * compare(a, b) || b.channel.id - a.channel.id
}

/** Urgency of conditions: how much a channel needs a person; 0 for not at all. */
const urgency = {
  'auto-disabled': 5,
  failing: 4,
  retrying: 3,
  degraded: 2,
  untested: 1,
  healthy: 0,
  disabled: 0,
} as const satisfies Record<ChannelCondition, number>

/** Compares by code units, the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
