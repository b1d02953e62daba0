import type {
  ChannelBatchBody,
  ChannelBatchPreview,
  ChannelUpdateBody,
  ListChange,
  Role,
} from '@tollgate/api'
import type { Language } from '@tollgate/api/errors'
import type { Vault } from '../../lib/crypto.ts'
import type { OutboundGuard } from '../../lib/outbound/outbound-guard.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { AuditEvent, ProvableActor } from '../../records/audit-log/audit-log.ts'
import type { Channel, ChannelRepository } from '../../store/channels/channels.ts'
import type { HealthRegistry } from '../health/health-types.ts'
import { RouteChecks } from './channel-address.ts'
import { auditState, updateAuditEvent } from './channel-audit.ts'
import { type ChangeDependencies, type Mover, readUpdate, type UpdateChange } from './channel-change.ts'
import { commaList, readBulkNumbers, readStatus } from './channel-input.ts'
import { type CommitDependencies, commitChannels } from './commit-channels.ts'
import { proxyIn, withProxy } from './proxy-password.ts'

export interface ChangeManyDependencies extends ChangeDependencies, CommitDependencies {
  readonly channels: Pick<ChannelRepository, 'listByIds'>
  readonly guard: OutboundGuard
  readonly health: Pick<HealthRegistry, 'reset'>
}

/** The fields of a bulk change. */
export type ManyChange = Omit<ChannelBatchBody, 'ids'>

/** The outcome for one id of a bulk call; done without a refusal. */
export interface BulkOutcome {
  readonly id: number
  readonly refusal?: Refusal
}

/** One channel, and its change or why it is refused. */
type Planned = Ready | { readonly channel: Channel; readonly refusal: Refusal }

interface Ready {
  readonly channel: Channel
  readonly update: UpdateChange
}

/**
 * Changes each channel by the rules of its own form, in one transaction and one event. A channel that may not have the
 * change is left as it is and has a refusal in its outcome. Throws `Refusal` for a change that no channel can have.
 */
export async function changeMany(
  ids: readonly number[],
  change: ManyChange,
  actor: ProvableActor,
  deps: ChangeManyDependencies,
): Promise<readonly BulkOutcome[]> {
  checkChange(change)
  const mover = { setter: actor, checks: new RouteChecks(actor.role, deps.guard) }
  const { plans, changing } = await mover.checks.decide(() =>
    commitChannels(deps, actor, async (tx) => {
      await tx.lock({ ids })
      const plans = planAll(await tx.listByIds(ids), change, mover, deps)
      const changing = plans.flatMap((plan) => ('update' in plan && isChange(plan) ? [plan] : []))
      const auditEvents = await writeAll(changing, tx, deps.vault)
      return { result: { plans, changing }, ids: changing.map(({ channel }) => channel.id), auditEvents }
    }),
  )
  for (const { channel, update } of changing) if (update.resetsHealth) deps.health.reset(channel.id)
  return ids.map((id) => outcomeOf(id, plans))
}

async function writeAll(
  changing: readonly Ready[],
  tx: ChannelRepository,
  vault: Vault,
): Promise<readonly AuditEvent[]> {
  const auditEvents: AuditEvent[] = []
  for (const { channel, update } of changing) {
    const changed = await tx.update(channel.id, update.change)
    if (changed !== undefined) auditEvents.push(updateAuditEvent(channel, changed, vault))
  }
  return auditEvents
}

/** Previews `changeMany`, channel by channel. Changes nothing. */
export async function previewMany(
  ids: readonly number[],
  change: ManyChange,
  reader: { readonly role: Role; readonly language: Language },
  deps: ChangeManyDependencies,
): Promise<readonly ChannelBatchPreview[]> {
  checkChange(change)
  const setter = { ...reader, requireProof: sendsNothing }
  const checks = new RouteChecks(reader.role, deps.guard)
  const channels = await deps.channels.listByIds(ids)
  const plans = await checks.decide(async () => planAll(channels, change, { setter, checks }, deps))
  return plans.map((plan): ChannelBatchPreview => {
    const { id, name } = plan.channel
    if ('refusal' in plan)
      return { id, name, message: plan.refusal.publicMessage(reader.language), changes: [] }
    return {
      id,
      name,
      message: '',
      changes: differences(plan.channel, { ...plan.channel, ...plan.update.change }),
    }
  })
}

function checkChange(change: ManyChange): void {
  if (Object.values(change).every((value) => value === undefined)) throw new Refusal('channel_no_changes')
  if (change.status !== undefined) readStatus(change.status)
  readBulkNumbers(change)
  for (const list of [change.models, change.group])
    if (list !== undefined && commaList(list.names).length === 0) throw new Refusal('channel_no_changes')
}

function planAll(
  channels: readonly Channel[],
  change: ManyChange,
  mover: Mover,
  deps: ChangeManyDependencies,
): readonly Planned[] {
  return mover.checks.forEach(channels, (channel) => planOf(channel, change, mover, deps))
}

function planOf(channel: Channel, change: ManyChange, mover: Mover, deps: ChangeManyDependencies): Planned {
  try {
    return { channel, update: readUpdate(channel, updateOf(channel, change), mover, deps) }
  } catch (error) {
    if (!(error instanceof Refusal) || isOfSetter(error)) throw error
    return { channel, refusal: error }
  }
}

/** A preview sends nothing, so it asks for no proof. */
function sendsNothing(): void {}

/** A refusal for what the person lacks, whichever the channel: the whole call can be repeated once they have it. */
function isOfSetter({ code }: Refusal): boolean {
  return code === 'recent_proof_required' || code === 'session_required'
}

/** The change as the channel's own form would send it. */
function updateOf(channel: Channel, { models, group, proxy, ...same }: ManyChange): ChannelUpdateBody {
  return {
    ...same,
    id: channel.id,
    ...(models && { models: changedList(channel.models, models).join() }),
    ...(group && { group: changedGroups(channel.groups, group).join() }),
    ...(proxy !== undefined && { setting: withProxy(channel.setting, proxy.trim()) }),
  }
}

function changedGroups(groups: readonly string[], change: ListChange): readonly string[] {
  const changed = changedList(groups, change)
  if (changed.length === 0) throw new Refusal('channel_groups_required')
  return changed
}

function changedList(before: readonly string[], { mode, names }: ListChange): readonly string[] {
  const named = commaList(names)
  switch (mode) {
    case 'add':
      return [...new Set([...before, ...named])]
    case 'remove':
      return before.filter((name) => !named.includes(name))
    case 'replace':
      return named
  }
}

/** Decides whether the channel has another value than before in any field. */
function isChange({ channel, update: { change } }: Ready): boolean {
  return differences(channel, { ...channel, ...change }).length > 0
}

function outcomeOf(id: number, plans: readonly Planned[]): BulkOutcome {
  const plan = plans.find(({ channel }) => channel.id === id)
  if (plan === undefined) return { id, refusal: new Refusal('record_not_found') }
  return 'refusal' in plan ? { id, refusal: plan.refusal } : { id }
}

type Changes = ChannelBatchPreview['changes']

/** The fields that differ, by their names on the wire; passwords are hidden. */
function differences(before: Channel, after: Channel): Changes {
  const [old, changed] = [visibleFields(before), visibleFields(after)]
  return (Object.keys(old) as (keyof typeof old)[]).flatMap((field) => {
    const lost = old[field].filter((value) => !changed[field].includes(value))
    const gained = changed[field].filter((value) => !old[field].includes(value))
    return lost.length + gained.length === 0 ? [] : [{ field, lost, gained }]
  })
}

function visibleFields(channel: Channel): Record<Changes[number]['field'], string[]> {
  const { status, priority, weight, setting } = auditState(channel)
  return {
    status: [String(status)],
    priority: [String(priority)],
    weight: [String(weight)],
    models: [...channel.models],
    group: [...channel.groups],
    tag: channel.tag === '' ? [] : [channel.tag],
    proxy: [proxyIn(setting)].filter((proxy) => proxy !== ''),
  }
}
