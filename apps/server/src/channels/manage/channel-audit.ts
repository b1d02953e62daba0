import { channelStatuses } from '@tollgate/api'
import type { Vault } from '../../lib/crypto.ts'
import type { AuditEvent } from '../../records/audit-log/audit-log.ts'
import type { Channel, ChannelSummary } from '../../store/channels/channels.ts'
import { drainOf } from '../routing/draining.ts'
import { editableFields } from './channel-wire.ts'
import { withoutUrlPasswords } from './proxy-password.ts'
import { drainDiffers, serviceChange, statusOf } from './service-state.ts'

type ChannelAction = Extract<AuditEvent['action'], `channel.${string}`>

/** An audited action on one channel. */
export function channelAuditEvent(
  action: ChannelAction,
  { id, name }: Pick<Channel, 'id' | 'name'>,
  states: Pick<AuditEvent, 'before' | 'after'> = {},
) {
  return { action, target: { kind: 'channel', id, name }, ...states } as const satisfies AuditEvent
}

/** A channel in the audit log, by the field names of the wire, without keys and passwords. */
export function auditState(channel: Channel) {
  const { group: _list, ...fields } = editableFields(channel)
  return {
    ...summaryState(channel),
    ...fields,
    models: channel.models,
    param_override: withoutUrlPasswords(channel.paramOverride),
  }
}

/** The same for a summary, without the long texts. */
export function summaryState(channel: ChannelSummary) {
  return {
    name: channel.name,
    type: channel.type,
    status: channelStatuses[channel.status],
    key_count: channel.keyCount,
    groups: channel.groups,
    priority: channel.priority,
    weight: channel.weight,
    tag: channel.tag,
  }
}

/** Returns the audited effect of a change: the items that lists lost and gained, and the replacement of keys. */
export function auditChange(old: Channel, changed: Channel): Required<Pick<AuditEvent, 'before' | 'after'>> {
  const hasNewKeys = old.keysSealed !== changed.keysSealed
  return {
    before: { ...auditState(old), ...statusOf(old), ...itemsOnlyIn(old, changed) },
    after: {
      ...auditState(changed),
      ...statusOf(changed),
      ...itemsOnlyIn(changed, old),
      ...(hasNewKeys && { keys: 'replaced' }),
    },
  }
}

function itemsOnlyIn(these: Channel, others: Channel) {
  return {
    models: without(these.models, others.models),
    groups: without(these.groups, others.groups),
  }
}

function without(items: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others)
  return items.filter((item) => !known.has(item))
}

/** The audit action of an update: to enable, disable or drain a channel has a name of its own. */
export function updateAuditEvent(
  old: Channel,
  changed: Channel,
  vault: Pick<Vault, 'open' | 'hash'>,
): AuditEvent {
  const [change, service] = [auditChange(old, changed), serviceChange(old, changed, vault)]
  return channelAuditEvent(updateAction(old, changed), changed, {
    before: { ...change.before, ...service.before },
    after: { ...change.after, ...service.after },
  })
}

function updateAction(old: Channel, changed: Channel): ChannelAction {
  if (old.status !== changed.status)
    return changed.status === 'enabled' ? 'channel.enable' : 'channel.disable'
  if (!drainDiffers(old, changed)) return 'channel.update'
  return drainOf(changed) === undefined ? 'channel.end-drain' : 'channel.drain'
}
