import { chargingOptions } from '@tollgate/api'
import { type RevertQuestion, revertQuestions } from '@tollgate/api/revert-questions'
import type { SettingKey } from '@tollgate/api/settings'
import type { ManageChannels } from '../../channels/manage/manage-channels.ts'
import type { IntendedChange } from '../../models/intended-change.ts'
import type { Actor } from '../../records/audit-log/audit-log.ts'
import { channelBefore } from '../../records/audit-log/before-change.ts'
import { fieldsBefore } from '../../settings/group-settings.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import type { AuditRecord } from '../../store/log/audit-log.ts'
import type { Store } from '../../store/store.ts'
import { optionChange, priceOptionChanges } from './option-changes.ts'
import { getRevertible } from './revertible-record.ts'

interface Dependencies {
  readonly store: Pick<Store, 'auditLog'>
  readonly settings: SettingsReader
  readonly channels: Pick<ManageChannels, 'intendedRevision'>
}

/**
 * Returns the change that taking a recorded act back would be, so that the question before it is that before the same change by hand. One that
 * moves no price and takes nothing out of service names nothing. Changes nothing, and throws what the revert itself would throw.
 */
export function createIntendedRevert(deps: Dependencies) {
  const changes = changesOf(deps)
  return async (actor: Actor, id: number): Promise<IntendedChange> => {
    const { record, action } = await getRevertible(deps, actor, id)
    return { ids: [], ...(await changes[revertQuestions[action]](record)) }
  }
}

type ChangeOf = (record: AuditRecord) => Partial<IntendedChange> | Promise<Partial<IntendedChange>>

const nothing: ChangeOf = () => ({})

function changesOf({ settings, channels }: Dependencies): Readonly<Record<RevertQuestion, ChangeOf>> {
  const option: ChangeOf = (record) => charging([optionChange(settings.current, record)])
  const channel: ChangeOf = (record) =>
    channels.intendedRevision(record.targetId, (now) => channelBefore(now, record))
  const group: ChangeOf = ({ targetName: name, before }) => ({
    changed_group: { name, settings: fieldsBefore(JSON.parse(before)) },
  })
  return {
    option,
    price: (record) => charging(priceOptionChanges(settings.current, record)),
    channel,
    group,
    'new-group': ({ targetName: name }) => ({ changed_group: { name, settings: null } }),
    users: nothing,
    nothing,
  }
}

type ChargingOption = (typeof chargingOptions)[number]

function charging(
  changes: readonly { readonly key: SettingKey; readonly value: string }[],
): Partial<IntendedChange> {
  const options = changes.flatMap(({ key, value }) => (isCharging(key) ? [{ key, value }] : []))
  return options.length === 0 ? {} : { options }
}

function isCharging(key: string): key is ChargingOption {
  return chargingOptions.some((known) => known === key)
}
