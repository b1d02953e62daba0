import { expect, it } from 'bun:test'
import { languageOf } from './language.ts'

it.each([
  ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
  ['ZH', 'zh'],
  ['en-US,en;q=0.9,zh;q=0.5', 'en'],
  ['de', 'en'],
  ['zhx', 'en'],
])('reads Accept-Language %p as %p', (header, language) => {
  expect(languageOf(new Headers({ 'accept-language': header }))).toBe(language as 'en' | 'zh')
})

it('uses English without the header', () => {
  expect(languageOf(new Headers())).toBe('en')
})
