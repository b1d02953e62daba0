import { expect, it } from 'bun:test'
import { createSemaphore } from './semaphore.ts'

it('gives out so many at once, and each that comes back once', () => {
  const slots = createSemaphore(2)
  const first = slots.take()
  expect(slots.take()).toBeDefined()
  expect(slots.take()).toBeUndefined()
  first?.()
  first?.()
  expect(slots.take()).toBeDefined()
  expect(slots.take()).toBeUndefined()
})

it('leaves places for others when one holder has a whole share', () => {
  const slots = createSemaphore(3, 2)
  const first = slots.take(7)
  expect(slots.take(7)).toBeDefined()
  expect(slots.take(7)).toBeUndefined()
  expect(slots.take(8)).toBeDefined()
  first?.()
  expect(slots.take(7)).toBeDefined()
})
