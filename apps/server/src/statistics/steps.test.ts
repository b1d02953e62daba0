import { describe, expect, it } from 'bun:test'
import { daysBefore, shownGranularity, startOfDay, stepsOf } from './steps.ts'

const at = (text: string) => Date.parse(text) / 1000
const stepOf = (time: number, granularity: 'hour' | 'day' | 'week', utcOffset: number) => {
  const { stepSeconds, shiftSeconds } = stepsOf(granularity, utcOffset)
  return new Date((time - ((time + shiftSeconds) % stepSeconds)) * 1000).toISOString()
}

describe('steps of the caller’s clock', () => {
  it('begin with the hour, the day and the Monday there', () => {
    // A Sunday.
    const time = at('2026-11-22T17:00:00Z')
    expect(stepOf(time, 'hour', 330)).toBe('2026-11-22T17:00:00.000Z')
    expect(stepOf(time, 'day', 0)).toBe('2026-11-22T00:00:00.000Z')
    expect(stepOf(time, 'day', 480)).toBe('2026-11-22T16:00:00.000Z')
    expect(stepOf(time, 'day', -720)).toBe('2026-11-22T12:00:00.000Z')
    expect(stepOf(time, 'week', 0)).toBe('2026-11-16T00:00:00.000Z')
    expect(stepOf(time, 'week', 480)).toBe('2026-11-22T16:00:00.000Z')
  })

  it('show hours of a few days, and days of more', () => {
    expect(shownGranularity(undefined, 4 * 86_400)).toBe('hour')
    expect(shownGranularity('hour', 30 * 86_400)).toBe('day')
    expect(shownGranularity('week', 30 * 86_400)).toBe('week')
    expect(shownGranularity('day', 3600)).toBe('day')
  })

  it('return the start of today, and of days before it', () => {
    const now = at('2026-11-22T17:30:00Z')
    expect(startOfDay(now, 0)).toBe(at('2026-11-22T00:00:00Z'))
    expect(startOfDay(now, 480)).toBe(at('2026-11-22T16:00:00Z'))
    expect(startOfDay(now, -600)).toBe(at('2026-11-22T10:00:00Z'))
    expect(daysBefore(startOfDay(now, 0), 6)).toBe(at('2026-11-16T00:00:00Z'))
  })
})
