import type { Consent } from '@tollgate/api'
import {
  formatSetting,
  isSecret,
  isSettingKey,
  optionAsksForProof,
  type SettingKey,
  type SettingValues,
} from '@tollgate/api/settings'
import type { FreezeKey } from '../../accounts/tokens/freeze-key.ts'
import type { ManyUsers } from '../../accounts/users/manage/many-users.ts'
import type { ManageChannels } from '../../channels/manage/manage-channels.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { ProvableActor } from '../../records/audit-log/audit-log.ts'
import { getAuditRecord } from '../../records/audit-log/audit-pages.ts'
import {
  channelBefore,
  type OptionNow,
  optionBefore,
  optionsBefore,
} from '../../records/audit-log/before-change.ts'
import { requirePart } from '../../records/audit-log/require-part.ts'
import type { ChangeOptions } from '../../settings/change-options.ts'
import type { ManageGroups } from '../../settings/manage-groups.ts'
import type { AuditRecord } from '../../store/log/audit-log.ts'
import type { Goodwill } from '../../wallet/explained/goodwill.ts'
import type { OrderRefunds } from '../../wallet/top-up/refund-order.ts'
import type { PublicIncidents } from '../status-page/manage-public-incidents.ts'

interface Dependencies {
  readonly store: Parameters<typeof getAuditRecord>[0]['store']
  readonly options: Pick<ChangeOptions, 'change'>
  readonly channels: Pick<ManageChannels, 'revise'>
  readonly groups: Pick<ManageGroups, 'revert'>
  readonly manyUsers: Pick<ManyUsers, 'takeBack'>
  readonly refunds: Pick<OrderRefunds, 'undo'>
  readonly goodwill: Pick<Goodwill, 'takeBack'>
  readonly freezeKey: Pick<FreezeKey, 'unfreeze'>
  readonly publicIncidents: Pick<PublicIncidents, 'revert'>
}

/**
 * Takes a recorded change of an option, a group, a channel, many users or the status page, or a freeze of a key, back, by the rules and with the record
 * of a change of its own. Throws `Refusal` where the actor may not see the record, something was changed again since, or the record does
 * not hold what was.
 */
export function createRevert(deps: Dependencies) {
  const { store, options, channels, groups, manyUsers, refunds, goodwill, freezeKey, publicIncidents } = deps
  return async (actor: ProvableActor, id: number, consent?: Consent): Promise<void> => {
    const record = await getAuditRecord({ store }, actor, id)
    switch (record.action) {
      case 'option.update':
      case 'option.reset-model-ratio':
        if (optionAsksForProof(record.targetName)) actor.requireProof()
        return options.change(actor, (now) => [optionChange(now, record)], consent)
      case 'model.price':
        return options.change(actor, (now) => priceOptionChanges(now, record), consent, {
          action: record.action,
          target: { kind: 'model', name: record.targetName },
        })
      case 'channel.update':
      case 'channel.enable':
      case 'channel.disable':
      case 'channel.drain':
        requirePart(actor, 'channels')
        return channels.revise(record.targetId, (now) => channelBefore(now, record), actor)
      case 'group.create':
      case 'group.update':
      case 'group.rename':
      case 'group.remove':
        return groups.revert(actor, record, consent ?? {})
      case 'user.update-many':
        requirePart(actor, 'users')
        return manyUsers.takeBack(actor, record, consent ?? {})
      case 'top-up-order.refund':
        requirePart(actor, 'money')
        return refunds.undo(actor, record.targetName, handRefundOf(record))
      case 'log.goodwill':
        requirePart(actor, 'money')
        return goodwill.takeBack(actor, record.targetId)
      case 'token.freeze':
        requirePart(actor, 'users')
        actor.requireProof()
        return freezeKey.unfreeze(actor, record.targetId)
      case 'status-incident.publish':
      case 'status-incident.update':
      case 'status-incident.unpublish':
        return publicIncidents.revert(actor, record)
      default:
        throw new Refusal('audit_not_revertible')
    }
  }
}

function optionChange(now: SettingValues, record: AuditRecord) {
  const { targetName: key } = record
  if (!isSettingKey(key) || isSecret(key)) throw new Refusal('audit_not_revertible')
  return { key, value: optionBefore(optionNow(now, key), record) }
}

/** The money of a refund that was recorded by hand, in the smallest unit; what a provider returned stays returned. */
function handRefundOf({ after }: AuditRecord): number {
  const { way, change_minor } = JSON.parse(after) as Readonly<Record<string, unknown>>
  if (way !== 'by-hand' || typeof change_minor !== 'number' || change_minor <= 0)
    throw new Refusal('audit_not_revertible')
  return change_minor
}

function priceOptionChanges(now: SettingValues, record: AuditRecord) {
  const entriesNow = (key: string) => {
    const entries = isSettingKey(key) ? optionNow(now, key).entries : undefined
    if (entries === undefined) throw new Refusal('audit_not_revertible')
    return entries
  }
  return optionsBefore(entriesNow, record).map(([key, value]) => ({ key, value }))
}

function optionNow(current: SettingValues, key: SettingKey): OptionNow {
  const value: unknown = current[key]
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
  return {
    text: formatSetting(key, current[key]),
    entries: isMap ? (value as Readonly<Record<string, unknown>>) : undefined,
  }
}
