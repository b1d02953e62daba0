import { expect, it } from 'bun:test'
import { createSlots } from './slots.ts'

it('gives out so many at once, and each that comes back once', () => {
  const slots = createSlots(2)
  const first = slots.take()
  expect(slots.take()).toBeDefined()
  expect(slots.take()).toBeUndefined()
  first?.()
  first?.()
  expect(slots.take()).toBeDefined()
  expect(slots.take()).toBeUndefined()
})
