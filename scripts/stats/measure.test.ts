import { describe, expect, it } from 'bun:test'
import { barsOf, isMet } from './bars.ts'
import { declarationsOf } from './declarations.ts'
import { measure, quantile } from './measure.ts'

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

describe('declarationsOf', () => {
  const { functions, exports, codeLines } = declarationsOf('sample.ts', sample)

  it('counts the lines of named functions, and not of callbacks', () => {
    expect(functions).toEqual([
      { name: 'add', lines: 4 },
      { name: 'twice', lines: 2 },
      { name: 'count', lines: 1 },
    ])
    expect(declarationsOf('one.ts', '[1].map((one) => one)').functions).toEqual([])
  })

  it('finds which exported functions, classes and types have a docstring', () => {
    expect(exports).toEqual([
      { name: 'add', isDocumented: true },
      { name: 'Sum', isDocumented: false },
      { name: 'twice', isDocumented: false },
    ])
  })

  it('leaves blank lines and comments out of the code lines', () => {
    expect(codeLines).toBe(7)
  })

  it('counts the overloads of a function once, documented by the first', () => {
    const overloads =
      '/** Reads. */\nexport function read(a: 1): 1\nexport function read(a: 2): 2\nexport function read(a: 1 | 2) { return a }'
    expect(declarationsOf('overloads.ts', overloads).exports).toEqual([{ name: 'read', isDocumented: true }])
  })
})

describe('measure', () => {
  const files = new Map([
    ['packages/one/src/index.ts', "export { add } from './add.ts'\n"],
    ['packages/one/src/add.ts', sample],
    ['packages/one/src/add.test.ts', 'one\ntwo\n'],
    ['packages/one/src/fixtures/case.json', '{}'],
    ['tests/support/server.ts', 'one\n'],
    ['apps/web/src/page.css', '/* note */\n.a { }\n\n'],
    ...Array.from({ length: 26 }, (_, place) => [`apps/web/src/wide/${place}.css`, ''] as const),
  ])

  it('counts test suites and the helpers of tests apart from the source', () => {
    const { files: count, testFiles, testLines } = measure(files, new Map(), ['packages', 'tests'])
    expect({ count, testFiles, testLines }).toEqual({ count: 2, testFiles: 2, testLines: 3 })
  })

  it('names wide folders and small files with a single importer', () => {
    const { wideFolders, soleImports } = measure(files, new Map(), [])
    expect(wideFolders).toEqual([{ folder: 'apps/web/src/wide', entries: 26 }])
    expect(soleImports.map(({ path, importer }) => [path, importer])).toEqual([
      ['packages/one/src/add.ts', 'packages/one/src/index.ts'],
    ])
  })

  it('reads comments of style sheets as comments', () => {
    expect(measure(files, new Map(), ['apps/web/src/page.css']).codeLines).toBe(1)
  })
})

describe('quantile and bars', () => {
  it('gives the value that the share of values does not exceed', () => {
    expect([0, 0.5, 0.9, 1].map((share) => quantile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], share))).toEqual([
      1, 6, 10, 10,
    ])
    expect(quantile([], 0.5)).toBe(0)
  })

  it('holds a part of the repository to no share of tests', () => {
    const measures = measure(new Map([['packages/one/src/add.ts', sample]]), new Map(), [])
    const limits = (isPart: boolean) =>
      barsOf(measures, isPart).flatMap(({ name, atLeast }) => (atLeast === undefined ? [] : [name]))
    expect(limits(false)).toContain('test lines to source lines')
    expect(limits(true)).not.toContain('test lines to source lines')
    expect(isMet({ name: '', value: 9, atMost: 8 })).toBe(false)
    expect(isMet({ name: '', value: 0.8, atLeast: 0.8 })).toBe(true)
  })
})
