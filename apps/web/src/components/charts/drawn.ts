export { ShareRing } from './share-ring.tsx'
export { StackedBars } from './stacked-bars.tsx'
