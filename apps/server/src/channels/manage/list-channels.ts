import { channelResource, type Channel as WireChannel } from '@tollgate/api'
import type { Ledger } from '../../billing/ledger-types.ts'
import type { Vault } from '../../lib/crypto.ts'
import type { ChannelRepository, ChannelSummary } from '../../store/channels/channels.ts'
import { channelCondition } from '../health/channel-condition.ts'
import type { HealthRegistry } from '../health/health-types.ts'
import { noAttempts, type ReadRecentAttempts, type RecentAttempts } from '../health/recent-attempts.ts'
import type { ChannelSnapshot } from '../routing/routing-types.ts'
import { channelOrder, compareText, type ListedChannel } from './channel-order.ts'
import { toWire } from './channel-wire.ts'

export interface ListDependencies {
  readonly channels: Pick<ChannelRepository, 'listSummaries' | 'listByIds'>
  readonly directory: { readonly snapshot: ChannelSnapshot }
  readonly health: Pick<HealthRegistry, 'view'>
  readonly ledger: Pick<Ledger, 'unflushed'>
  readonly vault: Pick<Vault, 'hash'>
  readonly recentAttempts: ReadRecentAttempts
}

/** Filter and order of a list of channels. An absent field filters nothing. */
export interface ChannelListRequest {
  /** Starts at 0. */
  readonly page: number
  /** All channels when absent. */
  readonly size?: number | undefined
  readonly byTag: boolean
  readonly sort: string
  readonly order?: 'asc' | 'desc' | undefined
  /** The query, with the parameters of declared filters. */
  readonly declared?: object
  readonly group?: string | undefined
  /** Part of the name of one of its models, whatever the case. */
  readonly model?: string | undefined
  /** The id, or part of the name, whatever the case. */
  readonly keyword?: string | undefined
}

/** A tag, and the number of its channels. */
export interface TagCount {
  readonly tag: string
  readonly count: number
}

export interface ChannelList {
  readonly channels: readonly WireChannel[]
  /** The number of matches; in tag mode, of tags and of channels without one. */
  readonly total: number
}

/**
 * A page of channels. All of them are filtered and sorted in memory, where their health is; the long texts are read for
 * the page alone.
 */
export async function listChannels(
  request: ChannelListRequest,
  deps: ListDependencies,
): Promise<ChannelList> {
  const { page, size, byTag, sort, order } = request
  const [summaries, attempts] = await Promise.all([deps.channels.listSummaries(), deps.recentAttempts()])
  const ordered = summaries.map((channel) => listed(channel, attempts, deps)).sort(channelOrder(sort, order))
  const all = ordered.map(({ channel }) => channel)
  const found = all.filter(matching(request, deps.directory.snapshot))
  const units = byTag ? tagUnits(found, all) : found.map((channel) => [channel])
  const start = size === undefined ? 0 : Math.min(page * size, units.length)
  const visible = units.slice(start, size === undefined ? undefined : start + size).flat()
  return { channels: await readAll(visible, attempts, deps), total: units.length }
}

/** Reads the channels that need a person, the most urgent first. */
export async function listProblemChannels(
  deps: ListDependencies,
  limit: number,
): Promise<readonly WireChannel[]> {
  const [summaries, attempts] = await Promise.all([deps.channels.listSummaries(), deps.recentAttempts()])
  const failing = summaries
    .map((channel) => listed(channel, attempts, deps))
    .filter(({ condition }) => condition !== 'healthy' && condition !== 'disabled')
    .sort(channelOrder('problems', 'desc'))
  return await readAll(
    failing.slice(0, limit).map(({ channel }) => channel),
    attempts,
    deps,
  )
}

/** The tags in use, in the order of their names. */
export async function listTags({
  channels,
}: Pick<ListDependencies, 'channels'>): Promise<readonly TagCount[]> {
  const counts = new Map<string, number>()
  for (const { tag } of await channels.listSummaries())
    if (tag !== '') counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts].map(([tag, count]) => ({ tag, count })).sort((a, b) => compareText(a.tag, b.tag))
}

type Attempts = ReadonlyMap<number, RecentAttempts>

function listed(
  channel: ChannelSummary,
  attempts: Attempts,
  { health, ledger }: ListDependencies,
): ListedChannel {
  const view = health.view(channel.id)
  const recent = attempts.get(channel.id) ?? noAttempts
  return {
    channel,
    condition: channelCondition({ channel, health: view, recent }),
    recent,
    health: view,
    usedQuota: channel.usedQuota + ledger.unflushed('channel', channel.id).quota,
  }
}

function matching(
  request: ChannelListRequest,
  snapshot: ChannelSnapshot,
): (channel: ChannelSummary) => boolean {
  const { declared = {}, group, model } = request
  const values = Object.entries(channelResource.filterValues(declared))
  const keyword = request.keyword?.toLowerCase()
  const withModel = model === undefined ? undefined : snapshot.listing(model)
  return (channel) =>
    values.every(([name, value]) => channel[name as keyof ChannelSummary] === value) &&
    (group === undefined || channel.groups.includes(group)) &&
    (withModel === undefined || withModel.has(channel.id)) &&
    (keyword === undefined || String(channel.id) === keyword || channel.name.toLowerCase().includes(keyword))
}

/** Reads the page at once; leaves out a channel that was deleted meanwhile. */
async function readAll(
  visible: readonly ChannelSummary[],
  attempts: Attempts,
  deps: ListDependencies,
): Promise<readonly WireChannel[]> {
  if (visible.length === 0) return []
  const rows = await deps.channels.listByIds(visible.map(({ id }) => id))
  const byId = new Map(rows.map((channel) => [channel.id, channel]))
  return visible.flatMap(({ id }) => {
    const channel = byId.get(id)
    return channel === undefined ? [] : [toWire(channel, attempts, deps)]
  })
}

type Tagged = Pick<ChannelSummary, 'id' | 'tag'>

/**
 * The units of a page in tag mode: each tag, in the order of their names, as all of its channels, and after them each
 * channel without one.
 * @param found in their order
 * @param all the same channels and those that share a tag with one of them, in their order
 */
function tagUnits<Channel extends Tagged>(
  found: readonly Channel[],
  all: readonly Channel[],
): readonly (readonly Channel[])[] {
  const tags = new Map<string, Channel[]>(
    [...new Set(found.map(({ tag }) => tag))]
      .filter((tag) => tag !== '')
      .sort(compareText)
      .map((tag) => [tag, []]),
  )
  for (const channel of all) tags.get(channel.tag)?.push(channel)
  const untagged = found.filter(({ tag }) => tag === '').map((channel) => [channel])
  return [...tags.values(), ...untagged]
}
