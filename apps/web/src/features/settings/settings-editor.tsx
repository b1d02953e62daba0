import { useNavigate } from '@tanstack/react-router'
import type { OptionRow, PartHolder } from '@tollgate/api'
import { settingCatalogue, settingGroups } from '@tollgate/api/settings'
import { SearchX } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { SaveFailure } from '../../components/form/index.ts'
import { Button } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { FilterBar } from '../../components/ui/filter-bar.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { Tabs } from '../../components/ui/tabs.tsx'
import { useConfirmLeave } from '../../lib/session/confirm-leave.ts'
import { isRoot, partHolderOf, useUser } from '../../lib/session/session.ts'
import { toast } from '../../lib/toast.ts'
import { SettingField } from './fields/setting-field.tsx'
import { delegationOf, lockOf, sectionsOf, tabsFor, type VisibleKey } from './model/catalogue.ts'
import { type SettingTabName, settingTabs } from './search.ts'
import { SectionList } from './sections/section-list.tsx'
import { SettingsProvider } from './settings-context.ts'
import { type SettingsForm, useSettingsForm } from './use-settings-form.ts'

export interface SettingsEditorProps {
  readonly rows: readonly OptionRow[]
  readonly tab: SettingTabName
  readonly keyword: string
}

/** All settings as one form: changes survive a change of tab, until the person saves or discards them. */
export function SettingsEditor({ rows, tab, keyword }: SettingsEditorProps) {
  const { t } = useTranslation('settings')
  const user = useUser()
  const holder = useMemo(() => partHolderOf(user), [user])
  const navigate = useNavigate()
  const settings = useSettingsForm(rows)
  const { form, changed } = settings
  useConfirmLeave(changed.length > 0 && !settings.saving)

  const stored = useMemo(() => new Set(rows.filter((row) => row.is_set).map((row) => row.key)), [rows])
  const delegation = useMemo(() => delegationOf(rows), [rows])
  const context = useMemo(
    () => ({
      form,
      lockOf: (key: VisibleKey) => lockOf(key, holder, delegation),
      changed: new Set(changed),
      isSet: (key: VisibleKey) => stored.has(key),
    }),
    [form, holder, delegation, changed, stored],
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

  const tabs = tabsFor(holder)
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
        <SearchResults keyword={keyword} holder={holder} />
      ) : isRoot(user) ? (
        <Tabs
          aria-label={t('tabs')}
          value={current}
          onValueChange={(next) => void show(next)}
          tabs={tabs.map((tab) => ({
            value: tab,
            label: t(`tab.${tab}`),
            content: tab === current ? <SectionList sections={sectionsOf(current, holder)} /> : <span />,
          }))}
        />
      ) : (
        <SectionList sections={sectionsOf(current, holder)} />
      )}
      <SaveBar
        count={changed.length}
        saving={settings.saving}
        settings={settings}
        onSave={save}
        onDiscard={settings.discard}
      />
    </SettingsProvider>
  )
}

function tabOf(key: VisibleKey): SettingTabName {
  const tab = settingGroups[settingCatalogue[key].group]
  return settingTabs.find((candidate) => candidate === tab) ?? 'operation'
}

interface SaveBarProps {
  /** Changed settings. */
  readonly count: number
  readonly saving: boolean
  readonly settings: SettingsForm
  readonly onSave: () => void
  readonly onDiscard: () => void
}

/** Counts the unsaved changes, saves and discards them; it stays at the bottom while the page scrolls. */
function SaveBar({ count, saving, settings, onSave, onDiscard }: SaveBarProps) {
  const { t } = useTranslation('settings')
  return (
    <div className="sticky bottom-0 z-10 -mx-5 mt-auto -mb-4 flex flex-col gap-2 border-t bg-surface px-5 py-3 max-sm:-mx-4 max-sm:px-4">
      {count > 0 && (
        <div className="max-h-[60vh] max-w-[760px] overflow-auto">
          <SaveFailure saveForm={settings} labelOf={(key) => t(`field.${key as VisibleKey}.label`)} />
        </div>
      )}
      <div className="flex max-w-[760px] items-center gap-2">
        <p className="min-w-0 flex-1 text-muted text-sm" role="status">
          {count === 0 ? t('changes.none') : t('changes.count', { count })}
        </p>
        {count > 0 && (
          <Button disabled={saving} onClick={onDiscard}>
            {t('changes.discard')}
          </Button>
        )}
        <Button variant="primary" loading={saving} onClick={onSave}>
          {t('changes.save')}
        </Button>
      </div>
    </div>
  )
}

/** The settings of every tab whose label, hint or key contains all words. */
function SearchResults({ keyword, holder }: { readonly keyword: string; readonly holder: PartHolder }) {
  const { t } = useTranslation('settings')
  const words = keyword.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = (key: VisibleKey) => {
    const texts = [
      key,
      t(`field.${key}.label`),
      t(`field.${key}.hint`),
      t(`group.${settingCatalogue[key].group as 'general'}`),
    ]
    const text = texts.join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  }
  const found = tabsFor(holder)
    .flatMap((tab) => sectionsOf(tab, holder).map((section) => ({ ...section, tab })))
    .map((section) => ({ ...section, keys: section.keys.filter(matches) }))
    .filter(({ keys }) => keys.length > 0)
  const count = found.reduce((sum, { keys }) => sum + keys.length, 0)
  if (count === 0)
    return (
      <EmptyState icon={SearchX} title={t('search.none')}>
        {t('search.noneHint')}
      </EmptyState>
    )
  return (
    <div className="flex max-w-[760px] flex-col gap-4">
      <p className="text-muted text-sm" role="status">
        {t('search.found', { count })}
      </p>
      {found.map(({ group, tab, keys }) => (
        <Card key={group} title={t(`group.${group}`)} description={t(`tab.${tab}`)}>
          <div className="flex flex-col gap-5">
            {keys.map((key) => (
              <SettingField key={key} setting={key} />
            ))}
          </div>
        </Card>
      ))}
    </div>
  )
}
