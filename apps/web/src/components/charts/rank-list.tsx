import type { ReactNode } from 'react'
import { formatPercent } from '../../lib/format.ts'
import { type Series, sumOf } from './series.ts'

export interface RankListProps {
  readonly series: readonly Series[]
  readonly values: readonly number[]
  /** What a row says of its series: a name, a link. */
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
