import { expect, it } from 'bun:test'
import { cutAt } from './spend-steps.ts'

const hour = (number: number, calls: number) => ({ hour: number * 3600, calls })
const times = (from: number, end: number) => ({ from: from * 3600, end: end * 3600 })

it('cuts a time where a step would have too many calls, and covers all of it', () => {
  const hours = [hour(2, 40), hour(3, 40), hour(4, 40), hour(5, 300), hour(9, 1)]
  expect(cutAt(times(1, 10), hours, 100)).toEqual([times(1, 4), times(4, 5), times(5, 9), times(9, 10)])
})

it('leaves a time whole that has few calls, or none', () => {
  expect(cutAt(times(1, 10), [hour(3, 7)], 100)).toEqual([times(1, 10)])
  expect(cutAt(times(1, 10), [], 100)).toEqual([times(1, 10)])
})
