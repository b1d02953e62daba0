import { expect, it } from 'bun:test'
import { capitalizeSentence } from './capitalize-sentence.ts'

it('begins a sentence, and leaves a name as it is spelt', () => {
  expect(capitalizeSentence('the key was refused.')).toBe('The key was refused.')
  expect(capitalizeSentence('gpt-4o: 7 of 7 calls failed')).toBe('gpt-4o: 7 of 7 calls failed')
  expect(capitalizeSentence('gpt-4o 失败')).toBe('gpt-4o 失败')
  expect(capitalizeSentence('')).toBe('')
})
