import { expect, it } from 'bun:test'
import { daysLeft, errorRate, hasHighErrorRate, neededInWeek } from './rates.ts'

const none = { upstream: 0, caller: 0, balance: 0, limit: 0, no_channel: 0, gateway: 0 }
const totals = (ok: number, upstream: number, broken = 0) => ({ ok, broken, faults: { ...none, upstream } })

it('a rate is of all calls, and of none there is none', () => {
  expect(errorRate({ count: 3, errors: 1 })).toBe(0.25)
  expect(errorRate({ count: 0, errors: 2 })).toBe(1)
  expect(errorRate({ count: 0, errors: 0 })).toBeUndefined()
})

it('single failures are no worry', () => {
  expect(hasHighErrorRate(totals(0, 2), ['upstream'])).toBe(false)
  expect(hasHighErrorRate(totals(97, 3), ['upstream'])).toBe(false)
  expect(hasHighErrorRate(totals(50, 3), ['upstream'])).toBe(true)
  expect(hasHighErrorRate(totals(50, 3), ['balance'])).toBe(false)
  // A response that broke off is a failure that its caller saw.
  expect(hasHighErrorRate(totals(50, 0, 3), ['balance'])).toBe(true)
})

it('a balance lasts as long as the week says', () => {
  expect(daysLeft(300, 700)).toBe(3)
  expect(daysLeft(-5, 700)).toBe(0)
  expect(daysLeft(300, 0)).toBeUndefined()
})

it('the pace counts what was refused for the balance, by the cost of other calls or by what it may have cost', () => {
  const refused = { count: 10, last_at: 0, needed: 900 }
  expect(neededInWeek({ quota: 700, count: 7 }, null)).toBe(700)
  expect(neededInWeek({ quota: 700, count: 7 }, refused)).toBe(1700)
  expect(neededInWeek({ quota: 0, count: 0 }, refused)).toBe(9000)
})
