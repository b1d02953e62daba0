import type { ChannelScheduleBody, Channel as WireChannel } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import { Refusal } from '../../lib/refusal.ts'
import { type Actor, type AuditEvent, gatewayActor } from '../../records/audit-log/audit-log.ts'
import type { UserRepository } from '../../store/accounts/users.ts'
import type { ChannelSwitch, ChannelSwitchRepository } from '../../store/channels/channel-switches.ts'
import type { Channel, ChannelChange } from '../../store/channels/channels.ts'
import type { HealthRegistry } from '../health/health-types.ts'
import { type Drain, drainChange, endOfDrain } from '../routing/draining.ts'
import { channelAuditEvent, updateAuditEvent } from './channel-audit.ts'
import { manualKeyStates } from './channel-change.ts'
import { type CommitDependencies, commitChannels, lockChannel } from './commit-channels.ts'

export interface ScheduleDependencies extends CommitDependencies {
  readonly switches: Pick<ChannelSwitchRepository, 'listAll' | 'listDue'>
  readonly users: Pick<UserRepository, 'listByIds'>
  readonly health: Pick<HealthRegistry, 'reset'>
  readonly wallClock: Clock
}

/** Plans when a channel is switched off and on again; replaces what was planned. Refuses times that are past or in no order. */
export async function scheduleChannel(
  id: number,
  body: ChannelScheduleBody,
  actor: Actor,
  deps: ScheduleDependencies,
): Promise<Channel> {
  const now = unixSeconds(deps.wallClock)
  const times = readTimes(body, now)
  return await commitChannels(deps, actor, async (channels, tx) => {
    const channel = await lockChannel(channels, id)
    const before = timesOf(await tx.channelSwitches.find(id))
    await tx.channelSwitches.put({ channelId: id, ...times, setBy: actor.userId, setAt: now })
    const event = channelAuditEvent('channel.schedule', channel, {
      before,
      after: body,
    })
    return { result: channel, ids: [], auditEvents: [event] }
  })
}

/** Reads two times, 0 for neither. Refuses times that are past or in no order, and none at all. */
export function readTimes({ off_at: offAt, on_at: onAt }: ChannelScheduleBody, now: number): Times {
  const times = [offAt, onAt].filter((at) => at !== 0)
  const isInOrder = times.every((at, index) => at > (times[index - 1] ?? now))
  if (times.length === 0 || !isInOrder) throw new Refusal('channel_schedule_invalid')
  return { offAt, onAt }
}

type Times = Pick<ChannelSwitch, 'offAt' | 'onAt'>

/** Forgets what was planned for a channel; does nothing where nothing was. */
export async function cancelSchedule(id: number, actor: Actor, deps: ScheduleDependencies): Promise<Channel> {
  return await commitChannels(deps, actor, async (channels, tx) => {
    const channel = await lockChannel(channels, id)
    const planned = await tx.channelSwitches.find(id)
    if (planned === undefined) return { result: channel, ids: [], auditEvents: [] }
    await tx.channelSwitches.delete(id)
    const event = channelAuditEvent('channel.cancel-schedule', channel, { before: timesOf(planned) })
    return { result: channel, ids: [], auditEvents: [event] }
  })
}

/** Returns what is planned as the audit log has it. */
export function timesOf(planned: Times | undefined) {
  return planned && { off_at: planned.offAt, on_at: planned.onAt }
}

/**
 * Switches the channels whose time has come. A row and the status that it sets are written together, so that each is done once:
 * also when the node ends in between, and when two nodes take themselves for the one that does it.
 */
export async function runSchedules(deps: ScheduleDependencies, signal: AbortSignal): Promise<void> {
  await runEach(await deps.switches.listDue(unixSeconds(deps.wallClock)), signal, (id) =>
    runSchedule(id, deps),
  )
}

/** Does scheduled work for channels in turn. One that fails holds up no other; the first failure is thrown after the last. */
export async function runEach(
  ids: readonly number[],
  signal: AbortSignal,
  run: (id: number) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = []
  for (const id of ids) {
    if (signal.aborted) return
    await run(id).catch((error) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}

async function runSchedule(id: number, deps: ScheduleDependencies): Promise<void> {
  const isEnabled = await commitChannels(deps, gatewayActor, async (channels, tx) => {
    await channels.lock({ ids: [id] })
    const [channel, planned] = [await channels.find(id), await tx.channelSwitches.find(id)]
    if (planned === undefined) return { result: false, ids: [], auditEvents: [] }
    const now = unixSeconds(deps.wallClock)
    const { left, status } = dueSwitch(planned, now)
    await (left === undefined ? tx.channelSwitches.delete(id) : tx.channelSwitches.put(left))
    const change = channel && changeTo(channel, status, { since: now, by: planned.setBy })
    if (channel === undefined || change === undefined) return { result: false, ids: [], auditEvents: [] }
    const changed = (await channels.update(id, change)) ?? channel
    const event = updateAuditEvent(channel, changed)
    const by = (await tx.users.listByIds([planned.setBy])).get(planned.setBy)?.username ?? `#${planned.setBy}`
    return {
      result: status === 'enabled',
      ids: [id],
      auditEvents: [{ ...event, after: { ...event.after, scheduled_by: by } } satisfies AuditEvent],
      change,
    }
  })
  if (isEnabled) deps.health.reset(id)
}

/** Returns the status for which it is time, the later one where both times have come, and what is planned after it. */
export function dueSwitch<Planned extends Times>(
  planned: Planned,
  now: number,
): { readonly left: Planned | undefined; readonly status: 'enabled' | 'disabled' | undefined } {
  const { offAt, onAt } = planned
  const isOff = offAt > 0 && offAt <= now
  if (onAt > 0 && onAt <= now) return { left: undefined, status: 'enabled' }
  if (!isOff) return { left: planned, status: undefined }
  return { left: onAt > 0 ? { ...planned, offAt: 0 } : undefined, status: 'disabled' }
}

/**
 * Decides what a time changes. What the gateway took out of service stays out: its reason has not gone with the time. What goes off drains first, and what the gateway
 * took out goes off as well, or its next test would put it back.
 */
function changeTo(
  channel: Channel,
  status: 'enabled' | 'disabled' | undefined,
  drain: Pick<Drain, 'since' | 'by'>,
): ChannelChange | undefined {
  if (status === 'disabled' && channel.status !== 'disabled') return drainChange({ ...drain, stays: false })
  if (status === 'enabled' && channel.status === 'disabled')
    return { status, keyStates: manualKeyStates(channel), ...endOfDrain(channel) }
  return undefined
}

/** Adds what is planned to channels as the console reads them. */
export async function withSchedules(
  channels: readonly WireChannel[],
  { switches, users }: Pick<ScheduleDependencies, 'switches' | 'users'>,
): Promise<WireChannel[]> {
  const planned = new Map((await switches.listAll()).map((each) => [each.channelId, each]))
  const people =
    planned.size === 0 ? undefined : await users.listByIds([...planned.values()].map(({ setBy }) => setBy))
  return channels.map((channel) => {
    const own = planned.get(channel.id)
    if (own === undefined) return channel
    const by = people?.get(own.setBy)?.username ?? `#${own.setBy}`
    return { ...channel, schedule: { off_at: own.offAt, on_at: own.onAt, by } }
  })
}
