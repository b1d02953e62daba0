import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChartColumn } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { asTyped } from '../../../components/list/choices.ts'
import { ListFilters } from '../../../components/list/list-filters.tsx'
import { TimeFilter } from '../../../components/list/time-filter.tsx'
import { Card, Stat } from '../../../components/ui/card.tsx'
import { SegmentedControl } from '../../../components/ui/field/segmented-control.tsx'
import { FilterBar } from '../../../components/ui/filter-bar.tsx'
import { Money } from '../../../components/ui/money.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../components/ui/states.tsx'
import { cx } from '../../../lib/cx.ts'
import { abbreviateNumber, formatDecimal, formatInteger } from '../../../lib/format/format.ts'
import { shortRanges } from '../../../lib/format/range-times.ts'
import type { TimeRange } from '../../../lib/format/time-range.ts'
import { usageQuery, userChoicesQuery } from '../api.ts'
import { type DashboardSearch, type Granularity, granularities, type Measure, measures } from '../search.ts'
import { chartOf, type UsageChart } from './chart-of.ts'
import { chartSteps, fitsHours, recentRangeOf, stepEnd } from './chart-times.ts'
import { RecentUsage } from './recent-usage.tsx'
import { UsageCharts } from './usage-charts.tsx'

export interface UsageProps {
  readonly admin: boolean
  readonly search: DashboardSearch
  readonly defaultRange: TimeRange
  readonly onSearch: (search: DashboardSearch) => void
}

/** Shows the spending on models, over time and in all. */
export function Usage({ admin, search, defaultRange, onSearch }: UsageProps) {
  const { t } = useTranslation('dashboard')
  const { range, from, to, by, user, show = 'cost' } = search
  const recent = recentRangeOf(search)
  const query = useQuery({
    ...usageQuery({ admin, search: { range, from, to, by, user }, defaultRange }),
    enabled: recent === undefined,
  })
  const { data } = query
  const chart = useMemo(
    () => data && chartOf(data.rows, chartSteps(data, data.granularity).starts, data.granularity, show),
    [data, show],
  )
  const change = (part: DashboardSearch) => onSearch({ ...search, ...part })
  const zoom = (at: number) =>
    data && change({ range: 'custom', from: at, to: stepEnd(at, data.granularity), by: undefined })
  return (
    <Card
      title={t('usage.title')}
      description={t(admin ? 'usage.descriptionAll' : 'usage.description')}
      action={
        admin && (
          <Link to="/spend" search={{ range, from, to }} className="text-accent-text text-sm hover:underline">
            {t('usage.byUser')}
          </Link>
        )
      }
    >
      <div className="flex flex-col gap-4">
        <UsageControls
          admin={admin}
          search={search}
          defaultRange={defaultRange}
          granularity={data?.granularity}
          hours={data === undefined || fitsHours(data)}
          onChange={change}
        />
        {recent && <RecentUsage admin={admin} range={recent} user={user} />}
        {!recent && query.error && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
        {!recent && !data && !query.error && <Skeleton className="h-[38rem]!" />}
        {!recent && chart && data && !query.error && (
          <div
            className={cx('flex flex-col gap-4 transition-opacity', query.isPlaceholderData && 'opacity-60')}
          >
            <Totals chart={chart} minutes={(data.to - data.from) / 60} />
            {chart.totals.calls === 0 ? (
              <EmptyState icon={ChartColumn} title={t('usage.none')} className="py-8!">
                {t(user === undefined ? 'usage.noneHint' : 'usage.noneOfUser', { user })}
              </EmptyState>
            ) : (
              <UsageCharts
                chart={chart}
                measure={show}
                feed={{ ...data, user: admin ? user : undefined }}
                onStep={data.granularity === 'hour' ? undefined : zoom}
              />
            )}
          </div>
        )}
      </div>
    </Card>
  )
}

/** Sums of what is on screen, and the pace: per minute of the whole time. */
function Totals({ chart: { totals }, minutes }: { readonly chart: UsageChart; readonly minutes: number }) {
  const { t } = useTranslation('dashboard')
  return (
    <div className="grid grid-cols-5 gap-x-5 gap-y-3 max-sm:grid-cols-3 max-sm:*:nth-[n+4]:hidden">
      <Stat label={t('usage.measure.cost')}>
        <Money quota={totals.cost} single />
      </Stat>
      <Stat label={t('usage.measure.calls')}>{formatInteger(totals.calls)}</Stat>
      <Stat label={t('usage.measure.tokens')}>{abbreviateNumber(totals.tokens)}</Stat>
      <Stat label={t('usage.callsPerMinute')}>{formatDecimal(totals.calls / minutes, 3)}</Stat>
      <Stat label={t('usage.tokensPerMinute')}>{formatDecimal(totals.tokens / minutes, 1)}</Stat>
    </div>
  )
}

interface UsageControlsProps {
  readonly admin: boolean
  readonly search: DashboardSearch
  readonly defaultRange: TimeRange
  /** Steps on screen. */
  readonly granularity: Granularity | undefined
  /** Set while the time is short enough for hours. */
  readonly hours: boolean
  readonly onChange: (part: DashboardSearch) => void
}

/** Chooses the time, its steps, the measure and the user. */
function UsageControls(props: UsageControlsProps) {
  const { admin, search, defaultRange, granularity, hours, onChange } = props
  const { t } = useTranslation('dashboard')
  const person = {
    name: 'user',
    label: t('usage.user'),
    placeholder: t('usage.chooseUser'),
    choices: userChoicesQuery,
    typed: asTyped,
  }
  return (
    <FilterBar
      end={
        recentRangeOf(search) === undefined && (
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
        )
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
          ranges={shortRanges}
          onChange={(times) => onChange({ ...times, by: undefined })}
        />
      </ListFilters>
    </FilterBar>
  )
}
