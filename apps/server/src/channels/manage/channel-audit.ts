import { channelStatuses } from '@tollgate/api'
import type { AuditEvent } from '../../records/audit-log/audit-log.ts'
import type { Channel, ChannelSummary } from '../../store/channels/channels.ts'
import { editableFields } from './channel-wire.ts'
import { withoutUrlPasswords } from './proxy-password.ts'

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
    before: { ...auditState(old), ...itemsOnlyIn(old, changed) },
    after: {
      ...auditState(changed),
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

/** The audit action of an update: enabling or disabling a channel has a name of its own. */
export function updateAuditEvent(old: Channel, changed: Channel): AuditEvent {
  const change = auditChange(old, changed)
  if (old.status === changed.status) return channelAuditEvent('channel.update', changed, change)
  return channelAuditEvent(
    changed.status === 'enabled' ? 'channel.enable' : 'channel.disable',
    changed,
    change,
  )
}
