import { expect, it } from 'bun:test'
import { createSemaphore } from './semaphore.ts'

it('grants its permits, and each returned one again', () => {
  const slots = createSemaphore(2)
  const first = slots.take()
  expect(slots.take()).toBeDefined()
  expect(slots.take()).toBeUndefined()
  first?.()
  first?.()
  expect(slots.take()).toBeDefined()
  expect(slots.take()).toBeUndefined()
})

it('leaves permits for others when one holder has its full share', () => {
  const slots = createSemaphore(3, 2)
  const first = slots.take(7)
  expect(slots.take(7)).toBeDefined()
  expect(slots.take(7)).toBeUndefined()
  expect(slots.take(8)).toBeDefined()
  first?.()
  expect(slots.take(7)).toBeDefined()
})
