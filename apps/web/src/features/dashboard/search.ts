import { timeParams } from '../../lib/format/time-range.ts'
import { enumParam, searchParams, textParam } from '../../lib/search-params.ts'

export const granularities = ['hour', 'day', 'week'] as const
export type Granularity = (typeof granularities)[number]

export const measures = ['cost', 'calls', 'tokens'] as const
export type Measure = (typeof measures)[number]

/** Parameters of the dashboard in the URL. */
export const dashboardSearch = searchParams({
  ...timeParams,
  /** Length of a step of the chart. */
  by: enumParam(granularities),
  /** Measure of the charts; cost when absent. */
  show: enumParam(measures),
  /** User of the figures, for administrators; everybody's when absent. */
  user: textParam,
})
export type DashboardSearch = ReturnType<typeof dashboardSearch>
