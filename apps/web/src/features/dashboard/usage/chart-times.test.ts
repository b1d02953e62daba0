import { describe, expect, it } from 'bun:test'
import { zoneOf } from '@tollgate/api/calendar'
import { chartSteps, chartTimes, granularityFor, stepEnd } from './chart-times.ts'

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
  const named = (time_zone: string) => zoneOf({ time_zone, utc_offset: 0 })

  it('are there for every hour and day, with a call or without', () => {
    expect(chartSteps({ from: 7200, to: 14_400 }, 'hour', named('UTC')).starts).toEqual([
      7200, 10_800, 14_400,
    ])
    expect(chartSteps({ from: 5400, to: 14_400 }, 'hour', named('Asia/Kolkata')).starts).toEqual([
      5400, 9000, 12_600,
    ])
    const { starts } = chartSteps(chartTimes({ range: '7d' }, '7d', now), 'day')
    expect(starts).toHaveLength(7)
    expect(starts.at(-1)).toBe(midnight)
  })

  it('are 23 and 25 hours on days on which clocks change, and end with the day', () => {
    const zone = named('America/St_Johns')
    const dayOf = (text: string) => Date.parse(text) / 1000
    const long = dayOf('2026-11-01T02:30:00Z')
    const short = dayOf('2026-03-08T03:30:00Z')
    expect(chartSteps({ from: long, to: stepEnd(long, 'day', zone) }, 'hour', zone).starts).toHaveLength(25)
    expect(chartSteps({ from: short, to: stepEnd(short, 'day', zone) }, 'hour', zone).starts).toHaveLength(23)
  })

  it('of weeks begin on Monday', () => {
    const [first = 0] = chartSteps({ from: seconds, to: seconds }, 'week', named('UTC')).starts
    expect(new Date(first * 1000).getUTCDay()).toBe(1)
    expect(seconds - first).toBeLessThan(7 * 86_400)
  })
})
