import type { ChannelStops, ChannelStopsBody } from '@tollgate/api'
import { quarterSeconds } from '@tollgate/api/calendar'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { Vault } from '../../lib/crypto.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { AttemptCountRepository } from '../../store/channels/attempt-counts.ts'
import type { ChannelRepository } from '../../store/channels/channels.ts'
import { storableKey } from '../../store/schema/text.ts'
import type { TaskRepository } from '../../store/work/tasks.ts'
import type { HealthRegistry } from '../health/health-types.ts'
import { attemptCount, noAttempts, type ReadRecentAttempts } from '../health/recent-attempts.ts'
import { isRoutable } from '../routing/channel-snapshot.ts'
import type { ChannelDirectory, RoutedChannel } from '../routing/routing-types.ts'
import { commaList } from './channel-input.ts'
import { keyIds } from './channel-keys.ts'

export interface ChannelStopsDependencies {
  readonly directory: Pick<ChannelDirectory, 'snapshot'>
  readonly summaries: ChannelRepository['listSummaries']
  readonly recentAttempts: ReadRecentAttempts
  readonly callers: AttemptCountRepository['callers']
  readonly wallClock: Clock
  readonly health: Pick<HealthRegistry, 'view'>
  readonly vault: Vault
  readonly tasks: Pick<TaskRepository, 'openAccounts'>
}

/** What routing asks of a channel. */
type Served = Pick<RoutedChannel, 'id' | 'models' | 'groups'>

/** A model that stops, with the groups that lose it. */
export interface StoppedModel {
  readonly model: string
  readonly groups: readonly string[]
}

/** Rows of each list in a response. */
export const maxListed = 100
/** Figures of more models would be of the complete installation. */
const maxCounted = 1000
const hour = 3600

/** Says which models would stop with an intended change, and how the last hour used them: from memory and rollups, never from the log. */
export async function channelStops(
  body: ChannelStopsBody,
  deps: ChannelStopsDependencies,
): Promise<ChannelStops> {
  const { summaries, directory, recentAttempts } = deps
  const [id] = body.ids
  if (body.key_id !== undefined && id !== undefined) return await stopsOfKey(id, body.key_id, deps)
  const tagged = body.tag === undefined ? [] : await summaries({ tag: body.tag })
  const ids = new Set([...body.ids, ...tagged.map(({ id }) => id)])
  const routable = directory.snapshot.channels.filter(isRoutable)
  // Writes what this node has counted, which the callers are then read from.
  const attempts = await recentAttempts()
  const stopped = stoppedModels(routable, (channel) =>
    ids.has(channel.id) ? changed(channel, body) : channel,
  )
  return {
    ...listedModels(stopped),
    ...(await callersOf(stopped, deps)),
    attempts: isOff(body) ? sumOf([...ids].map((id) => attemptCount(attempts.get(id) ?? noAttempts))) : 0,
  }
}

/** Says what one key of a channel leaves behind: its models stop where no other key is in service. */
async function stopsOfKey(id: number, keyId: string, deps: ChannelStopsDependencies): Promise<ChannelStops> {
  const { directory, health, vault, tasks, recentAttempts } = deps
  const channel = directory.snapshot.channel(id)
  const index = channel === undefined ? -1 : keyIds(channel.keys, vault).indexOf(keyId)
  const key = channel?.keys[index]
  if (channel === undefined || key === undefined) throw new Refusal('channel_key_gone')
  const others = channel.keys.flatMap((_, other) =>
    other === index || channel.disabledKeys.has(other) ? [] : [other],
  )
  const { coolingKeys } = health.view(id)
  const attempts = await recentAttempts()
  const routable = directory.snapshot.channels.filter(isRoutable)
  const isLast = others.length === 0
  const stopped = stoppedModels(routable, (each) => (each.id === id && isLast ? undefined : each))
  const keyHash = vault.hash(key)
  const followed = (await tasks.openAccounts()).filter(
    (account) => account.channelId === id && account.keyHash === keyHash,
  )
  return {
    ...listedModels(stopped),
    ...(await callersOf(stopped, deps)),
    attempts: attemptCount(attempts.get(id) ?? noAttempts),
    key: {
      others: others.length,
      cooling: others.filter((other) => coolingKeys.has(other)).length,
      tasks: sumOf(followed.map(({ count }) => count)),
    },
  }
}

/** Lists the first of the models, and counts all. */
export function listedModels(stopped: readonly StoppedModel[]): Pick<ChannelStops, 'models' | 'model_count'> {
  return {
    models: stopped.slice(0, maxListed).map(({ model, groups }) => ({ model, groups: [...groups] })),
    model_count: stopped.length,
  }
}

function isOff({ models, group, lost_models: lost, lost_groups: left }: ChannelStopsBody): boolean {
  return [models, group, lost, left].every((list) => list === undefined)
}

function changed(channel: Served, body: ChannelStopsBody): Served | undefined {
  if (isOff(body)) return undefined
  return {
    id: channel.id,
    models: new Set(listAfter([...channel.models], body.models, body.lost_models)),
    groups: listAfter(channel.groups, body.group, body.lost_groups),
  }
}

/** Returns a list of names after a change that replaces it, or takes some away. */
function listAfter(
  names: readonly string[],
  next: string | undefined,
  lost: string | undefined,
): readonly string[] {
  if (next !== undefined) return commaList(next)
  const gone = new Set(lost === undefined ? [] : commaList(lost))
  return names.filter((name) => !gone.has(name))
}

/**
 * Returns the models that a group is served before a change and not after it, by their names.
 * @param after the channel as it would be; `undefined` for one out of service
 */
export function stoppedModels<Channel extends Served>(
  channels: readonly Channel[],
  after: (channel: Channel) => Served | undefined,
): readonly StoppedModel[] {
  const left = servedByGroup(channels.flatMap((channel) => after(channel) ?? []))
  const lost = new Map<string, string[]>()
  for (const [group, models] of servedByGroup(channels.filter((channel) => after(channel) !== channel)))
    for (const model of models)
      if (!left.get(group)?.has(model)) lost.set(model, [...(lost.get(model) ?? []), group])
  return [...lost]
    .map(([model, groups]) => ({ model, groups: groups.sort() }))
    .sort((one, other) => (one.model < other.model ? -1 : 1))
}

/** Returns the models of channels by group. */
export function servedByGroup(channels: readonly Served[]): ReadonlyMap<string, ReadonlySet<string>> {
  const served = new Map<string, Set<string>>()
  for (const { groups, models } of channels)
    for (const group of groups) {
      const known = served.get(group) ?? new Set()
      for (const model of models) known.add(model)
      served.set(group, known)
    }
  return served
}

/**
 * Counts the calls of the last hour with these models by users of their groups, and these users.
 * @param only `guests` leaves out users whose own group it is: those call in it with a key alone
 */
export async function callersOf(
  concerned: readonly StoppedModel[],
  { callers, wallClock }: Pick<ChannelStopsDependencies, 'callers' | 'wallClock'>,
  only: 'guests' | 'everybody' = 'everybody',
): Promise<Pick<ChannelStops, 'calls' | 'users'>> {
  if (concerned.length === 0) return { calls: 0, users: 0 }
  return await callers({
    since: lastHour(wallClock),
    models: concerned.slice(0, maxCounted).map(({ model }) => storableKey(model)),
    groups: [...new Set(concerned.flatMap(({ groups }) => groups))],
    guestsOnly: only === 'guests',
  })
}

/** Returns the start of the last hour, at a quarter of an hour. */
export function lastHour(wallClock: Clock): number {
  const start = unixSeconds(wallClock) - hour
  return start - (start % quarterSeconds)
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
