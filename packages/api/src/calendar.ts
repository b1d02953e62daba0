/** Days and hours of a reader's clock. Pure: zones are asked for by name, moments are Unix seconds. */

/** Clock of a reader. */
export interface ReaderClock {
  /** Minutes ahead of UTC. */
  readonly utc_offset: number
  /** IANA name, which knows when clocks change; it wins. */
  readonly time_zone?: string | undefined
}

/** A clock. */
export interface Zone {
  /** Seconds that it is ahead of UTC at a moment. */
  offsetAt(at: number): number
}

/** Steps of time by a clock: each begins at a multiple of its length on the clock's face. */
export interface StepLength {
  readonly seconds: number
  /** Seconds by which steps begin earlier than those multiples. */
  readonly shift?: number
}

export interface TimeRange {
  readonly from: number
  /** Inclusive. */
  readonly to: number
}

/** Steps one after the other, without a gap. */
export interface TimeSteps {
  readonly starts: readonly number[]
  /** The end of the last, which it excludes. */
  readonly end: number
}

export const hourSeconds = 3600
export const quarterSeconds = 900
const daySeconds = 24 * hourSeconds
const day = { seconds: daySeconds } as const satisfies StepLength

/** Later than any figure: the end of a time without one. The beginning of an hour. */
export const endOfTime = hourSeconds * 2 ** 30

/** 1 January 1970 was a Thursday; weeks begin on Monday. */
export const stepLengths = {
  hour: { seconds: hourSeconds },
  day,
  week: { seconds: 7 * daySeconds, shift: 3 * daySeconds },
} as const satisfies Readonly<Record<string, StepLength>>

/** A name that is no zone counts as absent: then the minutes do. */
export function zoneOf({ time_zone, utc_offset }: ReaderClock): Zone {
  const format = time_zone === undefined ? undefined : findFormat(time_zone)
  if (format === undefined) return { offsetAt: () => utc_offset * 60 }
  return { offsetAt: (at) => offsetIn(format.format(Math.min(Math.max(at, 0), lastSecond) * 1000)) }
}

/** The last second that a date can have. */
const lastSecond = 8.64e12

function findFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  } catch {
    return undefined
  }
}

/** @param text ends as `GMT+05:45`, or `GMT` without an offset; old ones have seconds */
function offsetIn(text: string): number {
  const [, sign, hours, minutes, seconds = '0'] = /GMT([+-])(\d+):(\d+)(?::(\d+))?$/.exec(text) ?? []
  if (hours === undefined || minutes === undefined) return 0
  const offset = Number(hours) * hourSeconds + Number(minutes) * 60 + Number(seconds)
  return sign === '-' ? -offset : offset
}

/** The first second of the day of a moment: midnight, or what follows where clocks jump over it. */
export function startOfDay(at: number, zone: Zone): number {
  return startOfStep(at, day, zone)
}

/** The first second of the day so many days after that of a moment; before it for fewer than none. */
export function startOfDayAfter(at: number, days: number, zone: Zone): number {
  return firstWith(floorTo(faceOf(at, zone), daySeconds) + days * daySeconds, zone)
}

/** A month of a clock: its name, as `2026-11`, its first second, and the first after it; both at a quarter hour. */
export interface Month {
  readonly month: string
  readonly from: number
  readonly end: number
}

/** The month of a name, or without one that of a moment; `undefined` for a name that is none. */
export function monthOf(name: string | undefined, now: number, zone: Zone): Month | undefined {
  const text = name ?? new Date(faceOf(now, zone) * 1000).toISOString().slice(0, 7)
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? []
  if (year === undefined || month === undefined || Number(year) < 1970) return undefined
  const startOf = (index: number) => {
    const at = firstWith(Date.UTC(Number(year), index, 1) / 1000, zone)
    return Math.max(0, Math.ceil(at / quarterSeconds) * quarterSeconds)
  }
  return { month: text, from: startOf(Number(month) - 1), end: startOf(Number(month)) }
}

/** The day of a name such as `2026-11-29`, at quarter hours; `undefined` for a name that is none. */
export function dayOf(name: string, zone: Zone): { readonly from: number; readonly end: number } | undefined {
  const midnight = Date.parse(`${name}T00:00:00Z`) / 1000
  const isDay = /^\d{4}-\d\d-\d\d$/.test(name) && midnight >= 0
  if (!isDay || new Date(midnight * 1000).toISOString().slice(0, 10) !== name) return undefined
  const at = (face: number) => Math.max(0, Math.ceil(firstWith(face, zone) / quarterSeconds) * quarterSeconds)
  return { from: at(midnight), end: at(midnight + daySeconds) }
}

/** The steps from the one that contains `from` to the one that contains `to`. A day on which clocks change has 23 or 25 hours. */
export function stepsOf({ from, to }: TimeRange, length: StepLength, zone: Zone): TimeSteps {
  const starts: number[] = []
  let at = startOfStep(from, length, zone)
  for (; at <= to; at = nextStep(at, length, zone)) starts.push(at)
  return { starts, end: at }
}

/** The index of the step of a moment; -1 for one that is before the first. */
export function indexOfStep(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

/**
 * The quarter hours that begin in a range, as its first second and the one that follows it. An end at the beginning of an hour of UTC
 * includes that hour, as it did when there were sums of hours alone.
 */
export function quartersOf(range: TimeRange): { readonly from: number; readonly end: number } {
  const [from, to] = [range.from, range.to].map((at) => Math.min(Math.max(at, 0), endOfTime - 1)) as [
    number,
    number,
  ]
  const step = to % hourSeconds === 0 ? hourSeconds : quarterSeconds
  return { from: Math.ceil(from / quarterSeconds) * quarterSeconds, end: floorTo(to, step) + step }
}

/** The hours of a clock that begin in a range, as its first second and the one that follows it. */
export function hoursOf(
  { from, to }: TimeRange,
  zone: Zone,
): { readonly from: number; readonly end: number } {
  const first = startOfStep(from, stepLengths.hour, zone)
  return {
    from: first < from ? nextStep(from, stepLengths.hour, zone) : first,
    end: nextStep(to, stepLengths.hour, zone),
  }
}

function startOfStep(at: number, { seconds, shift = 0 }: StepLength, zone: Zone): number {
  const face = floorTo(faceOf(at, zone) + shift, seconds) - shift
  if (seconds > hourSeconds) return firstWith(face, zone)
  const start = face - zone.offsetAt(at)
  return zone.offsetAt(start) === zone.offsetAt(at)
    ? start
    : startAcrossChange(at, start, { seconds, shift }, zone)
}

/** Clocks change between both: in a few zones by less than an hour, so that the step is a short one. */
function startAcrossChange(at: number, before: number, length: StepLength, zone: Zone): number {
  let start = startOfStep(before - length.seconds, length, zone)
  for (let next = nextStep(start, length, zone); next <= at; next = nextStep(next, length, zone)) start = next
  return start
}

/** An hour that clocks repeat is a step of its own; longer steps grow and shrink with the change. */
function nextStep(at: number, { seconds, shift = 0 }: StepLength, zone: Zone): number {
  const face = faceOf(at, zone)
  const next = floorTo(face + shift, seconds) - shift + seconds
  return seconds > hourSeconds ? firstWith(next, zone) : at + next - face
}

/** Returns the time that a clock shows, as seconds since it showed the beginning of 1970. */
function faceOf(at: number, zone: Zone): number {
  return at + zone.offsetAt(at)
}

/** The first moment at which a clock shows a time, or a later one when it jumps over it. */
function firstWith(face: number, zone: Zone): number {
  const [before, after] = [zone.offsetAt(face - daySeconds), zone.offsetAt(face + daySeconds)]
  let early = face - Math.max(before, after)
  let late = face - Math.min(before, after)
  while (early < late) {
    const middle = Math.floor((early + late) / 2)
    if (faceOf(middle, zone) >= face) late = middle
    else early = middle + 1
  }
  return late
}

function floorTo(value: number, step: number): number {
  return Math.floor(value / step) * step
}
