import { expect, it } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const openings = [...readdirSync(import.meta.dir), '../services.ts']
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .flatMap((name) => {
    const source = readFileSync(join(import.meta.dir, name), 'utf8')
    return [...source.matchAll(/openStore\(\{[\s\S]*?\blogger\b/g)].map(([text]) => [name, text] as const)
  })

it('finds what opens the database of an installation', () => {
  expect(openings.length).toBeGreaterThan(4)
})

it.each(openings)(
  '%s records an upgrade of the database that it opens, or leaves the schema alone',
  (_, text) => {
    expect(text).toMatch(/upgradeRecord\(|isBeside: true/)
  },
)
