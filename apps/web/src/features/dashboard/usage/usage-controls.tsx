import { useTranslation } from 'react-i18next'
import { ListFilters } from '../../../components/list/list-filters.tsx'
import { TimeFilter } from '../../../components/list/time-filter.tsx'
import { FilterBar } from '../../../components/ui/filter-bar.tsx'
import { SegmentedControl } from '../../../components/ui/segmented-control.tsx'
import type { TimeRange } from '../../../lib/time-range.ts'
import { userChoicesQuery } from '../api.ts'
import { type DashboardSearch, type Granularity, granularities, type Measure, measures } from '../search.ts'

export interface UsageControlsProps {
  readonly admin: boolean
  readonly search: DashboardSearch
  readonly defaultRange: TimeRange
  /** What the steps on screen are. */
  readonly granularity: Granularity | undefined
  /** Whether the time is short enough for hours. */
  readonly hours: boolean
  readonly onChange: (part: DashboardSearch) => void
}

/** Which time, by which steps, of what and of whom. */
export function UsageControls(props: UsageControlsProps) {
  const { admin, search, defaultRange, granularity, hours, onChange } = props
  const { t } = useTranslation('dashboard')
  const person = {
    name: 'user',
    label: t('usage.user'),
    placeholder: t('usage.chooseUser'),
    choices: userChoicesQuery,
    typed: (text: string) => text,
  }
  return (
    <FilterBar
      end={
        <div className="flex flex-wrap gap-2 max-sm:w-full">
          <SegmentedControl<Granularity>
            label={t('usage.by')}
            value={granularity}
            options={granularities.map((value) => ({
              value,
              label: t(`usage.step.${value}`),
              disabled: value === 'hour' && !hours,
            }))}
            onChange={(by) => onChange({ by })}
          />
          <SegmentedControl<Measure>
            label={t('usage.show')}
            value={search.show ?? 'cost'}
            options={measures.map((value) => ({ value, label: t(`usage.measure.${value}`) }))}
            onChange={(show) => onChange({ show: show === 'cost' ? undefined : show })}
          />
        </div>
      }
    >
      <ListFilters
        filters={admin ? [person] : []}
        chosenOf={() => search.user}
        onChange={(_name, user) => onChange({ user })}
      >
        <TimeFilter
          times={search}
          defaultRange={defaultRange}
          onChange={(times) => onChange({ ...times, by: undefined })}
        />
      </ListFilters>
    </FilterBar>
  )
}
