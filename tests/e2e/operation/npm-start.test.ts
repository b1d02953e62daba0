import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { freePort } from '../../support/network/free-port.ts'
import { until } from '../../support/until.ts'

const root = join(import.meta.dir, '../../..')
const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-data-'))
const started: Subprocess[] = []
let port: number

beforeAll(async () => {
  port = await freePort()
})
afterAll(async () => {
  for (const process of started) process.kill('SIGKILL')
  await Promise.all(started.map((process) => process.exited))
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
})

function launch(...command: readonly string[]): Subprocess<'ignore', 'pipe', 'pipe'> {
  const env = {
    ...process.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    npm_config_loglevel: 'error',
  }
  const launched = Bun.spawn([...command], {
    cwd: root,
    env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  started.push(launched)
  return launched
}

const page = () => fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
const untilServing = () => until(async () => ((await page())?.ok ? true : undefined), 60_000)
const untilHidden = () => until(async () => ((await page()) === undefined ? true : undefined), 10_000)

describe('npm start', () => {
  it('passes arguments to the program, and its exit code back', async () => {
    const version = launch('npm', 'start', '--silent', '--', '--version')
    expect(await new Response(version.stdout).text()).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(await version.exited).toBe(0)
    const unknown = launch('npm', 'start', '--silent', '--', 'no-such-command')
    expect(await new Response(unknown.stderr).text()).toStartWith('tollgate: unknown command')
    expect(await unknown.exited).toBe(2)
  })

  it('serves the built console, and exits with 0 on SIGTERM', async () => {
    const start = launch('node', 'scripts/start.mjs')
    await untilServing()
    expect(await (await page())?.text()).toContain('<div id="root">')
    start.kill('SIGTERM')
    expect(await start.exited).toBe(0)
    expect(await page()).toBeUndefined()
  })

  it('takes the server with it when npm is ended, and when it is killed outright', async () => {
    const npm = launch('npm', 'start')
    await untilServing()
    npm.kill('SIGTERM')
    await untilHidden()
    const start = launch('node', 'scripts/start.mjs')
    await untilServing()
    start.kill('SIGKILL')
    await untilHidden()
  })
})
