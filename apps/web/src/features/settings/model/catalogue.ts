import { roles } from '@tollgate/api'
import {
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

export function mayChange(key: ShownKey, role: number): boolean {
  return role >= roles[settingCatalogue[key].write]
}
