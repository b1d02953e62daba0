import { queryOptions, skipToken } from '@tanstack/react-query'
import { roles } from '@tollgate/api'
import type { SettingTab } from '@tollgate/api/settings'
import i18next from 'i18next'
import { loadTexts } from '../../../i18n/index.ts'

export interface FoundSetting {
  readonly key: string
  readonly tab: Exclude<SettingTab, 'hidden'>
  readonly label: string
  readonly section: string
}

const atMost = 5

/** The settings that this role may read whose name, sentence or key has the words. The catalogue comes when it is first searched. */
export function settingSearch(text: string, role: number, language: string) {
  return queryOptions({
    queryKey: ['palette', 'settings', text, role, language],
    queryFn: role >= roles.admin && text !== '' ? () => findSettings(text, role) : skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
    retry: false,
  })
}

async function findSettings(text: string, role: number): Promise<readonly FoundSetting[]> {
  const [{ settingCatalogue, settingGroups, settingKeys }] = await Promise.all([
    import('@tollgate/api/settings'),
    loadTexts('settings'),
  ])
  // Names of settings are put together here, so they are no literal keys.
  const sentence = (key: string): string => i18next.t(key as never, { ns: 'settings', defaultValue: '' })
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found: FoundSetting[] = []
  for (const key of settingKeys) {
    const { group, read } = settingCatalogue[key]
    const tab = settingGroups[group]
    if (tab === 'hidden' || role < roles[read]) continue
    const label = sentence(`field.${key}.label`) || key
    const searched = `${key} ${label} ${sentence(`field.${key}.hint`)}`.toLowerCase()
    if (words.every((word) => searched.includes(word)))
      found.push({ key, tab, label, section: sentence(`group.${group}`) })
  }
  const named = ({ label, key }: FoundSetting) => `${label} ${key}`.toLowerCase().includes(text.toLowerCase())
  return found.sort((left, right) => Number(named(right)) - Number(named(left))).slice(0, atMost)
}
