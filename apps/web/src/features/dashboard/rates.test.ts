import { expect, it } from 'bun:test'
import { daysLeft, errorRate, hasHighErrorRate } from './rates.ts'

it('a rate is of all calls, and of none there is none', () => {
  expect(errorRate({ count: 3, errors: 1 })).toBe(0.25)
  expect(errorRate({ count: 0, errors: 0 })).toBeUndefined()
})

it('single failures are no worry', () => {
  expect(hasHighErrorRate({ count: 0, errors: 2 })).toBe(false)
  expect(hasHighErrorRate({ count: 97, errors: 3 })).toBe(false)
  expect(hasHighErrorRate({ count: 50, errors: 3 })).toBe(true)
})

it('a balance lasts as long as the week says', () => {
  expect(daysLeft(300, 700)).toBe(3)
  expect(daysLeft(-5, 700)).toBe(0)
  expect(daysLeft(300, 0)).toBeUndefined()
})
