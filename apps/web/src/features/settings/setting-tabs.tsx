import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Tabs } from '../../components/ui/tabs.tsx'
import type { SettingTabName } from './search.ts'

export interface SettingTabsProps {
  readonly tabs: readonly SettingTabName[]
  readonly current: SettingTabName
  readonly onChange: (tab: SettingTabName) => void
  readonly children: ReactNode
}

/** The parts of the settings, one visible at a time. The list is the root administrator's. */
export function SettingTabs({ tabs, current, onChange, children }: SettingTabsProps) {
  const { t } = useTranslation('settings')
  return (
    <Tabs
      aria-label={t('tabs')}
      value={current}
      onValueChange={onChange}
      tabs={tabs.map((tab) => ({
        value: tab,
        label: t(`tab.${tab}`),
        content: tab === current ? children : <span />,
      }))}
    />
  )
}
