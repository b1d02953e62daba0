import { expect, it } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { providerPages } from './provider-pages.ts'

const root = join(import.meta.dir, '../..')

it('finds the pages of docs/providers as they would be written: run `npm run docs:providers` else', () => {
  const stale = [...providerPages()].filter(
    ([path, text]) => !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text,
  )
  expect(stale.map(([path]) => path)).toEqual([])
})

it('finds no page of a provider that is gone', () => {
  const byHand = ['openai-compatible.md']
  const pages = readdirSync(join(root, 'docs/providers')).filter((name) => !byHand.includes(name))
  expect(pages.sort()).toEqual([...providerPages().keys()].map((path) => path.replace(/.*\//, '')).sort())
})
