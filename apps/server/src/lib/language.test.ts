import { expect, it } from 'bun:test'
import { languageOf } from './language.ts'

it.each([
  ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
  ['ZH', 'zh'],
  ['en-US,en;q=0.9,zh;q=0.5', 'en'],
  ['de', 'en'],
  ['zhx', 'en'],
])('answers Accept-Language %p in %p', (header, language) => {
  expect(languageOf(new Headers({ 'accept-language': header }))).toBe(language as 'en' | 'zh')
})

it('answers English to those who do not say', () => {
  expect(languageOf(new Headers())).toBe('en')
})
