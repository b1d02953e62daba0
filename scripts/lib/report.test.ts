import { describe, expect, it } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readReport } from './report.mjs'

const header = `import { describe, expect, it } from 'bun:test'\n`

/** Runs `bun test` over files with these sources and reads what it reports. */
function tallyOf(...sources: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-report-'))
  const report = join(folder, 'report.xml')
  for (const [index, source] of sources.entries())
    writeFileSync(join(folder, `${index}.test.ts`), header + source)
  const args = ['test', '.', '--only-failures', '--reporter=junit', `--reporter-outfile=${report}`]
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, ...args], {
    cwd: folder,
    env: { NO_COLOR: '1' },
  })
  const tally = readReport({ code: exitCode, output: stderr.toString() }, report)
  rmSync(folder, { recursive: true })
  return tally
}

describe('readReport', () => {
  it('counts what passed and what failed, in groups and outside', () => {
    const source = `
      it('a', () => {})
      describe('group', () => { it('b', () => {}); it('c', () => expect(1).toBe(2)) })`
    expect(tallyOf(source)).toEqual({ passed: 2, failed: 1, skipped: [] })
  })

  it('names the tests that were not run', () => {
    const source = `it('a', () => {})\ndescribe.skipIf(true)('the <store>', () => { it('keeps "rows" & more', () => {}) })`
    expect(tallyOf(source)).toEqual({
      passed: 1,
      failed: 0,
      skipped: ['0.test.ts > the <store> > keeps "rows" & more'],
    })
  })

  it('counts a file that does not load as one failure', () => {
    expect(tallyOf(`import './missing.ts'\nit('a', () => {})`)).toEqual({ passed: 0, failed: 1, skipped: [] })
  })

  it('counts a file that does not load beside the failures of others', () => {
    const failing = `it('a', () => { throw new Error('no') })`
    expect(tallyOf(failing, `import './missing.ts'`)).toMatchObject({ passed: 0, failed: 2 })
  })

  it('is not misled by a test that prints such lines itself', () => {
    const printing = `it('a', () => console.error('\\n 7 pass\\n 3 fail\\n'))`
    expect(tallyOf(printing)).toMatchObject({ passed: 1, failed: 0 })
  })

  it('counts a run that left before its end as one failure', () => {
    expect(tallyOf(`it('a', () => process.exit(0))`)).toEqual({ passed: 0, failed: 1, skipped: [] })
  })
})
