import { defaults, formatSetting, type SettingKey } from '@tollgate/api/settings'
import type { Actor } from '../records/audit-log/audit-log.ts'
import type { ChangeOptions } from './change-options.ts'
import type { SettingsReader } from './settings.ts'

/** The settings that can keep the super administrator out. The default of each lets them in. */
const locks: readonly SettingKey[] = [
  'TurnstileCheckEnabled',
  'PasswordLoginEnabled',
  'AdminSecondFactorRequired',
  'AdminAllowedRanges',
]

interface Dependencies {
  readonly settings: SettingsReader
  readonly changeOptions: Pick<ChangeOptions, 'change'>
}

/** Restores the default of every setting that can keep administrators out; returns those that it changed. */
export async function unlock(
  { settings, changeOptions }: Dependencies,
  actor: Actor,
): Promise<readonly SettingKey[]> {
  const { current } = settings
  const closed = locks.filter((key) => formatSetting(key, current[key]) !== formatSetting(key, defaults[key]))
  await changeOptions.change(
    actor,
    closed.map((key) => ({ key, clear: true })),
  )
  return closed
}
