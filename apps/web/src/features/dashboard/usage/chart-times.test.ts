import { describe, expect, it } from 'bun:test'
import { chartTimes, granularityFor, stepsOf, utcOffsetHere } from './chart-times.ts'

const now = new Date(2026, 10, 21, 16, 40, 30)
const seconds = Math.floor(now.getTime() / 1000)
const midnight = Math.floor(new Date(2026, 10, 21).getTime() / 1000)

describe('times of a chart', () => {
  it('begin with a whole hour or day and end now', () => {
    expect(chartTimes({}, '24h', now)).toEqual({ from: midnight - 7 * 3600, to: seconds })
    expect(chartTimes({ range: '7d' }, '24h', now)).toEqual({ from: midnight - 6 * 86_400, to: seconds })
    expect(chartTimes({ range: 'today' }, '24h', now).from).toBe(midnight)
  })

  it('end with the last second of a day, week or month that is over', () => {
    const lastMonth = chartTimes({ range: 'last-month' }, '24h', now)
    expect(lastMonth).toEqual({
      from: Math.floor(new Date(2026, 9, 1).getTime() / 1000),
      to: Math.floor(new Date(2026, 10, 1).getTime() / 1000) - 1,
    })
    expect(chartTimes({ range: 'yesterday' }, '24h', now)).toEqual({
      from: midnight - 86_400,
      to: midnight - 1,
    })
    expect(chartTimes({ range: 'month' }, '24h', now).to).toBe(seconds)
  })

  it('never reach over the thirty days that people may ask for', () => {
    const { from, to } = chartTimes({ range: '30d' }, '24h', now)
    expect(to - from).toBeLessThanOrEqual(30 * 86_400)
  })

  it('suggest hours for a day or two and days for more', () => {
    expect(granularityFor({ from: 0, to: 86_400 })).toBe('hour')
    expect(granularityFor({ from: 0, to: 7 * 86_400 })).toBe('day')
  })
})

describe('steps', () => {
  it('are there for every hour and day, with a call or without', () => {
    expect(stepsOf({ from: 7200, to: 14_400 }, 'hour', 330)).toEqual([7200, 10_800, 14_400])
    const days = stepsOf(chartTimes({ range: '7d' }, '7d', now), 'day', utcOffsetHere(now))
    expect(days).toHaveLength(7)
    expect(days.at(-1)).toBe(midnight)
  })

  it('of weeks begin on Monday', () => {
    const [first = 0] = stepsOf({ from: seconds, to: seconds }, 'week', 0)
    expect(new Date(first * 1000).getUTCDay()).toBe(1)
    expect(seconds - first).toBeLessThan(7 * 86_400)
  })
})
