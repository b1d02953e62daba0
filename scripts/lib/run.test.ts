import { afterAll, describe, expect, it } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run, runGuarded } from './run.mjs'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-run-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Returns whether the program that leaves a mark every few milliseconds has stopped. */
async function hasStopped(marks: string): Promise<boolean> {
  const before = readFileSync(marks, 'utf8').length
  await Bun.sleep(100)
  return before > 0 && readFileSync(marks, 'utf8').length === before
}

describe('run', () => {
  it('returns exit code and output', async () => {
    const outcome = await run(process.execPath, ['-e', 'console.log(1); console.error(2); process.exit(3)'])
    expect(outcome).toEqual({ code: 3, output: '1\n2\n', timedOut: false })
  })

  it('returns 127 for a missing program, and 128 and more after a signal', async () => {
    expect((await run('/no/such/program', [])).code).toBe(127)
    expect((await run('sh', ['-c', 'kill -TERM $$'])).code).toBe(143)
  })
})

describe('runGuarded', () => {
  it('ends what a suite leaves running', async () => {
    const marks = join(folder, 'left')
    const suite = `while :; do printf x >> ${marks}; sleep 0.01; done & sleep 0.1; echo done`
    const outcome = await runGuarded('sh', ['-c', suite], { timeoutMs: 10_000 })
    expect(outcome).toMatchObject({ code: 0, output: 'done\n', timedOut: false })
    expect(await hasStopped(marks)).toBe(true)
  })

  it('ends a suite and its children when their time is over', async () => {
    const marks = join(folder, 'late')
    const suite = `(while :; do printf x >> ${marks}; sleep 0.01; done) & wait`
    const { timedOut, output } = await runGuarded('sh', ['-c', suite], { timeoutMs: 300 })
    expect(timedOut).toBe(true)
    expect(output).toContain('took longer than 0.3 s')
    expect(await hasStopped(marks)).toBe(true)
  })

  it('returns the processor time of a program and of its children, and its exit code', async () => {
    const busy = [
      '-e',
      'let state = 1; for (let round = 0; round < 5e8; round++) state ^= state << 13; process.exit(state === 0)',
    ]
    const suite = `"$0" "$@" & wait; exit 5`
    const outcome = await runGuarded('sh', ['-c', suite, process.execPath, ...busy], { timeoutMs: 10_000 })
    expect(outcome.code).toBe(5)
    expect(outcome.processorMs).toBeGreaterThan(20)
  })
})
