import { describe, expect, it } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { maxModelExpressions, maxVendorEdits } from './bars.ts'
import { vendorFactsOf } from './vendor-facts.ts'

const root = join(import.meta.dir, '../..')
const paths = [...new Glob('packages/{providers,formats}/src/**/*.ts').scanSync(root)].filter(
  (path) => !/\.test\.ts$|\/(test-support|fixtures|conformance)\//.test(path),
)

describe('facts about vendors in code', () => {
  const { edits, expressions } = vendorFactsOf(
    paths.map((path) => [path, readFileSync(join(root, path), 'utf8')] as const),
  )

  it('reads the packages that know vendors', () => {
    expect(paths.length).toBeGreaterThan(100)
    expect(expressions.length).toBeGreaterThan(0)
  })

  it('become no more: a new one is a column of a profile', () => {
    expect(edits.length, edits.join('\n')).toBeLessThanOrEqual(maxVendorEdits)
    expect(expressions.length, expressions.join('\n')).toBeLessThanOrEqual(maxModelExpressions)
  })
})
