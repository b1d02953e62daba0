import { nameOf, type OptionRow, roles } from '@tollgate/api'
import {
  type Delegation,
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

/** The cards of a tab with the settings that a person of this role may read; cards without any are left out. */
export function sectionsOf(tab: SettingTabName, role: number): readonly Section[] {
  return groups
    .filter((group) => settingGroups[group] === tab)
    .map((group) => ({
      group,
      keys: shownKeys.filter(
        (key) => settingCatalogue[key].group === group && role >= roles[settingCatalogue[key].read],
      ),
    }))
    .filter(({ keys }) => keys.length > 0)
}

/** The tabs that hold something for this role. */
export function tabsFor(role: number): readonly SettingTabName[] {
  return settingTabs.filter((tab) => sectionsOf(tab, role).length > 0)
}

/** Whether root has let administrators change what moves money, by the stored settings. */
export function delegationOf(rows: readonly OptionRow[]): Delegation {
  return {
    AdminMoneyOptionsEnabled: rows.some(
      ({ key, value }) => key === 'AdminMoneyOptionsEnabled' && value === 'true',
    ),
  }
}

/** Why a person of this role cannot change a setting: a key of the texts; `undefined` for one who can. */
export function lockOf(
  key: ShownKey,
  role: number,
  delegation: Delegation,
): 'readOnly' | 'readOnlyMoney' | undefined {
  const name = nameOf(roles, role)
  if (name !== undefined && mayWrite(name, key, delegation)) return undefined
  return movesMoney(key) ? 'readOnlyMoney' : 'readOnly'
}
