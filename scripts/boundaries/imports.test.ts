import { describe, expect, it } from 'bun:test'
import { importsOf } from './imports.ts'

const named = (source: string, path = 'a.ts') => importsOf(path, source).map(({ specifier }) => specifier)

describe('importsOf', () => {
  it('finds imports of values and of types', () => {
    expect(named(`import { a } from './a.ts'\nimport type { B } from './b.ts'\nimport './c.css'`)).toEqual([
      './a.ts',
      './b.ts',
      './c.css',
    ])
  })

  it('finds re-exports of values and of types', () => {
    expect(
      named(`export * from './a.ts'\nexport type { B } from './b.ts'\nexport { c, d } from './c.ts'`),
    ).toEqual(['./a.ts', './b.ts', './c.ts'])
  })

  it('finds lazy imports, imports inside types, and files named by URL', () => {
    const source = `
      const page = () => import('./page.tsx')
      type Row = import('./row.ts').Row
      const worker = new Worker(new URL('./worker.ts', import.meta.url))`
    expect(named(source)).toEqual(['./page.tsx', './row.ts', './worker.ts'])
  })

  it('reads JSX and returns the line', () => {
    expect(importsOf('a.tsx', `const a = <b />\nimport c from 'c'`)).toEqual([
      { specifier: 'c', line: 2, isSeparateProgram: false },
    ])
  })

  it('ignores what only looks like an import', () => {
    expect(
      named(`// import './a.ts'\nconst text = "import './b.ts'"\nnew URL('https://example.com')`),
    ).toEqual([])
  })

  it('refuses a file that does not parse', () => {
    expect(() => importsOf('a.ts', 'import {')).toThrow('a.ts does not parse')
  })
})
