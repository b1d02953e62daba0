export { useStops } from './use-stops.ts'
