import type { PriceWindow, TimePrices } from '@tollgate/api'
import { startOfDayAfter, zoneOf } from '@tollgate/api/calendar'
import { getOrInsert } from '@tollgate/base'
import { windowAt } from './time-price.ts'

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
const daysOfWeek = [0, 1, 2, 3, 4, 5, 6]

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
