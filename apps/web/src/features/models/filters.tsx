import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ListFilters } from '../../components/list/list-filters.tsx'
import { channelsOf, isUnpriced, type ModelRow, vendorsOf } from './model-rows.ts'
import type { ModelsSearch } from './search.ts'

interface ModelFiltersProps {
  readonly rows: readonly ModelRow[]
  readonly search: ModelsSearch
  readonly onChange: (part: Partial<ModelsSearch>) => void
}

/** Filters by price, vendor and channel. */
export function ModelFilters({ rows, search, onChange }: ModelFiltersProps): ReactNode {
  const { t } = useTranslation('models')
  const unpriced = rows.filter(isUnpriced).length
  const chosen: Readonly<Record<string, string | undefined>> = {
    state: search.state,
    vendor: search.vendor,
    channel: search.channel?.toString(),
  }
  const read: Readonly<Record<string, (value: string | undefined) => Partial<ModelsSearch>>> = {
    state: (value) => ({ state: value === 'unpriced' ? value : undefined }),
    vendor: (value) => ({ vendor: value }),
    channel: (value) => ({ channel: value === undefined ? undefined : Number(value) }),
  }
  return (
    <ListFilters
      chosenOf={(name) => chosen[name]}
      onChange={(name, value) => onChange({ ...read[name]?.(value), page: undefined })}
      filters={[
        {
          name: 'state',
          label: t('filter.state'),
          placeholder: t('filter.search'),
          choices: [{ value: 'unpriced', label: t('filter.unpriced', { count: unpriced }) }],
        },
        {
          name: 'vendor',
          label: t('column.vendor'),
          placeholder: t('filter.search'),
          choices: vendorsOf(rows).map((name) => ({ value: name, label: name })),
        },
        {
          name: 'channel',
          label: t('filter.channel'),
          placeholder: t('filter.search'),
          choices: channelsOf(rows).map(({ id, name }) => ({ value: String(id), label: name })),
        },
      ]}
    />
  )
}
