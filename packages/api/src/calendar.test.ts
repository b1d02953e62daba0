import { describe, expect, it } from 'bun:test'
import {
  indexOfStep,
  quartersOf,
  startOfDay,
  startOfDayAfter,
  stepLengths,
  stepsOf,
  zoneOf,
} from './calendar.ts'

const at = (text: string) => Date.parse(text) / 1000
const text = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000', '')
const named = (time_zone: string) => zoneOf({ time_zone, utc_offset: 0 })
const range = (from: string, to: string) => ({ from: at(from), to: at(to) })

/** Zones with an offset of whole, half and quarter hours, with changes by an hour, half an hour, at midnight, and without. */
const zones = [
  'UTC',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Adelaide',
  'America/St_Johns',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Africa/Cairo',
  'America/Havana',
  'America/Santiago',
  'Africa/Casablanca',
]

/** The clock of a zone, read in another way than the code under test reads it. */
function faceOf(seconds: number, timeZone: string) {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  const [date = '', time = ''] = parts.format(seconds * 1000).split(', ')
  return { date: date.split('/').reverse().join('-'), time, minute: Number(time.slice(3, 5)) }
}

describe('days of a zone', () => {
  it('begin at the first quarter hour with their date, on every day of a year, in every zone', () => {
    for (const timeZone of zones) {
      const { starts, end } = stepsOf(
        range('2026-01-01T12:00:00Z', '2026-12-31T12:00:00Z'),
        stepLengths.day,
        named(timeZone),
      )
      expect(starts).toHaveLength(365)
      for (const [index, start] of starts.entries()) {
        const { date } = faceOf(start, timeZone)
        expect(faceOf(start - 1, timeZone).date < date).toBe(true)
        expect(faceOf((starts[index + 1] ?? end) - 1, timeZone).date).toBe(date)
        expect(startOfDay(start + 7200, named(timeZone))).toBe(start)
        expect(startOfDayAfter(start + 7200, 1, named(timeZone))).toBe(starts[index + 1] ?? end)
      }
    }
  })

  it('have 23 and 25 hours where clocks change, and 23.5 and 24.5 on Lord Howe', () => {
    const lengths = (timeZone: string) => {
      const { starts, end } = stepsOf(
        range('2026-01-01T12:00:00Z', '2026-12-31T12:00:00Z'),
        stepLengths.day,
        named(timeZone),
      )
      return new Set(starts.map((start, index) => ((starts[index + 1] ?? end) - start) / 3600))
    }
    expect(lengths('Asia/Kathmandu')).toEqual(new Set([24]))
    expect(lengths('America/St_Johns')).toEqual(new Set([24, 23, 25]))
    expect(lengths('Australia/Lord_Howe')).toEqual(new Set([24, 24.5, 23.5]))
  })

  it('begin at one o’clock where clocks jump over midnight', () => {
    expect(text(startOfDay(at('2026-04-24T12:00:00Z'), named('Africa/Cairo')))).toBe('2026-04-23T22:00:00Z')
    expect(faceOf(at('2026-04-23T22:00:00Z'), 'Africa/Cairo').time).toBe('01:00:00')
  })
})

describe('steps', () => {
  it('follow each other without a gap and begin at multiples of their length, over both changes', () => {
    for (const timeZone of zones)
      for (const seconds of [900, 1800, 3600, 7200, 21_600, 43_200, 86_400, 2 * 86_400, 7 * 86_400]) {
        const { starts, end } = stepsOf(
          range('2026-03-01T00:07:00Z', '2026-04-28T05:00:00Z'),
          { seconds },
          named(timeZone),
        )
        expect(starts[0]).toBeLessThanOrEqual(at('2026-03-01T00:07:00Z'))
        expect(end).toBeGreaterThan(at('2026-04-28T05:00:00Z'))
        for (const [index, start] of starts.entries()) {
          const length = (starts[index + 1] ?? end) - start
          expect(length).toBeGreaterThan(0)
          expect(length).toBeLessThanOrEqual(seconds + 3600)
          expect(start % 900).toBe(0)
        }
      }
  })

  it('make the hour that clocks repeat two, and leave out the one that they skip', () => {
    const hours = (from: string, to: string) =>
      stepsOf(range(from, to), stepLengths.hour, named('America/St_Johns')).starts
    const times = (starts: readonly number[]) => starts.map((start) => faceOf(start, 'America/St_Johns').time)
    expect(times(hours('2026-11-01T02:30:00Z', '2026-11-01T05:30:00Z'))).toEqual([
      '00:00:00',
      '01:00:00',
      '01:00:00',
      '02:00:00',
    ])
    expect(times(hours('2026-03-08T04:30:00Z', '2026-03-08T06:30:00Z'))).toEqual([
      '01:00:00',
      '03:00:00',
      '04:00:00',
    ])
  })

  it('are the same from wherever a range begins within them', () => {
    for (const timeZone of zones) {
      const all = stepsOf(
        range('2026-04-03T00:00:00Z', '2026-04-06T00:00:00Z'),
        stepLengths.hour,
        named(timeZone),
      ).starts
      for (let from = at('2026-04-04T00:00:00Z'); from < at('2026-04-05T23:00:00Z'); from += 300)
        expect(stepsOf({ from, to: from }, stepLengths.hour, named(timeZone)).starts[0]).toBe(
          all[indexOfStep(all, from)] ?? -1,
        )
    }
  })

  it('of a week begin on Monday', () => {
    const { starts } = stepsOf(
      range('2026-11-22T17:00:00Z', '2026-11-22T17:00:00Z'),
      stepLengths.week,
      named('Asia/Shanghai'),
    )
    expect(starts.map(text)).toEqual(['2026-11-22T16:00:00Z'])
  })
})

describe('zones', () => {
  it('are minutes where no name is known', () => {
    const noon = at('2026-07-01T12:00:00Z')
    expect(zoneOf({ utc_offset: 330 }).offsetAt(noon)).toBe(19_800)
    expect(zoneOf({ utc_offset: 330, time_zone: 'Nowhere/At_All' }).offsetAt(noon)).toBe(19_800)
    expect(zoneOf({ utc_offset: 0, time_zone: 'America/St_Johns' }).offsetAt(noon)).toBe(-9000)
    expect(zoneOf({ utc_offset: 0, time_zone: 'UTC' }).offsetAt(Number.MAX_SAFE_INTEGER)).toBe(0)
  })
})

describe('quarters of a range', () => {
  it('begin in it, with the whole hour that begins at its end', () => {
    expect(quartersOf({ from: 1, to: 1800 })).toEqual({ from: 900, end: 2700 })
    expect(quartersOf({ from: 0, to: 3599 })).toEqual({ from: 0, end: 3600 })
    expect(quartersOf({ from: 0, to: 3600 })).toEqual({ from: 0, end: 7200 })
  })
})
