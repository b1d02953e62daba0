import { type PriceWindow, type TimePrices, weekdays } from '@tollgate/api'
import { getOrInsert } from '@tollgate/base'
import { decimalOf, multiply, numberOf } from '@tollgate/base/decimal'
import { createPrice, type Price } from './price.ts'
import type { PriceTerms } from './price-terms.ts'

const variants = new WeakMap<Price, Map<PriceWindow, Price>>()

/**
 * The price at a moment: that of the first window that the moment is in, else the price itself. A window's ratio is a factor
 * on the model's ratio or price per call, so that a row explains its charge as any other does. Prices of tools have no windows.
 * @param atSeconds Unix seconds at which the call was accepted, as its log row has them
 */
export function priceAt(price: Price, atSeconds: number): Price {
  const { times } = price.terms
  return priceIn(price, times && windowAt(times, atSeconds))
}

/** The price within one of its windows; outside of all without one. */
export function priceIn(price: Price, window: PriceWindow | undefined): Price {
  const { times } = price.terms
  if (times === undefined || window === undefined) return price
  const known = getOrInsert(variants, price, () => new Map<PriceWindow, Price>())
  return getOrInsert(known, window, () => createPrice(termsIn({ ...window, zone: times.zone }, price.terms)))
}

function termsIn(window: PriceWindow & { readonly zone: string }, terms: PriceTerms): PriceTerms {
  const times = (amount: number) => numberOf(multiply(decimalOf(amount), decimalOf(window.ratio)))
  return terms.kind === 'per-call'
    ? { ...terms, modelPrice: times(terms.modelPrice), window }
    : { ...terms, modelRatio: times(terms.modelRatio), window }
}

/** The first window that holds a moment. */
export function windowAt({ zone, windows }: TimePrices, atSeconds: number): PriceWindow | undefined {
  const { day, minute } = localTimeOf(zone, atSeconds)
  return windows.find((window) => holds(window, day, minute))
}

/** Returns the day of the week, as `weekdays` has it, and the minute of the day on a zone's clocks. */
export function localTimeOf(
  zone: string,
  atSeconds: number,
): { readonly day: number; readonly minute: number } {
  const local = atSeconds + offsetOf(zone, atSeconds)
  return {
    day: (Math.floor(local / secondsPerDay) + epochWeekday) % weekdays.length,
    minute: Math.floor((local % secondsPerDay) / 60),
  }
}

const secondsPerDay = 86_400
/** 1 January 1970 was a Thursday. */
const epochWeekday = weekdays.indexOf('thu')

/** A window that passes midnight belongs to the day on which it begins. */
function holds({ days, from, to }: PriceWindow, day: number, minute: number): boolean {
  const [first, end] = [minutesOf(from), minutesOf(to)]
  const isOn = (each: number) => days === undefined || days.some((name) => weekdays.indexOf(name) === each)
  if (first < end) return minute >= first && minute < end && isOn(day)
  const before = (day + weekdays.length - 1) % weekdays.length
  return minute >= first ? isOn(day) : minute < end && isOn(before)
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

interface ZoneOffset {
  readonly format: Intl.DateTimeFormat
  quarter: number
  seconds: number
}

/** Zones change their offset on a quarter of an hour: within one, the offset of its begin holds. */
const quarterSeconds = 900
const offsets = new Map<string, ZoneOffset>()

/** Seconds to add to UTC for the clocks of a zone. */
function offsetOf(zone: string, atSeconds: number): number {
  const known = getOrInsert(offsets, zone, () => ({ format: clockOf(zone), quarter: Number.NaN, seconds: 0 }))
  const quarter = Math.floor(atSeconds / quarterSeconds)
  if (known.quarter !== quarter) {
    const begin = quarter * quarterSeconds
    known.seconds = Math.round(localMs(known.format, begin * 1000) / 1000) - begin
    known.quarter = quarter
  }
  return known.seconds
}

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const digits = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit' } as const
  return new Intl.DateTimeFormat('en-US', {
    ...digits,
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZone,
  })
}

/** The time on the clocks at a moment, in milliseconds as if it were UTC. */
function localMs(format: Intl.DateTimeFormat, atMs: number): number {
  const parts = Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}
