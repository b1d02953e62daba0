import { lazy } from 'react'

export { ChartTable } from './chart-table.tsx'
export { RankList } from './rank-list.tsx'
export { rankedSeries, type Series, valuesOf } from './series.ts'

// The library that draws is the largest of the console: it comes, in one file, when there is something to draw.
const load = () => import('./drawn.ts')
export const StackedBars = lazy(async () => ({ default: (await load()).StackedBars }))
export const ShareRing = lazy(async () => ({ default: (await load()).ShareRing }))
