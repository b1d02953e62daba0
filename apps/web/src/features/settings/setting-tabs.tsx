import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { buttonClass } from '../../components/ui/button.tsx'
import { Tabs } from '../../components/ui/tabs.tsx'
import type { SettingTabName } from './search.ts'

export interface SettingTabsProps {
  readonly tabs: readonly SettingTabName[]
  readonly current: SettingTabName
  /** The tab list is the root administrator's; others get links to the parts that are theirs. */
  readonly asTabs: boolean
  readonly onChange: (tab: SettingTabName) => void
  readonly children: ReactNode
}

/** The parts of the settings, one visible at a time. */
export function SettingTabs({ tabs, current, asTabs, onChange, children }: SettingTabsProps) {
  const { t } = useTranslation('settings')
  if (asTabs)
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
  return (
    <>
      <nav aria-label={t('tabs')} className="flex gap-1 overflow-x-auto">
        {tabs.map((tab) => (
          <Link
            key={tab}
            to="/setting"
            search={{ tab }}
            aria-current={tab === current ? 'page' : undefined}
            className={buttonClass(tab === current ? 'secondary' : 'ghost', 'sm')}
          >
            {t(`tab.${tab}`)}
          </Link>
        ))}
      </nav>
      {children}
    </>
  )
}
