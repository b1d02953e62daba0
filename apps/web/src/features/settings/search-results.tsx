import { settingCatalogue } from '@tollgate/api/settings'
import { SearchX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../components/ui/card.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { SettingField } from './fields/setting-field.tsx'
import { type ShownKey, sectionsOf, tabsFor } from './model/catalogue.ts'

/** The settings of every tab whose name, sentence or key has the words. */
export function SearchResults({ keyword, role }: { readonly keyword: string; readonly role: number }) {
  const { t } = useTranslation('settings')
  const words = keyword.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = (key: ShownKey) => {
    const texts = [
      key,
      t(`field.${key}.label`),
      t(`field.${key}.hint`),
      t(`group.${settingCatalogue[key].group as 'general'}`),
    ]
    const text = texts.join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  }
  const found = tabsFor(role)
    .flatMap((tab) => sectionsOf(tab, role).map((section) => ({ ...section, tab })))
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
