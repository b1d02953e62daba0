import { afterAll, describe, expect, it } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../until.ts'
import { startServer } from './server-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-servers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A file of tests: the first is over its time, the second looks whether the server that both share still runs. */
const slowTest = (support: string) => `
import { beforeAll, expect, it } from 'bun:test'
import { startServer } from ${JSON.stringify(support)}
let server
beforeAll(async () => { server = await startServer(['sleep', '20']) })
it('is over its time', () => Bun.sleep(5000), 100)
it('finds the server', async () => { await Bun.sleep(300); expect(server.hasEnded).toBe(false); await server.kill() })
`

describe('startServer', () => {
  it('keeps what a server prints, and its exit code', async () => {
    const server = await startServer(['sh', '-c', 'echo out; echo error >&2; exit 3'])
    expect(await server.exited).toBe(3)
    expect(server.printed()).toBe('out\nerror\n')
    expect(await server.kill()).toBe(3)
  })

  it('sends a signal and waits for the end', async () => {
    const server = await startServer([
      'sh',
      '-c',
      "trap 'exit 7' TERM; echo ready; while :; do sleep 0.01; done",
    ])
    await until(() => server.printed().includes('ready') || undefined)
    expect(await server.kill()).toBe(7)
    const other = await startServer(['sleep', '20'])
    expect(await other.kill('SIGKILL')).toBe(137)
    expect(other.hasEnded).toBe(true)
  })

  it('names a program that is missing', async () => {
    expect(startServer(['/no/such/program'])).rejects.toThrow('/no/such/program could not be started')
  })

  it('leaves a server to the tests behind one that is over its time', async () => {
    const file = join(folder, 'slow.test.ts')
    writeFileSync(file, slowTest(join(import.meta.dir, 'server-process.ts')))
    const run = Bun.spawn([process.execPath, 'test', file], { cwd: folder, stdout: 'pipe', stderr: 'pipe' })
    const printed = await new Response(run.stderr).text()
    expect(printed).toContain('(fail) is over its time')
    expect(printed).toContain('(pass) finds the server')
  })
})
