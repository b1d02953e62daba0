import { describe, expect, it } from 'bun:test'
import { barsOf, isMet } from './bars.ts'
import { figuresOf } from './figures.ts'
import { moduleOf } from './modules.ts'
import { quantile } from './quantile.ts'
import { partOf, survey } from './survey.ts'

const sample = `
/** Says what it adds. */
export function add(one: number, other: number) {
  // The sum.
  return one + other
}

export type Sum = number
export const twice = (one: number) =>
  add(one, one)
/* two
   lines */
class Counter { count() { return 1 } }
`
const read = (path: string, text: string) => survey(new Map([[path, text]]), new Map()).files[0]

describe('a surveyed file', () => {
  const file = read('packages/one/src/sample.ts', sample)

  it('has the lines of named functions, and not of callbacks', () => {
    expect(file?.functions).toEqual([
      { name: 'add', lines: 4 },
      { name: 'twice', lines: 2 },
      { name: 'count', lines: 1 },
    ])
    expect(read('one.ts', '[1].map((one) => one)')?.functions).toEqual([])
  })

  it('says which exported functions, classes and types have a docstring', () => {
    expect(file?.exports).toEqual([
      { name: 'add', isDocumented: true },
      { name: 'Sum', isDocumented: false },
      { name: 'twice', isDocumented: false },
    ])
  })

  it('leaves blank lines and comments out of the code lines, of style sheets too', () => {
    expect(file?.codeLines).toBe(7)
    expect(read('apps/web/src/page.css', '/* note */\n.a { }\n\n')?.codeLines).toBe(1)
  })

  it('counts the overloads of a function once, documented by the first', () => {
    const overloads =
      '/** Reads. */\nexport function read(a: 1): 1\nexport function read(a: 2): 2\nexport function read(a: 1 | 2) { return a }'
    expect(read('overloads.ts', overloads)?.exports).toEqual([{ name: 'read', isDocumented: true }])
  })

  it('has edits for vendors and expressions on model names in the packages that know vendors alone', () => {
    const text = 'const tidy: RequestQuirks = {}\nexport const isClaude = /^claude-/'
    const { edits, expressions } = read('packages/providers/src/one.ts', text) ?? {}
    expect({ edits, expressions }).toEqual({ edits: ['tidy'], expressions: ['/^claude-/'] })
    expect(read('apps/web/src/one.ts', text)?.expressions).toEqual([])
  })
})

describe('figures by module', () => {
  const all = survey(
    new Map([
      ['packages/one/src/index.ts', "export { add } from './add.ts'\n"],
      ['packages/one/src/add.ts', sample],
      ['packages/one/src/add.test.ts', "import './add.ts'\n\n"],
      ['packages/one/src/fixtures/case.json', '{}'],
      ['tests/support/server.ts', 'one\n'],
      ...Array.from({ length: 26 }, (_, index) => [`apps/web/src/wide/${index}.css`, ''] as const),
    ]),
    new Map(),
  )

  it('count suites and the helpers of tests apart from the source', () => {
    const { lines, files, testShare } = figuresOf(all)['packages/one'] ?? {}
    expect({ lines, files, testShare }).toEqual({ lines: 14, files: 2, testShare: 0.14 })
    expect(figuresOf(all)['tests']?.['lines']).toBeUndefined()
  })

  it('know wide folders, small files with a single importer, and the tests that a change reaches', () => {
    expect(figuresOf(all)['apps/web/src/wide']?.['widestFolder']).toBe(26)
    const { soleImports, reachedP90 } = figuresOf(all)['packages/one'] ?? {}
    expect({ soleImports, reachedP90 }).toEqual({ soleImports: 1, reachedP90: 1 })
  })

  it('are of the module in whose folder a file lies', () => {
    const modules = {
      'apps/server/src/main.ts': 'apps/server/src',
      'apps/server/src/billing/pricing/cost.ts': 'apps/server/src/billing',
      'apps/web/src/features/logs/page.tsx': 'apps/web/src/features/logs',
      'apps/web/src/features/all.test.ts': 'apps/web/src/features',
      'apps/web/vite.config.ts': 'apps/web',
      'packages/api/src/calls/user.ts': 'packages/api',
      'scripts/stats/main.ts': 'scripts',
    }
    expect(Object.keys(modules).map(moduleOf)).toEqual(Object.values(modules))
  })

  it('hold a part of the repository to no share of tests', () => {
    const bounds = (isPart: boolean) =>
      barsOf(partOf(all, isPart ? ['packages'] : []), isPart).flatMap(({ name, min }) =>
        min === undefined ? [] : [name],
      )
    expect(bounds(false)).toContain('test lines to source lines')
    expect(bounds(true)).not.toContain('test lines to source lines')
    expect(isMet({ name: '', value: 9, max: 8 })).toBe(false)
    expect(isMet({ name: '', value: 0.8, min: 0.8 })).toBe(true)
  })
})

describe('quantile', () => {
  it('is the value that the share of values does not exceed', () => {
    expect([0, 0.5, 0.9, 1].map((share) => quantile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], share))).toEqual([
      1, 6, 10, 10,
    ])
    expect(quantile([], 0.5)).toBe(0)
  })
})
