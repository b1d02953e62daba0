import type { AdminPart, Consent, RevertibleAction } from '@tollgate/api'
import { optionAsksForProof } from '@tollgate/api/settings'
import type { FreezeKey } from '../../accounts/tokens/freeze-key.ts'
import type { ManyUsers } from '../../accounts/users/manage/many-users.ts'
import type { ManageChannels } from '../../channels/manage/manage-channels.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { ProvableActor } from '../../records/audit-log/audit-log.ts'
import { channelBefore, planBefore } from '../../records/audit-log/before-change.ts'
import { requirePart } from '../../records/audit-log/require-part.ts'
import type { ChangeOptions } from '../../settings/change-options.ts'
import type { ManageGroups } from '../../settings/manage-groups.ts'
import type { AuditRecord } from '../../store/log/audit-log.ts'
import type { Store } from '../../store/store.ts'
import type { Goodwill } from '../../wallet/explained/goodwill.ts'
import type { OrderRefunds } from '../../wallet/top-up/refund-order.ts'
import type { PublicIncidents } from '../status-page/manage-public-incidents.ts'
import { optionChange, priceOptionChanges } from './option-changes.ts'
import { getRevertible } from './revertible-record.ts'

interface Dependencies {
  readonly store: Pick<Store, 'auditLog'>
  readonly options: Pick<ChangeOptions, 'change'>
  readonly channels: Pick<ManageChannels, 'revise' | 'revisePlan'>
  readonly groups: Pick<ManageGroups, 'revert'>
  readonly manyUsers: Pick<ManyUsers, 'takeBack'>
  readonly refunds: Pick<OrderRefunds, 'undo'>
  readonly goodwill: Pick<Goodwill, 'takeBack'>
  readonly freezeKey: Pick<FreezeKey, 'unfreeze'>
  readonly publicIncidents: Pick<PublicIncidents, 'revert'>
}

type Undo = (actor: ProvableActor, record: AuditRecord, consent: Consent | undefined) => Promise<void>

/**
 * Takes a recorded act back, once, by the rules and with the record of an act of its own. Throws `Refusal` where the actor may not see
 * the record, something was changed again since, or the record does not hold what was.
 */
export function createRevert(deps: Dependencies) {
  const undos = undosOf(deps)
  return async (actor: ProvableActor, id: number, consent?: Consent): Promise<void> => {
    const { record, action } = await getRevertible(deps, actor, id)
    await undos[action]({ ...actor, reverting: record }, record, consent)
  }
}

function undosOf(deps: Dependencies): Readonly<Record<RevertibleAction, Undo>> {
  const { options, channels, groups, manyUsers, refunds, goodwill, freezeKey, publicIncidents } = deps
  const option: Undo = (actor, record, consent) => {
    if (optionAsksForProof(record.targetName)) actor.requireProof()
    return options.change(actor, (now) => [optionChange(now, record)], consent)
  }
  const channel = withPart('channels', (actor, record) =>
    channels.revise(record.targetId, (now) => channelBefore(now, record), actor),
  )
  const plan = withPart('channels', (actor, record) => {
    const { keyId, timesBefore } = planBefore(record)
    return channels.revisePlan(record.targetId, keyId, timesBefore, actor)
  })
  const group: Undo = (actor, record, consent = {}) => groups.revert(actor, record, consent)
  const publicIncident: Undo = (actor, record) => publicIncidents.revert(actor, record)
  return {
    'option.update': option,
    'option.reset-model-ratio': option,
    'model.price': (actor, record, consent) =>
      options.change(actor, (now) => priceOptionChanges(now, record), consent, {
        action: 'model.price',
        target: { kind: 'model', name: record.targetName },
      }),
    'channel.update': channel,
    'channel.enable': channel,
    'channel.disable': channel,
    'channel.drain': channel,
    'channel.end-drain': channel,
    'channel.schedule': plan,
    'channel.cancel-schedule': plan,
    'group.create': group,
    'group.update': group,
    'group.rename': group,
    'group.remove': group,
    'user.update-many': withPart('users', (actor, record, consent = {}) =>
      manyUsers.takeBack(actor, record, consent),
    ),
    'top-up-order.refund': withPart('money', (actor, record) =>
      refunds.undo(actor, record.targetName, handRefundOf(record)),
    ),
    'log.goodwill': withPart('money', (actor, record) => goodwill.takeBack(actor, record.targetId)),
    'token.freeze': withPart('users', async (actor, record) => {
      actor.requireProof()
      await freezeKey.unfreeze(actor, record.targetId)
    }),
    'status-incident.publish': publicIncident,
    'status-incident.update': publicIncident,
    'status-incident.unpublish': publicIncident,
  }
}

/** An undo for those who have a part of the administration. */
function withPart(part: AdminPart, undo: Undo): Undo {
  return async (actor, record, consent) => {
    requirePart(actor, part)
    await undo(actor, record, consent)
  }
}

/** The money of a refund that was recorded by hand, in the smallest unit; what a provider returned stays returned. */
function handRefundOf({ after }: AuditRecord): number {
  const { way, change_minor } = JSON.parse(after) as Readonly<Record<string, unknown>>
  if (way !== 'by-hand' || typeof change_minor !== 'number' || change_minor <= 0)
    throw new Refusal('audit_not_revertible')
  return change_minor
}
