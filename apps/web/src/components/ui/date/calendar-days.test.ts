import { describe, expect, it } from 'bun:test'
import { fullDays, onDay } from './calendar-days.ts'

const seconds = (...parts: [number, number, number, number?, number?, number?]) =>
  Math.floor(new Date(...parts).getTime() / 1000)

describe('days of the calendar', () => {
  it('keep the time of day, and start at midnight', () => {
    expect(onDay(new Date(2026, 1, 3), seconds(2025, 11, 31, 9, 30, 5))).toBe(seconds(2026, 1, 3, 9, 30, 5))
    expect(onDay(new Date(2026, 1, 3, 15), undefined)).toBe(seconds(2026, 1, 3))
  })

  it('cover a range from its first second to its last', () => {
    expect(fullDays(new Date(2026, 2, 28), new Date(2026, 2, 29))).toEqual({
      from: seconds(2026, 2, 28),
      to: seconds(2026, 2, 29, 23, 59, 59),
    })
  })
})
