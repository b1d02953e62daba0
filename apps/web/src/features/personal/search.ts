import { enumParam, searchParams } from '../../lib/search-params.ts'

export const settingTabs = ['notification', 'price', 'privacy'] as const
export type SettingTab = (typeof settingTabs)[number]

/** Which of one's settings are shown. */
export const personalSearch = searchParams({ tab: enumParam(settingTabs) })
