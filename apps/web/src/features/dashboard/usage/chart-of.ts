import type { UsageRow } from '@tollgate/api'
import { rankedSeries, type Series, valuesOf } from '../../../components/charts/index.ts'
import { formatDateTime } from '../../../lib/format/format.ts'
import type { Granularity, Measure } from '../search.ts'
import { stepEnd } from './chart-times.ts'

const measureOf: Readonly<Record<Measure, (row: UsageRow) => number>> = {
  cost: ({ quota }) => quota,
  calls: ({ count }) => count,
  tokens: ({ token_used }) => token_used,
}

export interface UsageTotals {
  readonly cost: number
  readonly calls: number
  readonly tokens: number
}

export interface UsageChart {
  readonly series: readonly Series[]
  readonly steps: readonly {
    readonly at: number
    readonly label: string
    readonly title: string
    readonly values: readonly number[]
  }[]
  /** Sums in the order of the series. */
  readonly values: readonly number[]
  readonly totals: UsageTotals
}

/** Rows of the server as a chart. Ranked by cost whatever is shown, so that colours stay. */
export function chartOf(
  rows: readonly UsageRow[],
  starts: readonly number[],
  granularity: Granularity,
  measure: Measure,
): UsageChart {
  const figure = measureOf[measure]
  const series = rankedSeries(sums(rows, measureOf.cost))
  const byStep = rowsByStep(rows)
  return {
    series,
    steps: starts.map((at) => ({
      at,
      ...stepTexts(at, granularity),
      values: valuesOf(series, sums(byStep.get(at) ?? [], figure)),
    })),
    values: valuesOf(series, sums(rows, figure)),
    totals: {
      cost: total(rows, measureOf.cost),
      calls: total(rows, measureOf.calls),
      tokens: total(rows, measureOf.tokens),
    },
  }
}

function rowsByStep(rows: readonly UsageRow[]): ReadonlyMap<number, readonly UsageRow[]> {
  const byStep = new Map<number, UsageRow[]>()
  for (const row of rows) {
    const step = byStep.get(row.created_at)
    if (step) step.push(row)
    else byStep.set(row.created_at, [row])
  }
  return byStep
}

function sums(rows: readonly UsageRow[], figure: (row: UsageRow) => number): ReadonlyMap<string, number> {
  const byModel = new Map<string, number>()
  for (const row of rows) byModel.set(row.model_name, (byModel.get(row.model_name) ?? 0) + figure(row))
  return byModel
}

function total(rows: readonly UsageRow[], figure: (row: UsageRow) => number): number {
  return rows.reduce((sum, row) => sum + figure(row), 0)
}

/** `14:00` of hours, `11-21` of days and the Monday of weeks; in full for tooltips. */
function stepTexts(at: number, granularity: Granularity): { readonly label: string; readonly title: string } {
  const text = formatDateTime(at)
  const day = text.slice(0, 10)
  switch (granularity) {
    case 'hour':
      return { label: text.slice(11, 16), title: text.slice(0, 16) }
    case 'day':
      return { label: text.slice(5, 10), title: day }
    case 'week':
      return {
        label: text.slice(5, 10),
        title: `${day} – ${formatDateTime(stepEnd(at, 'week')).slice(5, 10)}`,
      }
  }
}
