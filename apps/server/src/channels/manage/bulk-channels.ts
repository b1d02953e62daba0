import type { ChannelBatchBody, ChannelBatchPreview, Role } from '@tollgate/api'
import type { Language } from '@tollgate/api/errors'
import { Refusal } from '../../lib/refusal.ts'
import type { Actor, AuditEvent, ProvableActor } from '../../records/audit-log/audit-log.ts'
import type {
  Channel,
  ChannelChange,
  ChannelRepository,
  ChannelSummary,
  SummaryFilter,
} from '../../store/channels/channels.ts'
import type { HealthRegistry } from '../health/health-types.ts'
import { drainOf, endOfDrain } from '../routing/draining.ts'
import {
  type BulkOutcome,
  type ChangeManyDependencies,
  changeMany,
  type ManyChange,
  previewMany,
} from './change-many.ts'
import { channelAuditEvent, summaryState } from './channel-audit.ts'
import { manualKeyStates } from './channel-change.ts'
import { readBulkNumbers, readStatus, readTag } from './channel-input.ts'
import { type CommitDependencies, commitChannels } from './commit-channels.ts'
import { keyStateChange, statusOf } from './service-state.ts'

export interface BulkDependencies extends CommitDependencies, ChangeManyDependencies {
  readonly channels: ChannelRepository
  readonly health: Pick<HealthRegistry, 'reset' | 'forget'>
}

/** Selection of the channels that a call covers: a filter of the store, and a test of what the store cannot filter. */
interface Selection extends SummaryFilter {
  readonly isSelected?: (channel: ChannelSummary) => boolean
}

/** Each is one call, one transaction and one event, however many channels it names. */
export class BulkChannels {
  readonly #deps: BulkDependencies

  constructor(deps: BulkDependencies) {
    this.#deps = deps
  }

  async delete(ids: readonly number[], actor: Actor): Promise<readonly BulkOutcome[]> {
    return outcomesOf(ids, await this.#deleteAll(idsIn(ids), actor))
  }

  /** Deletes every channel that is not enabled; returns how many. One that drains may still have calls. */
  async deleteDisabled(actor: Actor): Promise<number> {
    const isSelected = (channel: ChannelSummary) =>
      channel.status !== 'enabled' && drainOf(channel) === undefined
    return (await this.#deleteAll({ isSelected }, actor)).length
  }

  async update({ ids, ...sent }: ChannelBatchBody, actor: ProvableActor): Promise<readonly BulkOutcome[]> {
    if (isPerChannel(sent)) return await changeMany(idsIn(ids).ids, sent, actor, this.#deps)
    const status = sent.status === undefined ? undefined : readStatus(sent.status)
    const numbers = readBulkNumbers(sent)
    if (status === undefined && Object.keys(numbers).length === 0) throw new Refusal('channel_no_changes')
    return outcomesOf(ids, await this.#change(idsIn(ids), numbers, status, actor))
  }

  /** Previews `update`; changes nothing. */
  preview(
    { ids, ...sent }: ChannelBatchBody,
    reader: { readonly role: Role; readonly language: Language },
  ): Promise<readonly ChannelBatchPreview[]> {
    return previewMany(idsIn(ids).ids, sent, reader, this.#deps)
  }

  /** `null` takes the tag off. */
  async setTag(ids: readonly number[], tag: string | null, actor: Actor): Promise<readonly BulkOutcome[]> {
    const change = { tag: tag === null ? '' : readTag(tag) }
    return outcomesOf(ids, await this.#change(idsIn(ids), change, undefined, actor))
  }

  /** Enables or disables all channels of a tag; returns how many there are. Refused when there is none. */
  async switchTag(tag: string, status: 'enabled' | 'disabled', actor: Actor): Promise<number> {
    const name = readTag(tag)
    const act: AuditEvent = {
      action: status === 'enabled' ? 'tag.enable' : 'tag.disable',
      target: { kind: 'tag', name },
    }
    return (await this.#change({ tag: name }, {}, status, actor, act)).length
  }

  /** Returns the ids that existed. */
  async #deleteAll(selection: Selection, actor: Actor): Promise<readonly number[]> {
    const { health } = this.#deps
    const deleted = await commitChannels(this.#deps, actor, async (channels) => {
      const selected = await lockSelected(selection, channels)
      const ids = await channels.deleteMany(selected.map(({ id }) => id))
      const auditEvents = selected.map((channel) =>
        channelAuditEvent('channel.delete', channel, { before: summaryState(channel) }),
      )
      return { result: ids, ids, auditEvents }
    })
    for (const id of deleted) health.forget(id)
    return deleted
  }

  /**
   * Returns the ids of the channels it covers, also where nothing had to change.
   * @param act an audit action of its own, recorded when there is a channel to record it for
   */
  async #change(
    selection: Selection,
    change: ChannelChange,
    status: 'enabled' | 'disabled' | 'auto-disabled' | undefined,
    actor: Actor,
    act?: AuditEvent,
  ): Promise<readonly number[]> {
    const fullChange = status === undefined ? change : { ...change, status }
    const { changed, switchedOn } = await commitChannels(this.#deps, actor, async (channels) => {
      const selected = await lockSelected(selection, channels)
      if (act !== undefined && selected.length === 0) throw new Refusal('record_not_found')
      const ids = selected.map(({ id }) => id)
      const on = status === 'enabled' ? selected.filter((channel) => channel.status !== 'enabled') : []
      const switchedOn = on.map(({ id }) => id)
      const withStates = on.filter(({ keyStates }) => keyStates.length > 0).map(({ id }) => id)
      const former = await channels.listByIds(withStates)
      await channels.updateMany(ids, fullChange)
      await clearKeyStates(on, channels)
      await channels.updateMany(draining(on), { statusReason: null })
      const keys = new Map(former.map((channel) => [channel.id, this.#clearedKeys(channel)]))
      const changeOf = (channel: ChannelSummary) =>
        switchedOn.includes(channel.id) ? { ...fullChange, ...endOfDrain(channel) } : fullChange
      const auditEvents = [...(act === undefined ? [] : [act]), ...bulkAuditEvents(selected, changeOf, keys)]
      return { result: { changed: ids, switchedOn }, ids, auditEvents, change: fullChange }
    })
    for (const id of switchedOn) this.#deps.health.reset(id)
    return changed
  }

  #clearedKeys(channel: Channel): KeyStates {
    return keyStateChange(channel, { ...channel, keyStates: manualKeyStates(channel) }, this.#deps.vault)
  }
}

/** States of keys before and after a change. */
type KeyStates = ReturnType<typeof keyStateChange>

/** The channels of a selection as they are now, and stay until the transaction ends. */
async function lockSelected(
  { isSelected = () => true, ...filter }: Selection,
  channels: Pick<ChannelRepository, 'listSummaries' | 'lock'>,
): Promise<readonly ChannelSummary[]> {
  const selected = async (ids?: readonly number[]) =>
    (await channels.listSummaries({ ...filter, ...(ids !== undefined && { ids }) })).filter(isSelected)
  // Those alone that seem to match: to lock every channel would hold up every other change.
  const ids = filter.ids ?? (await selected()).map(({ id }) => id)
  return await selected(await channels.lock({ ...filter, ids }))
}

/** Clears the states of keys, as enabling a single channel does: their former health no longer applies. */
async function clearKeyStates(
  enabled: readonly ChannelSummary[],
  channels: Pick<ChannelRepository, 'update' | 'updateMany'>,
): Promise<void> {
  await channels.updateMany(
    enabled.map(({ id }) => id),
    { keyStates: [] },
  )
  for (const channel of enabled) {
    const keyStates = manualKeyStates(channel)
    if (keyStates.length > 0) await channels.update(channel.id, { keyStates })
  }
}

function draining(channels: readonly ChannelSummary[]): readonly number[] {
  return channels.filter((channel) => drainOf(channel) !== undefined).map(({ id }) => id)
}

function idsIn(ids: readonly number[]) {
  if (ids.length === 0) throw new Refusal('channel_ids_required')
  return { ids: [...new Set(ids)] } satisfies Selection
}

/** Decides whether the change depends on a channel's values, or needs its long texts; others are one statement for all. */
function isPerChannel({ models, group, tag, proxy }: ManyChange): boolean {
  return [models, group, tag, proxy].some((value) => value !== undefined)
}

function bulkAuditEvents(
  channels: readonly ChannelSummary[],
  changeOf: (channel: ChannelSummary) => ChannelChange,
  keys: ReadonlyMap<number, KeyStates>,
): readonly AuditEvent[] {
  return channels.flatMap((channel) => {
    const change = changeOf(channel)
    const states = keys.get(channel.id)
    const [before, after] = [
      { ...bulkState(channel), ...states?.before },
      { ...bulkState({ ...channel, ...change }), ...states?.after },
    ]
    const isSame = JSON.stringify(before) === JSON.stringify(after)
    return isSame ? [] : [channelAuditEvent(bulkAction(change), channel, { before, after })]
  })
}

function bulkAction({ status }: ChannelChange) {
  if (status === undefined) return 'channel.update'
  return status === 'enabled' ? 'channel.enable' : 'channel.disable'
}

function bulkState(channel: ChannelSummary) {
  return { ...summaryState(channel), ...statusOf(channel) }
}

function outcomesOf(ids: readonly number[], done: readonly number[]): readonly BulkOutcome[] {
  const known = new Set(done)
  return [...new Set(ids)].map((id) =>
    known.has(id) ? { id } : { id, refusal: new Refusal('record_not_found') },
  )
}
