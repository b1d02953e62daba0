import { lazyComponent } from '../../lib/lazy-component.ts'

export { ChartTable, RankList } from './chart-table.tsx'
export { rankedSeries, type Series, valuesOf } from './series.ts'

// The library that draws is the largest of the console: it comes, in one file, when there is something to draw.
const load = () => import('./drawn.tsx')
export const StackedBars = lazyComponent(load, 'StackedBars')
export const ShareRing = lazyComponent(load, 'ShareRing')
