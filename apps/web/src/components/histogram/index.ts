export { CallHistogram, type CallHistogramProps } from './call-histogram.tsx'
export { sumOfSteps } from './steps.ts'
