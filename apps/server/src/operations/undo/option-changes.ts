import {
  formatSetting,
  isSecret,
  isSettingKey,
  type SettingKey,
  type SettingValues,
} from '@tollgate/api/settings'
import { Refusal } from '../../lib/refusal.ts'
import { type OptionNow, optionBefore, optionsBefore } from '../../records/audit-log/before-change.ts'
import type { AuditRecord } from '../../store/log/audit-log.ts'

/** An option with the text that it gets. */
interface OptionText {
  readonly key: SettingKey
  readonly value: string
}

/** Returns the change of an option that takes a record back. Throws `Refusal` as `optionBefore` does, and for a secret. */
export function optionChange(now: SettingValues, record: AuditRecord): OptionText {
  const { targetName: key } = record
  if (!isSettingKey(key) || isSecret(key)) throw new Refusal('audit_not_revertible')
  return { key, value: optionBefore(optionNow(now, key), record) }
}

/** Returns the changes of options that take the record of a price back. Throws `Refusal` as `optionsBefore` does. */
export function priceOptionChanges(now: SettingValues, record: AuditRecord): readonly OptionText[] {
  const entriesNow = (key: string) => {
    const entries = isSettingKey(key) ? optionNow(now, key).entries : undefined
    if (entries === undefined) throw new Refusal('audit_not_revertible')
    return entries
  }
  return optionsBefore(entriesNow, record).flatMap(([key, value]) =>
    isSettingKey(key) ? [{ key, value }] : [],
  )
}

function optionNow(current: SettingValues, key: SettingKey): OptionNow {
  const value: unknown = current[key]
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
  return {
    text: formatSetting(key, current[key]),
    entries: isMap ? (value as Readonly<Record<string, unknown>>) : undefined,
  }
}
