import type { Channel as WireChannel } from '@tollgate/api'
import { unixSeconds } from '@tollgate/base'
import type { Vault } from '../../lib/crypto.ts'
import { Refusal } from '../../lib/refusal.ts'
import { type Actor, type AuditEvent, gatewayActor } from '../../records/audit-log/audit-log.ts'
import {
  type ChannelKeySwitch,
  type ChannelKeySwitchRepository,
  isDue,
} from '../../store/channels/channel-switches.ts'
import type { Channel, ChannelChange } from '../../store/channels/channels.ts'
import type { Store } from '../../store/store.ts'
import { changeOf } from './change-key.ts'
import { channelAuditEvent } from './channel-audit.ts'
import { keyHint, keyIds, openKeys } from './channel-keys.ts'
import { commitChannels, lockChannel } from './commit-channels.ts'
import {
  type ChooseTimes,
  chosenTimes,
  dueSwitch,
  runEach,
  type ScheduleDependencies,
  scheduleAction,
  timesOf,
} from './schedule-channel.ts'
import { serviceChange } from './service-state.ts'

export interface KeyScheduleDependencies extends ScheduleDependencies {
  readonly keySwitches: Pick<ChannelKeySwitchRepository, 'listAll' | 'listDue'>
}

/** Plans when one key of a channel is switched off and on again, as `scheduleChannel` does a channel. */
export async function scheduleKey(
  id: number,
  keyId: string,
  choose: ChooseTimes,
  actor: Actor,
  deps: KeyScheduleDependencies,
): Promise<Channel> {
  const now = unixSeconds(deps.wallClock)
  return await commitChannels(deps, actor, async (channels, { channelKeySwitches: plans }) => {
    const channel = await lockChannel(channels, id)
    const key = keyNamed(keyId, openKeys(channel, deps.vault), deps.vault)?.key
    if (key === undefined) throw new Refusal('channel_key_gone')
    const planned = (await plans.listByChannel(id)).find((each) => each.keyId === keyId)
    const times = chosenTimes(choose, planned, now)
    if (planned === undefined && times === undefined) return { result: channel, ids: [], auditEvents: [] }
    const own = { channelId: id, keyId }
    await (times === undefined
      ? plans.delete(own)
      : plans.put({ ...own, ...times, setBy: actor.userId, setAt: now }))
    const event = channelAuditEvent(scheduleAction(times), channel, {
      before: timesOf(planned),
      after: { key: keyHint(key), key_id: keyId, ...timesOf(times) },
    })
    return { result: channel, ids: [], auditEvents: [event] }
  })
}

function keyNamed(keyId: string, keys: readonly string[], vault: Pick<Vault, 'hash'>) {
  const index = keyIds(keys, vault).indexOf(keyId)
  const key = keys[index]
  return key === undefined ? undefined : { index, key }
}

/** Switches the keys whose time has come, each once, as `runSchedules` does channels. */
export async function runKeySchedules(deps: KeyScheduleDependencies, signal: AbortSignal): Promise<void> {
  await runEach(await deps.keySwitches.listDue(unixSeconds(deps.wallClock)), signal, async (id) => {
    if (await runOfChannel(id, deps)) deps.health.reset(id)
  })
}

/** Returns whether a key is in service again, whose health no longer applies. */
async function runOfChannel(id: number, deps: KeyScheduleDependencies): Promise<boolean> {
  const now = unixSeconds(deps.wallClock)
  return await commitChannels(deps, gatewayActor, async (channels, tx) => {
    await channels.lock({ ids: [id] })
    let channel = await channels.find(id)
    const due = await listDuePlans(id, channel, now, tx, deps.vault)
    const people = await tx.users.listByIds(due.map(({ setBy }) => setBy))
    const acts: KeyAct[] = []
    for (const planned of due) {
      const act = await runPlan(channel, planned, now, tx, deps.vault)
      if (channel === undefined || act === undefined) continue
      const changed = (act.change && (await channels.update(id, act.change))) ?? channel
      const { before, after } = serviceChange(channel, changed, deps.vault)
      channel = changed
      const by = people.get(planned.setBy)?.username ?? `#${planned.setBy}`
      acts.push({ ...act, before, after: { ...after, ...act.after, scheduled_by: by } })
    }
    return {
      result: acts.some(({ after }) => after.change === 'enable'),
      ids: acts.length > 0 ? [id] : [],
      auditEvents: channel ? auditEventsOf(channel, acts) : [],
      change: { keyStates: [] },
    }
  })
}

/** Lists the plans whose time has come. Among keys that another secret sealed none can be found: their plans wait for it. */
async function listDuePlans(
  id: number,
  channel: Channel | undefined,
  now: number,
  { channelKeySwitches }: Pick<Store, 'channelKeySwitches'>,
  vault: Vault,
): Promise<readonly ChannelKeySwitch[]> {
  if (channel !== undefined && !areReadable(channel, vault)) return []
  return (await channelKeySwitches.listByChannel(id)).filter((each) => isDue(each, now))
}

function areReadable(channel: Channel, vault: Vault): boolean {
  try {
    return openKeys(channel, vault).length > 0
  } catch {
    return false
  }
}

function auditEventsOf(channel: Channel, acts: readonly KeyAct[]): readonly AuditEvent[] {
  return acts.map(({ before, after }) => channelAuditEvent('channel.update', channel, { before, after }))
}

/** An act on a key, as the audit log has it; without a change where it is refused. */
interface KeyAct {
  readonly change: ChannelChange | undefined
  readonly before?: object | undefined
  readonly after: {
    readonly key: string
    readonly change: 'enable' | 'disable'
    readonly refused?: string
    readonly scheduled_by?: string
  }
}

/** Leaves of a plan what is still ahead, and returns what it does now. */
async function runPlan(
  channel: Channel | undefined,
  planned: ChannelKeySwitch,
  now: number,
  { channelKeySwitches }: Pick<Store, 'channelKeySwitches'>,
  vault: Vault,
): Promise<KeyAct | undefined> {
  const { left, status } = dueSwitch(planned, now)
  const act = channel && status && switchKey(channel, { planned, status, now }, vault)
  await (left === undefined || act === 'gone'
    ? channelKeySwitches.delete(planned)
    : channelKeySwitches.put(left))
  return act === 'gone' ? undefined : act
}

interface DueKey {
  readonly planned: ChannelKeySwitch
  readonly status: 'enabled' | 'disabled'
  readonly now: number
}

/**
 * Returns the change that switches a key, and what the audit log says of it; `undefined` where nothing changes. The last key in service
 * stays on. What the gateway took out stays out, and goes off when it is time for that, or a test would put it back.
 */
function switchKey(
  channel: Channel,
  { planned, status, now }: DueKey,
  vault: Vault,
): KeyAct | 'gone' | undefined {
  const keys = openKeys(channel, vault)
  const found = keyNamed(planned.keyId, keys, vault)
  if (found === undefined) return 'gone'
  const { index, key } = found
  const state = channel.keyStates.find((each) => each.index === index)
  const isNeeded = status === 'disabled' ? state?.status !== 'disabled' : state?.status === 'disabled'
  if (!isNeeded) return undefined
  const act = status === 'disabled' ? 'disable' : 'enable'
  const after = { key: keyHint(key), change: act } as const
  try {
    return { change: changeOf(channel, keys, { index, act, replacement: undefined, at: now }, vault), after }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { change: undefined, after: { ...after, refused: error.code } }
  }
}

/** Adds what is planned to the keys of channels as the console reads them. */
export async function withKeySchedules(
  channels: readonly WireChannel[],
  { keySwitches, users }: Pick<KeyScheduleDependencies, 'keySwitches' | 'users'>,
): Promise<WireChannel[]> {
  const all = await keySwitches.listAll()
  if (all.length === 0) return [...channels]
  const people = await users.listByIds(all.map(({ setBy }) => setBy))
  const planned = new Map(all.map((each) => [`${each.channelId}/${each.keyId}`, each]))
  const keyOf = (channelId: number, key: WireKey): WireKey => {
    const own = planned.get(`${channelId}/${key.id}`)
    if (own === undefined) return key
    const by = people.get(own.setBy)?.username ?? `#${own.setBy}`
    return { ...key, schedule: { off_at: own.offAt, on_at: own.onAt, by } }
  }
  return channels.map((channel) => {
    const keys = channel.health.keys.map((key) => keyOf(channel.id, key))
    return { ...channel, health: { ...channel.health, keys } }
  })
}

type WireKey = WireChannel['health']['keys'][number]
