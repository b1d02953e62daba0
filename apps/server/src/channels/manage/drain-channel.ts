import type { ChannelDrainBody, Channel as WireChannel } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { Fleet } from '../../fleet/fleet.ts'
import { type Actor, gatewayActor } from '../../records/audit-log/audit-log.ts'
import type { UserRepository } from '../../store/accounts/users.ts'
import type { Channel } from '../../store/channels/channels.ts'
import type { TaskRepository } from '../../store/work/tasks.ts'
import type { ClosableChannelDirectory } from '../routing/channel-directory.ts'
import { type Drain, drainChange, drainOf } from '../routing/draining.ts'
import { auditChange, channelAuditEvent } from './channel-audit.ts'
import { type CommitDependencies, commitChannels, lockChannel } from './commit-channels.ts'
import { type OpenWork, openWorkAt } from './open-work.ts'
import { runEach } from './schedule-channel.ts'
import { drainDiffers } from './service-state.ts'

export interface DrainDependencies extends CommitDependencies {
  readonly directory: Pick<ClosableChannelDirectory, 'settled' | 'snapshot'>
  readonly fleet: Pick<Fleet, 'list'>
  readonly tasks: Pick<TaskRepository, 'openAccounts'>
  readonly users: Pick<UserRepository, 'listByIds'>
  readonly wallClock: Clock
}

/** A call that was routed just before may not have reached the channel yet. */
const minSeconds = 5

/** Has new calls avoid a channel, while its open ones go on. Chooses another end for a channel that drains already. */
export async function drainChannel(
  id: number,
  { stays }: ChannelDrainBody,
  actor: Actor,
  deps: DrainDependencies,
): Promise<Channel> {
  return await commitChannels(deps, actor, async (channels) => {
    const channel = await lockChannel(channels, id)
    const { since = unixSeconds(deps.wallClock), by = actor.userId } = drainOf(channel) ?? {}
    const change = drainChange({ since, by, stays })
    if (!drainDiffers(channel, { ...channel, ...change }))
      return { result: channel, ids: [], auditEvents: [] }
    const changed = (await channels.update(id, change)) ?? channel
    const { before, after } = auditChange(channel, changed)
    const event = channelAuditEvent('channel.drain', channel, { before, after: { ...after, stays } })
    return { result: changed, ids: [id], auditEvents: [event], change }
  })
}

/** Leaves a draining channel disabled; does nothing for another one. Returns the channel, if there is one. */
export async function endDrain(
  id: number,
  actor: Actor,
  deps: CommitDependencies,
  isMeant: (drain: Drain) => boolean = () => true,
): Promise<Channel | undefined> {
  return await commitChannels(deps, actor, async (channels) => {
    await channels.lock({ ids: [id] })
    const channel = await channels.find(id)
    const drain = channel && drainOf(channel)
    if (channel === undefined || drain === undefined || !isMeant(drain))
      return { result: channel, ids: [], auditEvents: [] }
    const change = { statusReason: null }
    const changed = (await channels.update(id, change)) ?? channel
    const { before, after } = auditChange(channel, changed)
    const states = { before: { ...before, drained_since: drain.since }, after }
    const event = channelAuditEvent('channel.end-drain', channel, states)
    return { result: changed, ids: [id], auditEvents: [event], change }
  })
}

/** Ends the drains of channels on which nothing is open any more, on any node; those that stay go on. */
export async function runDrains(deps: DrainDependencies, signal: AbortSignal): Promise<void> {
  const latest = unixSeconds(deps.wallClock) - minSeconds
  const isDue = (drain: Drain | undefined) => drain !== undefined && !drain.stays && drain.since <= latest
  const due = deps.directory.snapshot.channels.filter(({ drain }) => isDue(drain)).map(({ id }) => id)
  if (due.length === 0) return
  const work = await openWorkAt(due, deps)
  const empty = due.filter((id) => isEmpty(work.get(id)))
  // Locked and read again: somebody may have begun anew meanwhile.
  await runEach(empty, signal, (id) => endDrain(id, gatewayActor, deps, isDue))
}

function isEmpty(work: OpenWork | undefined): boolean {
  return work !== undefined && work.calls + work.tasks + work.silentNodes === 0
}

/** Adds what is open at draining channels, as the console reads them. */
export async function withDrains(
  channels: readonly WireChannel[],
  deps: Omit<DrainDependencies, keyof CommitDependencies> & Pick<DrainDependencies, 'directory'>,
): Promise<WireChannel[]> {
  const drains = new Map(
    channels.flatMap(({ id }) => {
      const drain = deps.directory.snapshot.channel(id)?.drain
      return drain === undefined ? [] : [[id, drain] as const]
    }),
  )
  if (drains.size === 0) return [...channels]
  const [work, people] = await Promise.all([
    openWorkAt([...drains.keys()], deps),
    deps.users.listByIds([...drains.values()].map(({ by }) => by)),
  ])
  return channels.map((channel) => {
    const drain = drains.get(channel.id)
    if (drain === undefined) return channel
    const { calls = 0, tasks = 0, silentNodes = 0 } = work.get(channel.id) ?? {}
    return {
      ...channel,
      drain: {
        since: drain.since,
        by: people.get(drain.by)?.username ?? `#${drain.by}`,
        stays: drain.stays,
        open_calls: calls,
        open_tasks: tasks,
        silent_nodes: silentNodes,
      },
    }
  })
}
