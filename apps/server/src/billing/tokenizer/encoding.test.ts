import { expect, it } from 'bun:test'
import { encodingOf } from './encoding.ts'

it.each([
  'gpt-4o',
  'gpt-4o-mini',
  'chatgpt-4o-latest',
  'o1-mini',
  'o3',
  'o4-mini',
  'gpt-4.1-nano',
  'gpt-4.5-preview',
  'gpt-5',
  'gpt-5.2-codex',
  'gpt-6',
])('counts %s by o200k_base', (model) => {
  expect(encodingOf(model)).toBe('o200k_base')
})

it.each([
  'gpt-4',
  'gpt-4-turbo',
  'gpt-3.5-turbo',
  'claude-3-opus',
  'text-embedding-3-small',
  'olmo',
  'anything',
])('counts %s by cl100k_base', (model) => {
  expect(encodingOf(model)).toBe('cl100k_base')
})
