import { type PriceWindow, type TimePrices, type Weekday, weekdays } from '@tollgate/api'
import { parseNumber } from '../ui/field/input.tsx'

/** A row of prices or costs by time as it is typed. */
export interface WindowForm {
  readonly days: readonly Weekday[]
  readonly from: string
  readonly to: string
  readonly ratio: string
}

/** Prices or costs by time as they are typed; without a row there are none. */
export interface TimeForm {
  readonly zone: string
  readonly windows: readonly WindowForm[]
}

export type TimeProblem = 'days' | 'time' | 'ratio' | 'zone'
type WindowProblems = Partial<Record<keyof WindowForm, TimeProblem>>

export const maxWindows = 16
const maxRatio = 1000
const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d$/

/** @param zone that of new rows */
export function startTimeForm(times: TimePrices | undefined, zone: string): TimeForm {
  if (times === undefined) return { zone, windows: [] }
  const windows = times.windows.map(({ days = weekdays, from, to, ratio }) => ({
    days,
    from,
    to,
    ratio: String(ratio),
  }))
  return { zone: times.zone, windows }
}

/** A new row: the night, which vendors sell at half the price. */
export const newWindow: WindowForm = { days: weekdays, from: '22:00', to: '06:00', ratio: '0.5' }

/** Finds the problems of a row, by field. */
export function windowProblems({ days, from, to, ratio }: WindowForm): WindowProblems {
  const value = parseNumber(ratio, true)
  return {
    ...(days.length === 0 && { days: 'days' }),
    ...(!timeOfDay.test(from) && { from: 'time' }),
    ...(!timeOfDay.test(to) && { to: 'time' }),
    ...((value === undefined || value < 0 || value > maxRatio) && { ratio: 'ratio' }),
  }
}

/** Finds the problem of the zone; none while there is no row. */
export function zoneProblem({ zone, windows }: TimeForm): TimeProblem | undefined {
  return windows.length > 0 && !isZone(zone) ? 'zone' : undefined
}

export function hasTimeProblem(form: TimeForm): boolean {
  return (
    form.windows.length > maxWindows ||
    zoneProblem(form) !== undefined ||
    form.windows.some((window) => Object.keys(windowProblems(window)).length > 0)
  )
}

/** Returns the times of a form without problems; `null` without a row. */
export function timesOf({ zone, windows }: TimeForm): TimePrices | null {
  if (windows.length === 0) return null
  return { zone, windows: windows.map(windowOf) }
}

function windowOf({ days, from, to, ratio }: WindowForm): PriceWindow {
  const onSome = days.length < weekdays.length
  return {
    ...(onSome && { days: weekdays.filter((day) => days.includes(day)) }),
    from,
    to,
    ratio: parseNumber(ratio, true) ?? 1,
  }
}

/** A name: an offset such as `+02:00` knows no summer. */
function isZone(zone: string): boolean {
  if (!/^[a-z]/i.test(zone)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined
  } catch {
    return false
  }
}
