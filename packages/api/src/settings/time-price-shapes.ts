import { accepted, refused } from './setting.ts'
import { isJsonObject, type JsonShape, mapOf } from './shapes.ts'

/** Days of the week as `Date` counts them, from 0. */
export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
export type Weekday = (typeof weekdays)[number]

/** A part of the day with a factor on the price. */
export interface PriceWindow {
  /** The days on which it begins; every day without them. */
  readonly days?: readonly Weekday[] | undefined
  /** `HH:MM`, the first minute. */
  readonly from: string
  /** `HH:MM`, the minute after the last; not later than `from` for a window that passes midnight. */
  readonly to: string
  readonly ratio: number
}

/** Prices by time of day and day of week; of two windows at a moment the first counts. */
export interface TimePrices {
  /** The name of a time zone, as the IANA database has it. */
  readonly zone: string
  readonly windows: readonly PriceWindow[]
}

const maxRatio = 1000
const maxWindows = 16
const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d$/

/** Model, or how its name begins and `*` → windows. */
export const timePrices: JsonShape<Readonly<Record<string, TimePrices>>> = mapOf((value, entry) =>
  isTimePrices(value)
    ? accepted(Object.freeze({ zone: value.zone, windows: Object.freeze(value.windows.map(frozen)) }))
    : refused('option_entry_time_price', { entry, days: weekdays, max: maxRatio }),
)

function isTimePrices(value: unknown): value is TimePrices {
  if (!isJsonObject(value)) return false
  const { zone, windows, ...others } = value as Readonly<Record<string, unknown>>
  const isList = Array.isArray(windows) && windows.length > 0 && windows.length <= maxWindows
  return isZone(zone) && isList && windows.every(isWindow) && Object.keys(others).length === 0
}

/** A name: an offset such as `+02:00` knows no summer. */
function isZone(zone: unknown): boolean {
  if (typeof zone !== 'string' || !/^[a-z]/i.test(zone)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined
  } catch {
    return false
  }
}

function isWindow(value: unknown): value is PriceWindow {
  if (!isJsonObject(value)) return false
  const { days = weekdays, from, to, ratio, ...others } = value as Readonly<Record<string, unknown>>
  const isRatio = typeof ratio === 'number' && ratio >= 0 && ratio <= maxRatio
  return isTime(from) && isTime(to) && isRatio && areDays(days) && Object.keys(others).length === 0
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && timeOfDay.test(value)
}

function areDays(value: unknown): boolean {
  const names: readonly unknown[] = weekdays
  return Array.isArray(value) && value.length > 0 && value.every((day) => names.includes(day))
}

function frozen(window: PriceWindow): PriceWindow {
  return Object.freeze({ ...window, ...(window.days && { days: Object.freeze([...window.days]) }) })
}
