import { describe, expect, it } from 'bun:test'
import { windowPairs } from './window-pairs.ts'

const times = (zone: string, from: string, to: string) => ({ zone, windows: [{ from, to, ratio: 2 }] })

describe('pairs of windows', () => {
  it('are one of none where there are none', () => {
    expect(windowPairs()).toEqual([[undefined, undefined]])
  })

  it.each([
    // For three weeks in March New York has changed its clocks and Berlin has not; in winter and summer it is midnight there.
    ['America/New_York', '18:00', '19:00', 'Europe/Berlin', '23:00', '23:30'],
    // For a week in March and one in April both Berlin and Sydney have summer: eight hours and nine.
    ['Europe/Berlin', '12:00', '12:30', 'Australia/Sydney', '21:00', '21:30'],
  ] as const)(
    'hold those that meet only while clocks differ: %s and its %s to %s',
    (zone, from, to, other, begin, end) => {
      const [one, two] = [times(zone, from, to), times(other, begin, end)]
      const meet = windowPairs(one, two).some(
        ([first, second]) => first !== undefined && second !== undefined,
      )
      expect(meet).toBe(true)
    },
  )
})
