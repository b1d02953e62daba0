import { enumParam, searchParams } from '../../lib/search-params.ts'

export const settingTabs = ['notification', 'price', 'privacy'] as const
export type SettingTab = (typeof settingTabs)[number]

/** Tab of one's settings that is shown. */
export const personalSearch = searchParams({ tab: enumParam(settingTabs) })
