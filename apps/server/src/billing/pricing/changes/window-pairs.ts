import { type PriceWindow, type TimePrices, type Weekday, weekdays } from '@tollgate/api'
import { startOfDayAfter, zoneOf } from '@tollgate/api/calendar'
import { getOrInsert } from '@tollgate/base'
import { localTimeOf, windowAt } from '../time-price.ts'

/** The windows that two lists have at one moment; `undefined` for one that has none then. */
export type WindowPair = readonly [PriceWindow | undefined, PriceWindow | undefined]

const noTimes: TimePrices = { zone: 'UTC', windows: [] }
const always: readonly WindowPair[] = [[undefined, undefined]]
const known = new WeakMap<TimePrices, WeakMap<TimePrices, readonly WindowPair[]>>()
/**
 * A winter, a summer, and between them the weeks in which some zones have changed their clocks and others have not: by how much
 * two zones differ changes there.
 */
const weeks = ['2026-01-12', '2026-03-16', '2026-03-30', '2026-07-13', '2026-10-12', '2026-10-26'].map(
  (date) => Date.parse(date) / 1000,
)
/** All days, and the first once more: windows of the last day may end on it. */
const daysOfWeek = [0, 1, 2, 3, 4, 5, 6, 7]

/** The pairs of windows that two lists come to within a week: what holds for each of them holds at every moment. */
export function windowPairs(one?: TimePrices, other?: TimePrices): readonly WindowPair[] {
  if (one === undefined && other === undefined) return always
  const [first, second] = [one ?? noTimes, other ?? noTimes]
  const ofFirst = getOrInsert(known, first, () => new WeakMap())
  return getOrInsert(ofFirst, second, () => pairsOf(first, second))
}

function pairsOf(first: TimePrices, second: TimePrices): readonly WindowPair[] {
  const pairs: WindowPair[] = []
  for (const at of [...changesOf(first), ...changesOf(second)]) {
    const [one, other] = [windowAt(first, at), windowAt(second, at)]
    if (!pairs.some((pair) => pair[0] === one && pair[1] === other)) pairs.push([one, other])
  }
  return pairs
}

/** Hours of the week in which two lists have other factors, on the clocks of a zone. */
interface ChangedTime {
  /** The days on which the hours begin; empty for every day. */
  readonly days: readonly Weekday[]
  /** `HH:MM`, as windows have it. */
  readonly from: string
  readonly to: string
  readonly zone: string
  readonly before: number
  readonly after: number
}

/** Returns the hours of the week at which a list has another factor than the one before, whatever its windows are. */
export function changedTimes(before = noTimes, after = noTimes): readonly ChangedTime[] {
  const { zone } = after === noTimes ? before : after
  const found = new Map<string, { readonly days: Set<number> } & Omit<ChangedTime, 'days'>>()
  const moments = [...new Set([...changesOf(before), ...changesOf(after)])].sort((a, b) => a - b)
  moments.forEach((at, index) => {
    const end = moments[index + 1]
    const [old, next] = [windowAt(before, at)?.ratio ?? 1, windowAt(after, at)?.ratio ?? 1]
    // Behind the last moment of a week lie the days up to the next one that is looked at.
    if (end === undefined || end - at > secondsPerDay || old === next) return
    const { day, minute } = localTimeOf(zone, at)
    const hours = { from: clockText(minute), to: clockText(localTimeOf(zone, end).minute), zone }
    const changed = { ...hours, before: old, after: next }
    getOrInsert(found, JSON.stringify(changed), () => ({ ...changed, days: new Set<number>() })).days.add(day)
  })
  return [...found.values()].map(({ days, ...changed }) => ({ ...changed, days: daysText(days) }))
}

const secondsPerDay = 86_400

function daysText(days: ReadonlySet<number>): readonly Weekday[] {
  return days.size === weekdays.length ? [] : weekdays.filter((_, day) => days.has(day))
}

function clockText(minute: number): string {
  const [hours, minutes] = [Math.floor(minute / 60), minute % 60]
  return [hours, minutes].map((figure) => String(figure).padStart(2, '0')).join(':')
}

/** Returns the times at which windows begin and end. */
function changesOf({ zone, windows }: TimePrices): readonly number[] {
  const clock = zoneOf({ time_zone: zone, utc_offset: 0 })
  const days = weeks.flatMap((week) => daysOfWeek.map((day) => startOfDayAfter(week, day, clock)))
  const times = windows.flatMap(({ from, to }) => [from, to])
  return days.flatMap((day) => times.map((time) => day + secondsOf(time)))
}

function secondsOf(time: string): number {
  return Number(time.slice(0, 2)) * 3600 + Number(time.slice(3)) * 60
}
