import { describe, expect, it } from 'bun:test'
import { join } from 'node:path'
import { firstLoadLimit, measureFirstLoad, staticClosure } from './first-load.ts'

const load = await measureFirstLoad(join(import.meta.dir, '../dist'))

describe('first load', () => {
  it('counts what is imported at once, each file once, and no lazy import', () => {
    const manifest = {
      a: { file: 'a.js', imports: ['shared'] },
      b: { file: 'b.js', imports: ['shared'], dynamicImports: ['later'] },
      shared: { file: 'shared.js', imports: ['a'] },
      later: { file: 'later.js' },
    }
    expect(staticClosure(manifest, ['a', 'b'])).toEqual(['a.js', 'shared.js', 'b.js'])
  })

  it.skipIf(!load)('stays under 200 kB of gzipped script from login to the token list', () => {
    expect(load?.total).toBeLessThanOrEqual(firstLoadLimit)
  })
})
