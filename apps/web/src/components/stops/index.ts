export type { ChangeKind } from './stops-text.ts'
export { type StopQuestion, useStops } from './use-stops.ts'
