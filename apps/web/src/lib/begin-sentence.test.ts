import { expect, it } from 'bun:test'
import { beginSentence } from './begin-sentence.ts'

it('begins a sentence, and leaves a name as it is spelt', () => {
  expect(beginSentence('the key was refused.')).toBe('The key was refused.')
  expect(beginSentence('gpt-4o: 7 of 7 calls failed')).toBe('gpt-4o: 7 of 7 calls failed')
  expect(beginSentence('gpt-4o 失败')).toBe('gpt-4o 失败')
  expect(beginSentence('')).toBe('')
})
