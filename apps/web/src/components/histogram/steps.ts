import type { LogHistogram } from '@tollgate/api'
import { indexOfStep, type Zone } from '@tollgate/api/calendar'
import { formatDateTime } from '../../lib/format/format.ts'

type Step = LogHistogram['steps'][number]

/** Two steps and all between them, in the order in which they were chosen. */
export interface Brush {
  readonly anchor: number
  readonly end: number
}

/** The first and last second of what was chosen. */
export function timesOfBrush(
  { steps, step_seconds }: LogHistogram,
  { anchor, end }: Brush,
): { readonly from: number; readonly to: number } | undefined {
  const first = steps[Math.min(anchor, end)]
  const last = steps[Math.max(anchor, end)]
  if (first === undefined || last === undefined) return undefined
  const next = steps[Math.max(anchor, end) + 1]?.at ?? last.at + step_seconds
  return { from: first.at, to: next - 1 }
}

/** The steps that begin between two seconds, both inclusive. */
export function stepsIn(
  { steps }: Pick<LogHistogram, 'steps'>,
  { from, to }: { readonly from: number; readonly to: number },
): readonly Step[] {
  return steps.filter(({ at }) => at >= from && at <= to)
}

/** Returns the position of a moment, from 0 at the left end to 1; `undefined` outside of the chart. */
export function positionOf({ steps, step_seconds }: LogHistogram, at: number): number | undefined {
  const index = indexOfStep(
    steps.map((step) => step.at),
    at,
  )
  const step = steps[index]
  if (step === undefined) return undefined
  const next = steps[index + 1]?.at ?? step.at + step_seconds
  const position = (index + (at - step.at) / (next - step.at)) / steps.length
  return position <= 1 ? position : undefined
}

/** The step at a place between the left end, 0, and the right, 1. */
export function stepAt(steps: readonly unknown[], position: number): number {
  return Math.min(steps.length - 1, Math.max(0, Math.floor(position * steps.length)))
}

export function sumOfSteps(steps: readonly Step[]): { readonly calls: number; readonly errors: number } {
  return {
    calls: steps.reduce((sum, { calls }) => sum + calls, 0),
    errors: steps.reduce((sum, { errors }) => sum + errors, 0),
  }
}

/** `14:20`, and the day before it where the chart has several. */
export function stepName(at: number, withDay: boolean): string {
  const text = formatDateTime(at)
  return withDay ? text.slice(5, 16) : text.slice(11, text.endsWith(':00') ? 16 : 19)
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour
const tickLengths = [
  minute,
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  3 * hour,
  6 * hour,
  12 * hour,
  day,
  2 * day,
  7 * day,
  14 * day,
  30 * day,
  90 * day,
] as const
const maxTicks = 7

export interface Tick {
  readonly index: number
  readonly label: string
}

/** Round times below a chart, by a clock. */
export function ticksOf({ steps, step_seconds }: LogHistogram, zone: Zone): readonly Tick[] {
  const length =
    tickLengths.find((each) => each >= step_seconds && (steps.length * step_seconds) / each <= maxTicks) ??
    day
  return steps.flatMap(({ at }, index) =>
    (at + zone.offsetAt(at)) % length < step_seconds
      ? [{ index, label: length >= day ? formatDateTime(at).slice(5, 10) : formatDateTime(at).slice(11, 16) }]
      : [],
  )
}

/** Decides whether a chart has more than one day, so that a time alone says too little. */
export function hasSeveralDays({ steps, step_seconds }: LogHistogram): boolean {
  return steps.length * step_seconds > day
}
