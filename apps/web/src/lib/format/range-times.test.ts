import { describe, expect, it } from 'bun:test'
import { rangeOf, timesOf } from './range-times.ts'
import type { CalendarRange } from './time-range.ts'
import { firstDayOfWeek } from './week.ts'

const now = new Date(2026, 10, 21, 16, 40, 30)
const seconds = Math.floor(now.getTime() / 1000)

describe('timesOf', () => {
  it('covers today from its first second to an hour ahead by default', () => {
    expect(timesOf({}, now)).toEqual({
      from: Math.floor(new Date(2026, 10, 21).getTime() / 1000),
      to: seconds + 3600,
    })
    expect(timesOf({}, now, '30d').from).toBe(seconds - 30 * 86_400)
  })

  it('counts the other ranges back from now', () => {
    expect(timesOf({ range: '15m' }, now).from).toBe(seconds - 900)
    expect(timesOf({ range: '1h' }, now).from).toBe(seconds - 3600)
    expect(timesOf({ range: '24h' }, now).from).toBe(seconds - 86_400)
    expect(timesOf({ range: '7d' }, now).from).toBe(seconds - 7 * 86_400)
    expect(timesOf({ range: '30d' }, now).from).toBe(seconds - 30 * 86_400)
  })

  it('covers whole days, weeks and months of the calendar', () => {
    const start = (...parts: [number, number, number]) => Math.floor(new Date(...parts).getTime() / 1000)
    const at = (range: CalendarRange, moment = now) => timesOf({ range }, moment)
    expect(at('yesterday')).toEqual({ from: start(2026, 10, 20), to: start(2026, 10, 21) - 1 })
    expect(at('month')).toEqual({ from: start(2026, 10, 1), to: seconds + 3600 })
    expect(at('last-month')).toEqual({ from: start(2026, 9, 1), to: start(2026, 10, 1) - 1 })
    const january = new Date(2027, 0, 1, 0, 0, 1)
    expect(at('last-month', january)).toEqual({ from: start(2026, 11, 1), to: start(2027, 0, 1) - 1 })
    const week = at('week').from ?? 0
    expect(new Date(week * 1000).getDay()).toBe(firstDayOfWeek())
    expect(seconds - week).toBeLessThan(7 * 86_400)
    expect(at('last-week').to).toBe(week - 1)
    expect(new Date((at('last-week').from ?? 0) * 1000).getDay()).toBe(firstDayOfWeek())
    // The first day of a week is in the week that it begins, from its first second.
    const monday = new Date(week * 1000)
    expect(at('week', monday).from).toBe(week)
    expect(at('week', new Date(monday.getTime() - 1)).from).toBeLessThan(week)
  })

  it('has no end for all of time, and knows times without a name as one’s own', () => {
    expect(timesOf({}, now, 'all')).toEqual({})
    expect(rangeOf({ from: 5 }, 'all')).toBe('custom')
    expect(timesOf({ from: 5 }, now, 'all')).toEqual({ from: 5 })
  })

  it('takes a range of one’s own as it is, open at either end', () => {
    expect(timesOf({ range: 'custom', from: 5 }, now)).toEqual({ from: 5 })
    expect(timesOf({ range: 'custom', to: 9 }, now)).toEqual({ to: 9 })
  })
})
