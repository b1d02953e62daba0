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
    expect(tallyOf(`import './missing.ts'\nit('a', () => {})`)).toMatchObject({ passed: 0, failed: 1 })
  })

  it('counts a file that does not load beside the failures of others', () => {
    const failing = `it('a', () => { throw new Error('no') })`
    expect(tallyOf(failing, `import './missing.ts'`)).toMatchObject({ passed: 0, failed: 2 })
  })

  it('is not misled by a test that prints such lines itself', () => {
    const printing = `it('a', () => console.error('\\n 7 pass\\n 3 fail\\nRan 10 tests across 4 files. [1.00ms]\\n'))`
    expect(tallyOf(printing)).toMatchObject({ passed: 1, failed: 0 })
  })

  it('counts a run that left before its end as one failure', () => {
    const left = { passed: 0, failed: 1, skipped: [], fault: 'the run left before its end' }
    expect(tallyOf(`it('a', () => process.exit(0))`)).toEqual(left)
    const summary = '\\n 7 pass\\n 0 fail\\nRan 7 tests across 1 file. [1.00ms]\\n'
    expect(tallyOf(`it('a', () => { console.error('${summary}'); process.exit(0) })`)).toEqual(left)
  })

  it('counts a file without a test as one failure, alone and beside others', () => {
    const none = `expect(describe).toBeDefined()\nfor (const name of []) it(name, () => {})`
    const fault = 'files without a test: 1'
    expect(tallyOf(none)).toEqual({ passed: 0, failed: 1, skipped: [], fault })
    expect(tallyOf(`it('a', () => {})`, none)).toEqual({ passed: 1, failed: 1, skipped: [], fault })
  })

  it('counts a preparation that fails, and an error between tests', () => {
    const hook = (name: string) =>
      `import { ${name} } from 'bun:test'\n${name}(() => { throw new Error('no') })\nit('a', () => {})`
    expect(tallyOf(hook('beforeAll'))).toMatchObject({ passed: 0, failed: 1 })
    expect(tallyOf(hook('afterAll'))).toMatchObject({ passed: 1, failed: 1 })
    expect(tallyOf(`describe('group', () => { it('a', () => {}); throw new Error('no') })`)).toMatchObject({
      failed: 1,
      fault: 'the run ended with exit code 1',
    })
  })
})
