import { describe, expect, it } from 'bun:test'
import { timesOf } from './time-range.ts'

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

  it('takes a range of one’s own as it is, open at either end', () => {
    expect(timesOf({ range: 'custom', from: 5 }, now)).toEqual({ from: 5 })
    expect(timesOf({ range: 'custom', to: 9 }, now)).toEqual({ to: 9 })
  })
})
