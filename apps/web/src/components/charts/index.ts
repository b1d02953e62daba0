export { ChartTable, RankList } from './chart-table.tsx'
export { rankedSeries, type Series, valuesOf } from './series.ts'
export { ShareRing } from './share-ring.tsx'
export { StackedBars } from './stacked-bars.tsx'
