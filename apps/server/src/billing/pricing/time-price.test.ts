import { describe, expect, it } from 'bun:test'
import { type PriceWindow, weekdays } from '@tollgate/api'
import { windowPairs } from './changes/window-pairs.ts'
import { createPrice } from './price.ts'
import { perCall, perToken } from './test-support/prices.ts'
import { priceAt, windowAt } from './time-price.ts'

const at = (text: string) => Date.parse(text) / 1000
const night: PriceWindow = { from: '22:00', to: '06:00', ratio: 0.5 }
const found = (zone: string, windows: readonly PriceWindow[], text: string) =>
  windowAt({ zone, windows }, at(text))

describe('the window of a moment', () => {
  it.each([
    ['2026-03-02T21:59:59Z', false],
    ['2026-03-02T22:00:00Z', true],
    ['2026-03-03T05:59:59Z', true],
    ['2026-03-03T06:00:00Z', false],
  ])('passes midnight, with its first minute and without its last: %s', (moment, isIn) => {
    expect(found('UTC', [night], moment) === night).toBe(isIn)
  })

  it('that passes midnight belongs to the day on which it begins', () => {
    const friday: PriceWindow = { ...night, days: ['fri'] }
    // 6 March 2026 is a Friday.
    expect(found('UTC', [friday], '2026-03-06T03:00:00Z')).toBeUndefined()
    expect(found('UTC', [friday], '2026-03-06T23:00:00Z')).toBe(friday)
    expect(found('UTC', [friday], '2026-03-07T03:00:00Z')).toBe(friday)
    expect(found('UTC', [friday], '2026-03-07T23:00:00Z')).toBeUndefined()
  })

  it('is the first of those that hold it', () => {
    const second: PriceWindow = { from: '00:00', to: '00:00', ratio: 2 }
    expect(found('UTC', [night, second], '2026-03-02T23:00:00Z')).toBe(night)
    expect(found('UTC', [night, second], '2026-03-02T12:00:00Z')).toBe(second)
  })

  it.each([
    ['Asia/Kolkata', '2026-03-02T16:30:00Z'],
    ['Asia/Kathmandu', '2026-03-02T16:15:00Z'],
    ['Australia/Adelaide', '2026-01-02T11:30:00Z'],
    ['Australia/Adelaide', '2026-07-02T12:30:00Z'],
    ['America/St_Johns', '2026-01-03T01:30:00Z'],
    ['America/St_Johns', '2026-07-03T00:30:00Z'],
    ['Europe/Berlin', '2026-01-02T21:00:00Z'],
    ['Europe/Berlin', '2026-07-02T20:00:00Z'],
  ])('is read from the clocks of %s: 22:00 is %s', (zone, begin) => {
    expect(windowAt({ zone, windows: [night] }, at(begin) - 1)).toBeUndefined()
    expect(windowAt({ zone, windows: [night] }, at(begin))).toBe(night)
  })

  it('agrees with the clocks at every quarter hour around both changes', () => {
    for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/St_Johns'])
      for (const day of ['2026-03-08', '2026-03-29', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01'])
        for (let seconds = at(`${day}T00:00:00Z`) - 86_400, n = 0; n < 288; n++, seconds += 900) {
          const format = new Intl.DateTimeFormat('en-GB', {
            timeZone: zone,
            hour: '2-digit',
            minute: '2-digit',
            weekday: 'short',
          })
          const parts = Object.fromEntries(
            format.formatToParts(seconds * 1000).map(({ type, value }) => [type, value]),
          )
          const windows = weekdays.map(
            (name): PriceWindow => ({
              days: [name],
              from: `${parts['hour']}:${parts['minute']}`,
              to: '23:59',
              ratio: 1,
            }),
          )
          const window = windowAt({ zone, windows }, seconds)
          expect([zone, seconds, window?.days]).toEqual([zone, seconds, [dayOf(parts['weekday'])]])
        }
  })
})

function dayOf(text = ''): PriceWindow['days'] extends readonly (infer Day)[] | undefined ? Day : never {
  const day = weekdays.find((name) => name === text.toLowerCase())
  if (day === undefined) throw new Error(`no weekday: ${text}`)
  return day
}

describe('the price at a moment', () => {
  const times = { zone: 'UTC', windows: [night] }
  const inside = at('2026-03-02T23:00:00Z')

  it('has the ratio of the window, exactly, and says which it was', () => {
    const price = createPrice({ ...perToken({ modelRatio: 1.1 }).terms, times })
    const timed = priceAt(price, inside)
    expect(timed.terms).toMatchObject({ modelRatio: 0.55, window: { ...night, zone: 'UTC' } })
    expect(timed.members.always).toContain(
      '"price_window":{"from":"22:00","to":"06:00","ratio":0.5,"zone":"UTC"}',
    )
    expect(priceAt(price, inside)).toBe(timed)
    expect(priceAt(price, at('2026-03-02T12:00:00Z'))).toBe(price)
  })

  it('of a call has it too', () => {
    const price = createPrice({ ...perCall(0.1).terms, times })
    expect(priceAt(price, inside).exact.call).toBe(25_000)
    expect(priceAt(perCall(0.1), inside).exact.call).toBe(50_000)
  })
})

const oneWindow = (zone: string, from: string, to: string) => ({ zone, windows: [{ from, to, ratio: 2 }] })

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
      const [one, two] = [oneWindow(zone, from, to), oneWindow(other, begin, end)]
      const meet = windowPairs(one, two).some(
        ([first, second]) => first !== undefined && second !== undefined,
      )
      expect(meet).toBe(true)
    },
  )
})
