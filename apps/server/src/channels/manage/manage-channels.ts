import type {
  ChannelCreateBody,
  ChannelDrainBody,
  ChannelKeyBody,
  ChannelKeyScheduleBody,
  ChannelScheduleBody,
  ChannelTagBody,
  ChannelUpdateBody,
  Channel as WireChannel,
} from '@tollgate/api'
import { channelNameMaxLength } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { Ledger } from '../../billing/ledger-types.ts'
import type { OutboundGuard } from '../../lib/outbound/outbound-guard.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Actor, ProvableActor } from '../../records/audit-log/audit-log.ts'
import type { Channel, ChannelChange, ChannelRepository, NewChannel } from '../../store/channels/channels.ts'
import { sealContexts } from '../../store/installation/sealed-places.ts'
import type { HealthRegistry } from '../health/health-types.ts'
import type { ReadRecentAttempts } from '../health/recent-attempts.ts'
import type { ClosableChannelDirectory } from '../routing/channel-directory.ts'
import { joinKeys } from '../routing/compile-channel.ts'
import { BulkChannels } from './bulk-channels.ts'
import { addKeys, changeKey } from './change-key.ts'
import { RouteChecks } from './channel-address.ts'
import { auditState, channelAuditEvent, updateAuditEvent } from './channel-audit.ts'
import { type ChangeDependencies, readUpdate } from './channel-change.ts'
import { openKeys, parseKeys } from './channel-keys.ts'
import { toWire } from './channel-wire.ts'
import { commitChannels, lockChannel } from './commit-channels.ts'
import { createChannels } from './create-channels.ts'
import { type DrainDependencies, drainChannel, endDrain, withDrains } from './drain-channel.ts'
import { editTag } from './edit-tag.ts'
import { fixChannels } from './fix-channels.ts'
import { type ChannelEdit, type IntendedRevision, intendedRevision } from './intended-revision.ts'
import {
  type ChannelList,
  type ChannelListRequest,
  listChannels,
  listTags,
  type TagCount,
} from './list-channels.ts'
import { readNewChannel } from './new-channel.ts'
import { revealKeys } from './reveal-keys.ts'
import {
  type ChooseTimes,
  noTimes,
  refuseNoTime,
  scheduleChannel,
  withSchedules,
} from './schedule-channel.ts'
import { type KeyScheduleDependencies, scheduleKey, withKeySchedules } from './schedule-key.ts'
import { restoredService, serviceOf } from './service-state.ts'

export interface ManageChannelsDependencies
  extends ChangeDependencies,
    KeyScheduleDependencies,
    DrainDependencies {
  readonly channels: ChannelRepository
  readonly directory: Pick<ClosableChannelDirectory, 'snapshot' | 'settled' | 'reload'>
  readonly health: Pick<HealthRegistry, 'view' | 'reset' | 'forget'>
  readonly ledger: Pick<Ledger, 'unflushed'>
  readonly recentAttempts: ReadRecentAttempts
  readonly guard: OutboundGuard
  readonly wallClock: Clock
}

type ReviseChannel = (now: Readonly<Record<string, unknown>>) => ChannelEdit

type AtLeastOne<Item> = readonly [Item, ...Item[]]

/**
 * Actions of administrators on channels. Only the response of `revealKeys` has provider keys. A change is in routing, and in the audit
 * log, when its promise resolves.
 */
export class ManageChannels {
  readonly bulk: BulkChannels
  readonly #deps: ManageChannelsDependencies

  constructor(deps: ManageChannelsDependencies) {
    this.#deps = deps
    this.bulk = new BulkChannels(deps)
  }

  async create(body: ChannelCreateBody, actor: Actor): Promise<WireChannel> {
    const channel = await readNewChannel(body, this.#keysOf(body), actor.role, this.#deps)
    const [created] = await this.#create(async () => [channel], actor)
    return created
  }

  /** A channel for each key, in one transaction. */
  async createSeparately(body: ChannelCreateBody, actor: Actor): Promise<AtLeastOne<WireChannel>> {
    const keys = this.#keysOf(body)
    const first = await readNewChannel(body, keys.slice(0, 1), actor.role, this.#deps)
    if (keys.length === 1) return await this.#create(async () => [first], actor)
    const each = keys.map((key, index) => ({
      ...first,
      name: withSuffix(first.name, ` ${index + 1}`),
      keysSealed: this.#deps.vault.seal(key, sealContexts.newChannelKeys),
    }))
    return await this.#create(async () => each, actor)
  }

  /** Copies keys and all fields, not the health. */
  async copy(id: number, actor: Actor): Promise<WireChannel> {
    const { wallClock, vault } = this.#deps
    const copied = async (tx: ChannelRepository) => {
      const original = await lockChannel(tx, id)
      const keysSealed = vault.seal(joinKeys(openKeys(original, vault)), sealContexts.newChannelKeys)
      return [copyOf({ ...original, keysSealed }, unixSeconds(wallClock))]
    }
    const [copy] = await this.#create(copied, actor, { copied_from: id })
    return copy
  }

  async get(id: number): Promise<WireChannel> {
    return await this.#wire(await this.#stored(id))
  }

  async list(request: ChannelListRequest): Promise<ChannelList> {
    const { channels, total } = await listChannels(request, this.#deps)
    return { channels: await this.#withPlans(channels), total }
  }

  tags(): Promise<readonly TagCount[]> {
    return listTags(this.#deps)
  }

  async update(body: ChannelUpdateBody, actor: ProvableActor): Promise<WireChannel> {
    return await this.#wire(await this.#update(body.id, () => ({ body }), actor))
  }

  /** An update that follows from what the channel is now, as the audit log would record it. */
  async revise(id: number, updateOf: ReviseChannel, actor: ProvableActor): Promise<void> {
    await this.#update(id, (channel) => updateOf(this.#stateOf(channel)), actor)
  }

  /** Says what such an update would take out of service, as the question before it has it; nothing without a channel. */
  async intendedRevision(id: number, updateOf: ReviseChannel): Promise<IntendedRevision> {
    const channel = await this.#deps.channels.find(id)
    return channel === undefined
      ? {}
      : intendedRevision(channel, updateOf(this.#stateOf(channel)), this.#deps.vault)
  }

  /** Does nothing when the channel does not exist. */
  async delete(id: number, actor: Actor): Promise<void> {
    await commitChannels(this.#deps, actor, async (tx) => {
      await tx.lock({ ids: [id] })
      const channel = await tx.find(id)
      if (channel === undefined) return { result: undefined, ids: [], auditEvents: [] }
      await tx.delete(id)
      const act = channelAuditEvent('channel.delete', channel, { before: auditState(channel) })
      return { result: undefined, ids: [id], auditEvents: [act] }
    })
    this.#deps.health.forget(id)
  }

  editTag(body: ChannelTagBody, actor: Actor): Promise<number> {
    return editTag(body, actor, this.#deps)
  }

  fix(actor: Actor): Promise<number> {
    return fixChannels(actor, this.#deps)
  }

  revealKeys(id: number, actor: Actor): Promise<readonly string[]> {
    return revealKeys(id, actor, this.#deps)
  }

  /** Plans when the channel is switched off and on again. */
  async schedule(id: number, body: ChannelScheduleBody, actor: Actor): Promise<WireChannel> {
    refuseNoTime(body)
    return await this.#wire(await scheduleChannel(id, () => body, actor, this.#deps))
  }

  async cancelSchedule(id: number, actor: Actor): Promise<WireChannel> {
    return await this.#wire(await scheduleChannel(id, () => noTimes, actor, this.#deps))
  }

  /** Plans when one of its keys is switched off and on again; no time cancels that. */
  async scheduleKey(id: number, body: ChannelKeyScheduleBody, actor: Actor): Promise<WireChannel> {
    return await this.#wire(await scheduleKey(id, body.key_id, () => body, actor, this.#deps))
  }

  /** A plan, of one key where it is named, that follows from what is planned now. */
  async revisePlan(id: number, keyId: string | undefined, choose: ChooseTimes, actor: Actor): Promise<void> {
    if (keyId === undefined) await scheduleChannel(id, choose, actor, this.#deps)
    else await scheduleKey(id, keyId, choose, actor, this.#deps)
  }

  /** Has new calls avoid the channel, until nothing is open there any more. */
  async drain(id: number, body: ChannelDrainBody, actor: Actor): Promise<WireChannel> {
    return await this.#wire(await drainChannel(id, body, actor, this.#deps))
  }

  async endDrain(id: number, actor: Actor): Promise<WireChannel> {
    const channel = await endDrain(id, actor, this.#deps)
    if (channel === undefined) throw new Refusal('record_not_found')
    return await this.#wire(channel)
  }

  /** Adds keys that the channel does not have yet. */
  async addKeys(
    id: number,
    text: string,
    actor: Actor,
  ): Promise<{ readonly channel: WireChannel; readonly added: number }> {
    const { channel, added } = await addKeys(id, text, actor, this.#deps)
    return { channel: await this.#wire(channel), added }
  }

  /** Puts one key into service, takes it out, replaces or deletes it. */
  async changeKey(id: number, body: ChannelKeyBody, actor: Actor): Promise<WireChannel> {
    return await this.#wire(await changeKey(id, body, actor, this.#deps))
  }

  #stateOf(channel: Channel) {
    return { ...auditState(channel), ...serviceOf(channel, this.#deps.vault) }
  }

  #keysOf({ name, key, type }: ChannelCreateBody): readonly string[] {
    const keys = parseKeys(key, type)
    if (name.trim() === '' || keys.length === 0) throw new Refusal('channel_name_and_key_required')
    return keys
  }

  /** @param channelsOf reads what they are made of within the transaction that adds them */
  async #create(
    channelsOf: (tx: ChannelRepository) => Promise<readonly NewChannel[]>,
    actor: Actor,
    noted: object = {},
  ): Promise<AtLeastOne<WireChannel>> {
    const created = await commitChannels(this.#deps, actor, async (tx) => {
      const made = await createChannels(tx, await channelsOf(tx), this.#deps.vault)
      const auditEvents = made.map((channel) =>
        channelAuditEvent('channel.create', channel, { after: { ...auditState(channel), ...noted } }),
      )
      return { result: made, ids: made.map(({ id }) => id), auditEvents }
    })
    const attempts = await this.#deps.recentAttempts()
    const [first, ...others] = created.map((channel) => toWire(channel, attempts, this.#deps))
    if (first === undefined) throw new Error('channels were created and are not there')
    return [first, ...others]
  }

  /** An update that follows from what the channel is when it is locked. */
  async #update(
    id: number,
    editOf: (channel: Channel) => ChannelEdit,
    actor: ProvableActor,
  ): Promise<Channel> {
    const { guard, health } = this.#deps
    const mover = { setter: actor, checks: new RouteChecks(actor.role, guard) }
    const { channel, resetsHealth } = await mover.checks.decide(() =>
      commitChannels(this.#deps, actor, async (tx) => {
        const before = await lockChannel(tx, id)
        const { body, service = {} } = editOf(before)
        const update = readUpdate(before, { ...body, id }, mover, this.#deps)
        const restored = restoredService(before, service, this.#deps.vault)
        const change = { ...update.change, ...restored }
        const resetsHealth = update.resetsHealth || endsRest(restored)
        const isSame = Object.keys(change).length === 0
        if (isSame) return { result: { channel: before, resetsHealth }, ids: [], auditEvents: [] }
        const channel = (await tx.update(id, change)) ?? before
        const auditEvents = [updateAuditEvent(before, channel, this.#deps.vault)]
        return { result: { channel, resetsHealth }, ids: [id], auditEvents, change }
      }),
    )
    // After the event: attempts that started before it used the old keys and address.
    if (resetsHealth) health.reset(id)
    return channel
  }

  async #wire(channel: Channel): Promise<WireChannel> {
    const wire = toWire(channel, await this.#deps.recentAttempts(), this.#deps)
    const [complete = wire] = await this.#withPlans([wire])
    return complete
  }

  /** Adds what stands beside the channels themselves. */
  async #withPlans(channels: readonly WireChannel[]): Promise<WireChannel[]> {
    const planned = await withKeySchedules(await withSchedules(channels, this.#deps), this.#deps)
    return await withDrains(planned, this.#deps)
  }

  async #stored(id: number): Promise<Channel> {
    const channel = await this.#deps.channels.find(id)
    if (channel === undefined) throw new Refusal('record_not_found')
    return channel
  }
}

/** Decides whether a channel or one of its keys is in service again, whose former health no longer applies. */
function endsRest({ status, keyStates }: ChannelChange): boolean {
  return status === 'enabled' || keyStates !== undefined
}

/** A copy of a channel. It starts disabled: its operator edits it before calls reach it. */
function copyOf(original: Channel, createdAt: number): NewChannel {
  const {
    id: _id,
    usedQuota: _usedQuota,
    balance: _balance,
    balanceUpdatedAt: _balanceUpdatedAt,
    responseTimeMs: _responseTimeMs,
    testedAt: _testedAt,
    statusReason: _statusReason,
    keyStates: _keyStates,
    ...fields
  } = original
  return { ...fields, status: 'disabled', name: withSuffix(original.name, ' copy'), createdAt }
}

function withSuffix(name: string, suffix: string): string {
  return name.slice(0, channelNameMaxLength - suffix.length) + suffix
}
