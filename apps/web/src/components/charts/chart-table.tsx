import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatPercent } from '../../lib/format/format.ts'
import { type ChartData, type Series, sumOf } from './series.ts'

export interface ChartTableProps extends ChartData {
  readonly label: string
  readonly onStep?: ((at: number) => void) | undefined
}

/** A chart's figures as a table, for those who cannot see it or want to read it exactly. */
export function ChartTable({ series, steps, nameOf, format, label, onStep }: ChartTableProps) {
  const { t } = useTranslation()
  const filled = steps.filter(({ values }) => sumOf(values) > 0)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable from the keyboard
    <section aria-label={label} tabIndex={0} className="relative max-h-80 overflow-auto rounded border">
      <table className="w-full whitespace-nowrap text-sm">
        <thead className="sticky top-0 z-1 bg-sunken text-muted text-xs">
          <tr className="border-b">
            <th scope="col" className="px-3 py-1.5 text-left font-medium">
              {t('chart.time')}
            </th>
            <th scope="col" className="px-3 py-1.5 text-right font-medium">
              {t('chart.total')}
            </th>
            {series.map((each) => (
              <th key={each.name ?? ''} scope="col" className="px-3 py-1.5 text-right font-medium">
                {nameOf(each)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {filled.map(({ at, title, values }) => (
            <tr key={at} className="border-b last:border-b-0">
              <th scope="row" className="figures px-3 py-1.5 text-left font-normal">
                {onStep ? (
                  <button
                    type="button"
                    className="text-accent-text hover:underline"
                    onClick={() => onStep(at)}
                  >
                    {title}
                  </button>
                ) : (
                  title
                )}
              </th>
              <td className="figures px-3 py-1.5 text-right font-medium">{format(sumOf(values))}</td>
              {series.map((each, index) => (
                <td key={each.name ?? ''} className="figures px-3 py-1.5 text-right text-muted">
                  {values[index] ? format(values[index]) : '–'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface RankListProps {
  readonly series: readonly Series[]
  readonly values: readonly number[]
  /** Renders the name of a row's series: text, or a link. */
  readonly children: (series: Series) => ReactNode
  readonly format: (value: number) => string
}

/** Series by size, with their share: the legend of the charts and their ranking in one. */
export function RankList({ series, values, children, format }: RankListProps) {
  const total = sumOf(values)
  const rows = series
    .map((each, index) => ({ each, value: values[index] ?? 0 }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
  return (
    <ol className="flex min-w-0 flex-1 flex-col gap-0.5">
      {rows.map(({ each, value }) => (
        <li key={each.name ?? ''} className="relative flex items-center gap-2.5 rounded-sm py-1 text-sm">
          <span className="size-2.5 shrink-0 rounded-sm" style={{ background: each.color }} aria-hidden />
          <span className="min-w-0 flex-1 truncate">{children(each)}</span>
          <span className="figures">{format(value)}</span>
          <span className="figures w-12 text-right text-muted text-xs">{formatPercent(value / total)}</span>
          <span
            aria-hidden
            className="absolute bottom-0 left-5 h-0.5 rounded-full opacity-60"
            style={{ background: each.color, width: `calc((100% - 1.25rem) * ${value / total})` }}
          />
        </li>
      ))}
    </ol>
  )
}
