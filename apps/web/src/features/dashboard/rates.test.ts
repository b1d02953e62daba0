import { expect, it } from 'bun:test'
import { daysLeft, errorRate, hasHighErrorRate } from './rates.ts'

const none = { upstream: 0, caller: 0, balance: 0, limit: 0, no_channel: 0, gateway: 0 }
const totals = (ok: number, upstream: number) => ({ ok, faults: { ...none, upstream } })

it('a rate is of all attempts, by the faults that count, and of none there is none', () => {
  expect(errorRate(totals(3, 1), ['upstream'])).toBe(0.25)
  expect(errorRate(totals(3, 1), ['balance'])).toBe(0)
  expect(errorRate(totals(0, 0), ['upstream'])).toBeUndefined()
})

it('single failures are no worry', () => {
  expect(hasHighErrorRate(totals(0, 2), ['upstream'])).toBe(false)
  expect(hasHighErrorRate(totals(97, 3), ['upstream'])).toBe(false)
  expect(hasHighErrorRate(totals(50, 3), ['upstream'])).toBe(true)
  expect(hasHighErrorRate(totals(50, 3), ['balance'])).toBe(false)
})

it('a balance lasts as long as the week says', () => {
  expect(daysLeft(300, 700)).toBe(3)
  expect(daysLeft(-5, 700)).toBe(0)
  expect(daysLeft(300, 0)).toBeUndefined()
})
