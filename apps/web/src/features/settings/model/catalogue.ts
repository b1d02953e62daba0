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
export type VisibleKey = Exclude<SettingKey, HiddenKey>
export type VisibleGroup = Exclude<SettingGroup, 'legacy'>

function isVisible(key: SettingKey): key is VisibleKey {
  return settingGroups[settingCatalogue[key].group] !== 'hidden'
}

export const visibleKeys: readonly VisibleKey[] = settingKeys.filter(isVisible)

const groups = Object.keys(settingGroups).filter((group): group is VisibleGroup => group !== 'legacy')

export interface Section {
  readonly group: VisibleGroup
  readonly keys: readonly VisibleKey[]
}

/** The cards of a tab with the settings that somebody may read; cards without any are left out. */
export function sectionsOf(tab: SettingTabName, reader: PartHolder): readonly Section[] {
  return groups
    .filter((group) => settingGroups[group] === tab)
    .map((group) => ({
      group,
      keys: visibleKeys.filter((key) => settingCatalogue[key].group === group && mayRead(reader, key)),
    }))
    .filter(({ keys }) => keys.length > 0)
}

/** The tabs that hold something for somebody. */
export function tabsFor(reader: PartHolder): readonly SettingTabName[] {
  return settingTabs.filter((tab) => sectionsOf(tab, reader).length > 0)
}

/** Reads from the stored settings whether root has let administrators change options that move money. */
export function delegationOf(rows: readonly OptionRow[]): Delegation {
  return {
    AdminMoneyOptionsEnabled: rows.some(
      ({ key, value }) => key === 'AdminMoneyOptionsEnabled' && value === 'true',
    ),
  }
}

/** Returns the reason for which somebody cannot change a setting: a key of the texts; `undefined` for one who can. */
export function lockOf(
  key: VisibleKey,
  writer: PartHolder,
  delegation: Delegation,
): 'readOnly' | 'readOnlyMoney' | undefined {
  if (mayWrite(writer, key, delegation)) return undefined
  return movesMoney(key) ? 'readOnlyMoney' : 'readOnly'
}
