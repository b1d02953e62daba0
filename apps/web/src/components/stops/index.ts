export { type StopQuestion, useStops } from './use-stops.ts'
