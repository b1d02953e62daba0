import { useQuery } from '@tanstack/react-query'
import type { Channel } from '@tollgate/api'
import { ArrowDownWideNarrow, RotateCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type TableView, TableViewMenu } from '../../components/data-table/index.ts'
import { buttonClass, IconButton } from '../../components/ui/button.tsx'
import { FilterBar } from '../../components/ui/filter-bar.tsx'
import { FilterChip } from '../../components/ui/filter-chip.tsx'
import { cx } from '../../lib/cx.ts'
import { groupsQuery, servedModelsQuery } from './api.ts'
import { FilterChoice, type FilterChoiceProps } from './filter-choice.tsx'
import type { ChannelFilter, ChannelList } from './use-channel-list.ts'

export interface ChannelFiltersProps {
  readonly filter: ChannelFilter
  readonly onChange: (part: Omit<ChannelFilter, 'page'>) => void
  readonly list: ChannelList
  readonly view: TableView<Channel>
}

/** Search, group, model, order and view of the list. */
export function ChannelFilters({ filter, onChange, list, view }: ChannelFiltersProps) {
  const { t } = useTranslation('channels')
  return (
    <FilterBar
      search={{
        value: filter.keyword ?? '',
        placeholder: t('filter.search'),
        onSearch: (keyword) => onChange({ keyword: keyword || undefined }),
      }}
      end={
        <>
          <button
            type="button"
            aria-pressed={list.byId}
            title={t('filter.byIdHint')}
            onClick={() => list.setById(!list.byId)}
            className={buttonClass('ghost', 'md', cx(list.byId && 'bg-accent-soft! text-accent-text!'))}
          >
            <ArrowDownWideNarrow className="size-3.5" aria-hidden />
            {t('filter.byId')}
          </button>
          <IconButton
            icon={RotateCw}
            label={t('filter.refresh')}
            loading={list.fetching}
            onClick={list.retry}
          />
          <TableViewMenu view={view} />
        </>
      }
    >
      <GroupChip filter={filter} onChange={onChange} />
      <ModelChip filter={filter} onChange={onChange} />
    </FilterBar>
  )
}

type ChipProps = Pick<ChannelFiltersProps, 'filter' | 'onChange'>

function GroupChip({ filter, onChange }: ChipProps) {
  const { t } = useTranslation('channels')
  return (
    <FilterChip label={t('filter.group')} value={filter.group} onClear={() => onChange({ group: undefined })}>
      {(close) => (
        <GroupChoice
          value={filter.group}
          onChoose={(group) => {
            onChange({ group })
            close()
          }}
        />
      )}
    </FilterChip>
  )
}

function ModelChip({ filter, onChange }: ChipProps) {
  const { t } = useTranslation('channels')
  return (
    <FilterChip
      label={t('filter.model')}
      value={filter.model}
      onClear={() => onChange({ model: undefined })}
      className="w-80"
    >
      {(close) => (
        <ModelChoice
          value={filter.model}
          onChoose={(model) => {
            onChange({ model })
            close()
          }}
        />
      )}
    </FilterChip>
  )
}

// What a chip offers is asked for when it is opened, not with the page.
type ChoiceProps = Pick<FilterChoiceProps, 'value' | 'onChoose'>

function GroupChoice(props: ChoiceProps) {
  const { t } = useTranslation('channels')
  const { data = [] } = useQuery(groupsQuery)
  return <FilterChoice {...props} options={data} placeholder={t('filter.groupPlaceholder')} />
}

function ModelChoice(props: ChoiceProps) {
  const { t } = useTranslation('channels')
  const { data = [] } = useQuery(servedModelsQuery)
  return <FilterChoice {...props} freeText mono options={data} placeholder={t('filter.modelPlaceholder')} />
}
