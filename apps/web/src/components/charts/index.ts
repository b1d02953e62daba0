import { lazy } from 'react'

export { ChartTable } from './chart-table.tsx'
export { RankList } from './rank-list.tsx'
export { rankedSeries, type Series, valuesOf } from './series.ts'

// The library that draws is the largest of the console: it comes when there is something to draw.
export const StackedBars = lazy(() =>
  import('./stacked-bars.tsx').then((module) => ({ default: module.StackedBars })),
)
export const ShareRing = lazy(() =>
  import('./share-ring.tsx').then((module) => ({ default: module.ShareRing })),
)
