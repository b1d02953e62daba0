export { type Changed, undoChanges } from './api.ts'
export { type StopQuestion, type Stops, useStops } from './use-stops.ts'
