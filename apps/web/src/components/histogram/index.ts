export { CallHistogram, type CallHistogramProps } from './call-histogram.tsx'
export { QueriedHistogram } from './queried-histogram.tsx'
export { sumOfSteps } from './steps.ts'
