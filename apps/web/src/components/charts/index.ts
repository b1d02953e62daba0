import { lazy } from 'react'

export { ChartTable, RankList } from './chart-table.tsx'
export { rankedSeries, type Series, valuesOf } from './series.ts'

// The library that draws is the largest of the console: it comes, in one file, when there is something to draw.
const load = () => import('./drawn.tsx')
export const StackedBars = lazy(async () => ({ default: (await load()).StackedBars }))
export const ShareRing = lazy(async () => ({ default: (await load()).ShareRing }))
