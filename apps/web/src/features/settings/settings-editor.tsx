import { useBlocker, useNavigate } from '@tanstack/react-router'
import type { OptionRow } from '@tollgate/api'
import { settingCatalogue, settingGroups } from '@tollgate/api/settings'
import { lazy, Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { FilterBar } from '../../components/ui/filter-bar.tsx'
import { confirm } from '../../lib/confirm.ts'
import { isRoot, useUser } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { type ShownKey, sectionsOf, tabsFor } from './model/catalogue.ts'
import { SaveBar } from './save-bar.tsx'
import { type SettingTabName, settingTabs } from './search.ts'
import { SectionList } from './sections/section-list.tsx'
import { SettingTabs } from './setting-tabs.tsx'
import { SettingsProvider } from './settings-context.ts'
import { useSettingsForm } from './use-settings-form.ts'

const SearchResults = lazy(() =>
  import('./search-results.tsx').then((module) => ({ default: module.SearchResults })),
)

export interface SettingsEditorProps {
  readonly rows: readonly OptionRow[]
  readonly tab: SettingTabName
  readonly keyword: string
}

/** All settings as one form: changes are kept while tabs are turned, until they are saved or discarded. */
export function SettingsEditor({ rows, tab, keyword }: SettingsEditorProps) {
  const { t } = useTranslation('settings')
  const user = useUser()
  const role = user?.role ?? 0
  const navigate = useNavigate()
  const settings = useSettingsForm(rows)
  const { form, changed } = settings
  useLeaveQuestion(changed.length > 0 && !settings.saving)

  const stored = useMemo(() => new Set(rows.filter((row) => row.is_set).map((row) => row.key)), [rows])
  const context = useMemo(
    () => ({ form, role, changed: new Set(changed), isSet: (key: ShownKey) => stored.has(key) }),
    [form, role, changed, stored],
  )
  const show = (next: SettingTabName) => navigate({ to: '/setting', search: { tab: next } })

  function save(): void {
    if (changed.length === 0) {
      toast.warning(t('save.unchanged'))
      return
    }
    const [wrong] = settings.wrong()
    if (wrong !== undefined) {
      toast.error(t('save.check'))
      void show(tabOf(wrong))
    }
    settings.submit()
  }

  const tabs = tabsFor(role)
  const current = tabs.includes(tab) ? tab : 'operation'
  return (
    <SettingsProvider value={context}>
      <FilterBar
        search={{
          value: keyword,
          placeholder: t('search.placeholder'),
          onSearch: (next) =>
            void navigate({
              to: '/setting',
              search: { tab: current, ...(next !== '' && { keyword: next }) },
            }),
        }}
      />
      {keyword !== '' ? (
        <Suspense>
          <SearchResults keyword={keyword} role={role} />
        </Suspense>
      ) : isRoot(user) ? (
        <SettingTabs tabs={tabs} current={current} onChange={(next) => void show(next)}>
          <SectionList sections={sectionsOf(current, role)} />
        </SettingTabs>
      ) : (
        <SectionList sections={sectionsOf(current, role)} />
      )}
      <SaveBar
        count={changed.length}
        saving={settings.saving}
        failure={settings.failure}
        onSave={save}
        onDiscard={settings.discard}
      />
    </SettingsProvider>
  )
}

function tabOf(key: ShownKey): SettingTabName {
  const tab = settingGroups[settingCatalogue[key].group]
  return settingTabs.find((candidate) => candidate === tab) ?? 'operation'
}

/** Asks before unsaved changes are lost with the page; turning tabs loses none. */
function useLeaveQuestion(dirty: boolean): void {
  const { t } = useTranslation()
  useBlocker({
    shouldBlockFn: async ({ current, next }) =>
      dirty &&
      current.pathname !== next.pathname &&
      !(await confirm({
        title: t('unsaved.title'),
        description: t('unsaved.description'),
        confirmLabel: t('unsaved.discard'),
        danger: true,
      })),
    enableBeforeUnload: dirty,
  })
}
