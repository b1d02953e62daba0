import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import rootPackage from '../../../../package.json' with { type: 'json' }
import { deadline } from '../../../../scripts/deadline/deadline.mjs'
import { ensureConsole } from '../../../../scripts/lib/console.mjs'
import { npm } from '../../../../scripts/lib/npm.mjs'
import { ensureServer } from '../../../../scripts/lib/server.mjs'
import { noticesFile, packNpmPackage } from '../../../../scripts/ship/npm-package.ts'
import {
  type Environment,
  expectPaidCalls,
  openFolder,
  ownedFolder,
  runShipped,
  startShipped,
} from '../../../support/shipped.ts'
import { until } from '../../../support/until.ts'

// npm may have to bring the runtime.
setDefaultTimeout(deadline(120_000))

const folder = openFolder()
const position = join(folder.path, 'empty')
const installed = join(position, 'node_modules', 'tollgate')
let packed: string
let surroundings: Environment

async function install(into: string, ...options: readonly string[]): Promise<void> {
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund']
  const installing = await npm(['install', '--prefix', into, packed, ...quiet, ...options], folder.path)
  expect(installing).toMatchObject({ code: 0 })
}

beforeAll(async () => {
  await ensureServer(() => undefined)
  await ensureConsole(() => undefined)
  packed = await packNpmPackage(folder.path, () => undefined)
  await install(position)
  // The program's own account has no home: npx needs a place for its cache.
  const home = await ownedFolder(join(folder.path, 'home'))
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    DATA_DIR: join(home, 'data'),
    npm_config_update_notifier: 'false',
    npm_config_offline: 'true',
  }
  surroundings = { cwd: position, env }
})
afterAll(() => folder.remove())

const npx = ['npx', 'tollgate']

describe('the npm package, installed into an empty folder', () => {
  it('brings the runtime and no library: everything else is inside', () => {
    const brought = readdirSync(join(position, 'node_modules')).filter((name) => !name.startsWith('.'))
    expect(brought.sort()).toEqual(['@oven', 'bun', 'tollgate'])
  })

  it('comes to its first paid calls by npx, and ends with it', async () => {
    const gateway = await startShipped(npx, surroundings)
    try {
      await expectPaidCalls(gateway.url)
      const page = await fetch(gateway.url)
      expect(await page.text()).toContain('<div id="root">')
    } finally {
      await gateway.stop()
    }
    // npx ends first, and the program with it.
    await until(async () => (await fetch(gateway.url).catch(() => undefined)) === undefined || undefined)
  })

  it('passes arguments to the program, and its exit code back', async () => {
    const { version } = rootPackage
    expect(await runShipped([...npx, '--version'], surroundings)).toMatchObject({
      code: 0,
      stdout: `${version}\n`,
    })
    expect(await runShipped([...npx, 'audit'], surroundings)).toMatchObject({ code: 0 })
    expect(await runShipped([...npx, 'dance'], surroundings)).toMatchObject({ code: 2 })
  })

  it('names the licences of everything inside', async () => {
    const notices = await Bun.file(join(installed, noticesFile)).text()
    for (const name of ['hono', 'react', 'kysely', 'bun'])
      expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'))
    expect(notices).not.toContain('UNKNOWN')
  })

  it('finds the runtime where npm ran no install scripts, and says in one line when it is gone', async () => {
    const bare = join(folder.path, 'no-scripts')
    await install(bare, '--ignore-scripts')
    const inBare = { ...surroundings, cwd: bare }
    expect(await runShipped([...npx, '--version'], inBare)).toMatchObject({ code: 0 })
    rmSync(join(bare, 'node_modules', '@oven'), { recursive: true })
    const { code, stderr } = await runShipped([...npx, '--version'], inBare)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^tollgate: the runtime .*\n$/)])
  })
})
