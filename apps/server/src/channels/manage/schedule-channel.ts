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

/** Chooses times by those that are planned by then, 0 for no time. */
export type ChooseTimes = (planned: ChannelScheduleBody) => ChannelScheduleBody

/**
 * Plans when a channel is switched off and on again, in place of what was planned; no time at all cancels that. Does nothing where nothing
 * was planned and nothing is to be. Refuses times that are past or in no order.
 */
export async function scheduleChannel(
  id: number,
  choose: ChooseTimes,
  actor: Actor,
  deps: ScheduleDependencies,
): Promise<Channel> {
  const now = unixSeconds(deps.wallClock)
  return await commitChannels(deps, actor, async (channels, { channelSwitches: plans }) => {
    const channel = await lockChannel(channels, id)
    const planned = await plans.find(id)
    const times = chosenTimes(choose, planned, now)
    if (planned === undefined && times === undefined) return { result: channel, ids: [], auditEvents: [] }
    await (times === undefined
      ? plans.delete(id)
      : plans.put({ channelId: id, ...times, setBy: actor.userId, setAt: now }))
    const states = { before: timesOf(planned), after: timesOf(times) }
    const event = channelAuditEvent(scheduleAction(times), channel, states)
    return { result: channel, ids: [], auditEvents: [event] }
  })
}

/** Returns the times that are to be planned; `undefined` for none. Refuses times that are past or in no order. */
export function chosenTimes(choose: ChooseTimes, planned: Times | undefined, now: number): Times | undefined {
  const chosen = choose(timesOf(planned))
  return chosen.off_at === 0 && chosen.on_at === 0 ? undefined : readTimes(chosen, now)
}

/** Returns the audit action of a plan. */
export function scheduleAction(times: Times | undefined) {
  return times === undefined ? 'channel.cancel-schedule' : 'channel.schedule'
}

/** Reads two times, 0 for neither. */
function readTimes({ off_at: offAt, on_at: onAt }: ChannelScheduleBody, now: number): Times {
  const times = [offAt, onAt].filter((at) => at !== 0)
  const isInOrder = times.every((at, index) => at > (times[index - 1] ?? now))
  if (!isInOrder) throw new Refusal('channel_schedule_invalid')
  return { offAt, onAt }
}

type Times = Pick<ChannelSwitch, 'offAt' | 'onAt'>

/** Refuses a plan without a time. */
export function refuseNoTime({ off_at: offAt, on_at: onAt }: ChannelScheduleBody): void {
  if (offAt === 0 && onAt === 0) throw new Refusal('channel_schedule_invalid')
}

/** Cancels what is planned. */
export const noTimes: ChannelScheduleBody = { off_at: 0, on_at: 0 }

/** Returns what is planned as the audit log has it: 0 for no time. */
export function timesOf({ offAt: off_at, onAt: on_at }: Times = { offAt: 0, onAt: 0 }): ChannelScheduleBody {
  return { off_at, on_at }
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
    const event = updateAuditEvent(channel, changed, deps.vault)
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
