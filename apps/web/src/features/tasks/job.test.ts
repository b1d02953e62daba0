import { expect, it } from 'bun:test'
import { known, percentOf, spentMs, spentTone, statusName, submissionOf, taskActions } from './job.ts'

it('a minute is quick, and what is under way has no duration', () => {
  expect(spentTone(60_000)).toBe('good')
  expect(spentTone(60_001)).toBe('bad')
  expect(spentMs(1000, 61_000)).toBe(60_000)
  expect(spentMs(1000, 0)).toBeUndefined()
  expect(spentMs(2000, 1000)).toBe(0)
})

it('progress is a number where it is one', () => {
  expect(percentOf('50%')).toBe(50)
  expect(percentOf('300%')).toBe(100)
  expect(percentOf('soon')).toBeUndefined()
})

it('words of the wire have names, others none', () => {
  expect(statusName('')).toBe('SUBMITTING')
  expect(submissionOf(21)).toBe('waiting')
  expect(submissionOf(7)).toBeUndefined()
  expect(known(taskActions, 'MUSIC')).toBe('MUSIC')
  expect(known(taskActions, 'DANCE')).toBeUndefined()
})
