import { Link } from '@tanstack/react-router'
import { ChartColumn, Table } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  ChartTable,
  RankList,
  type Series,
  ShareRing,
  StackedBars,
} from '../../../components/charts/index.ts'
import { Button } from '../../../components/ui/button.tsx'
import { useMoneyDisplay } from '../../../lib/api/status.ts'
import { usePhone } from '../../../lib/browser/media-query.ts'
import type { Feeds } from '../../../lib/figures/figure.ts'
import { figures } from '../../../lib/figures/figures.ts'
import { abbreviateNumber, formatInteger, formatQuota } from '../../../lib/format/format.ts'
import type { Measure } from '../search.ts'
import type { UsageChart } from './chart-of.ts'

export interface UsageChartsProps {
  readonly chart: UsageChart
  readonly measure: Measure
  /** What the chart is drawn from. */
  readonly feed: Feeds['usage']
  readonly onStep: ((at: number) => void) | undefined
}

/** Over time as bars or as a table, then in all as ring and ranking. */
export function UsageCharts({ chart, measure, feed, onStep }: UsageChartsProps) {
  const { t } = useTranslation('dashboard')
  const phone = usePhone()
  const [asTable, setAsTable] = useState(false)
  const { format, formatTick } = useFormats(measure)
  const nameOf = ({ name }: Series) => name ?? t('usage.others')
  const label = t(`usage.over.${measure}`)
  const visible = { ...chart, nameOf, format, onStep }
  return (
    <>
      <div className="flex flex-col gap-2">
        <div className="flex items-center justify-between gap-3">
          <h3 className="font-medium text-sm">{label}</h3>
          <Button
            size="sm"
            variant="ghost"
            icon={asTable ? ChartColumn : Table}
            onClick={() => setAsTable(!asTable)}
          >
            {t(asTable ? 'usage.asChart' : 'usage.asTable')}
          </Button>
        </div>
        {asTable ? (
          <ChartTable {...visible} label={label} />
        ) : (
          <StackedBars {...visible} formatTick={formatTick} />
        )}
      </div>
      <div className="flex flex-col gap-3">
        <h3 className="font-medium text-sm">{t(`usage.byModel.${measure}`)}</h3>
        <div className="flex items-start gap-8 max-sm:flex-col max-sm:items-stretch">
          {!phone && (
            <ShareRing series={chart.series} values={chart.values} nameOf={nameOf} format={formatTick} />
          )}
          <RankList series={chart.series} values={chart.values} format={format}>
            {({ name }) =>
              name === undefined ? (
                <OtherModels named={chart.series} feed={feed} />
              ) : (
                <ModelLink name={name} feed={feed} />
              )
            }
          </RankList>
        </div>
      </div>
    </>
  )
}

/** The models without a colour of their own: each leads to its calls. */
function OtherModels({ named, feed }: { readonly named: readonly Series[]; readonly feed: Feeds['usage'] }) {
  const { t } = useTranslation('dashboard')
  const known = new Set(named.map(({ name }) => name))
  const others = [...new Set(feed.rows.map(({ model_name }) => model_name))].filter(
    (name) => !known.has(name),
  )
  return (
    <details>
      <summary className="cursor-pointer text-muted">{t('usage.others')}</summary>
      <ul className="flex flex-col">
        {others.toSorted().map((name) => (
          <li key={name}>
            <ModelLink name={name} feed={feed} />
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Leads to the calls that the figure beside it counts. */
function ModelLink({ name, feed }: { readonly name: string; readonly feed: Feeds['usage'] }) {
  const { link } = figures.usageOfModel.of(name, feed)
  if (link === undefined) return <span className="font-mono text-[0.93em]">{name}</span>
  return (
    <Link to="/log" search={link} className="font-mono text-[0.93em] hover:text-accent-text hover:underline">
      {name}
    </Link>
  )
}

/** How figures of a measure read: in full, and as short as an axis needs. */
function useFormats(measure: Measure) {
  const display = useMoneyDisplay()
  if (measure === 'cost') {
    const money = (quota: number) => formatQuota(quota, display)
    return { format: money, formatTick: money }
  }
  return { format: formatInteger, formatTick: abbreviateNumber }
}
