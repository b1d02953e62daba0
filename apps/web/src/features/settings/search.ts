import { enumParam, searchParams, textParam } from '../../lib/search-params.ts'

export const settingTabs = ['operation', 'ratelimit', 'models', 'system', 'other'] as const
export type SettingTabName = (typeof settingTabs)[number]

export const settingsSearch = searchParams({ tab: enumParam(settingTabs), keyword: textParam })
