import { expect, it } from 'bun:test'
import { fillText } from './localized-texts.ts'

it.each([
  ['en', 'one of hour, day of 2'],
  ['zh', 'one of hour、day of 2'],
] as const)('a list in a sentence is enumerated as %s does', (language, sentence) => {
  expect(fillText('one of {choices} of {count}', { choices: ['hour', 'day'], count: 2 }, language)).toBe(
    sentence,
  )
})
