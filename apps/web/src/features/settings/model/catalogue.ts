import type { OptionRow, PartHolder } from '@tollgate/api'
import {
  type Delegation,
  mayRead,
  mayWrite,
  movesMoney,
  type SettingGroup,
  type SettingKey,
  settingCatalogue,
  settingGroups,
  settingKeys,
} from '@tollgate/api/settings'
import { type SettingTabName, settingTabs } from '../search.ts'

type HiddenKey =
  | 'FileUploadPermission'
  | 'FileDownloadPermission'
  | 'ImageUploadPermission'
  | 'ImageDownloadPermission'

/** A setting that the page offers. */
export type ShownKey = Exclude<SettingKey, HiddenKey>
export type ShownGroup = Exclude<SettingGroup, 'legacy'>

function isShown(key: SettingKey): key is ShownKey {
  return settingGroups[settingCatalogue[key].group] !== 'hidden'
}

export const shownKeys: readonly ShownKey[] = settingKeys.filter(isShown)

const groups = Object.keys(settingGroups).filter((group): group is ShownGroup => group !== 'legacy')

export interface Section {
  readonly group: ShownGroup
  readonly keys: readonly ShownKey[]
}

/** The cards of a tab with the settings that somebody may read; cards without any are left out. */
export function sectionsOf(tab: SettingTabName, reader: PartHolder): readonly Section[] {
  return groups
    .filter((group) => settingGroups[group] === tab)
    .map((group) => ({
      group,
      keys: shownKeys.filter((key) => settingCatalogue[key].group === group && mayRead(reader, key)),
    }))
    .filter(({ keys }) => keys.length > 0)
}

/** The tabs that hold something for somebody. */
export function tabsFor(reader: PartHolder): readonly SettingTabName[] {
  return settingTabs.filter((tab) => sectionsOf(tab, reader).length > 0)
}

/** Whether root has let administrators change what moves money, by the stored settings. */
export function delegationOf(rows: readonly OptionRow[]): Delegation {
  return {
    AdminMoneyOptionsEnabled: rows.some(
      ({ key, value }) => key === 'AdminMoneyOptionsEnabled' && value === 'true',
    ),
  }
}

/** Why somebody cannot change a setting: a key of the texts; `undefined` for one who can. */
export function lockOf(
  key: ShownKey,
  writer: PartHolder,
  delegation: Delegation,
): 'readOnly' | 'readOnlyMoney' | undefined {
  if (mayWrite(writer, key, delegation)) return undefined
  return movesMoney(key) ? 'readOnlyMoney' : 'readOnly'
}
