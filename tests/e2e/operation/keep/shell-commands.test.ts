import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deadline } from '../../../../scripts/deadline/deadline.mjs'
import { logIn, operate, rootAccount } from '../../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../../support/postgres.ts'
import { runTollgate, startTollgate, type Tollgate } from '../../../support/server.ts'
import { until } from '../../../support/until.ts'

setDefaultTimeout(deadline(60_000))

function suite(database: string, env: () => Promise<Record<string, string>>) {
  describe(`beside a gateway on ${database}`, () => {
    let gateway: Tollgate

    beforeAll(async () => {
      gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false', ...(await env()) } })
    })
    afterAll(() => gateway?.stop())

    it('unlock lets people log in by password again, at once', async () => {
      const operator = await operate(gateway.url)
      await operator.option('PasswordLoginEnabled', 'false')
      const isRefused = () =>
        logIn(gateway.url, rootAccount).then(
          () => false,
          () => true,
        )
      expect(await isRefused()).toBe(true)
      const { code, output } = await gateway.run('unlock')
      expect([code, output]).toEqual([0, expect.stringContaining('PasswordLoginEnabled')])
      await until(async () => !(await isRefused()) || undefined)
      const again = await gateway.run('unlock')
      expect(again.output).toContain('No setting keeps administrators out')
      const { items } = await operator.api<{ items: { actor_name: string; target_name: string }[] }>(
        'GET',
        '/api/audit_log/?p=1&page_size=10',
      )
      expect(items).toContainEqual(
        expect.objectContaining({ actor_name: 'shell', target_name: 'PasswordLoginEnabled' }),
      )
    })

    it('reset-root gives another password, and ends the sessions', async () => {
      const before = await operate(gateway.url)
      const { code, output } = await gateway.run('reset-root')
      expect(code).toBe(0)
      const password = /: (\S{24})\n/.exec(output)?.[1] ?? ''
      const after = await logIn(gateway.url, { username: 'root', password })
      await until(async () => !(await before.call('GET', '/api/user/self')).success || undefined)
      expect((await after.call('GET', '/api/user/self')).success).toBe(true)
      const former = await logIn(gateway.url, rootAccount).then(
        () => 'opened',
        () => 'refused',
      )
      expect(former).toBe('refused')
    })

    it('doctor has a line for each look, and fails for what must be mended', async () => {
      await until(async () => ((await fetch(`${gateway.url}/readyz`)).status === 200 ? true : undefined))
      const { code, output } = await gateway.run('doctor')
      const lines = output.trim().split('\n')
      expect(lines.filter((line) => !/^(ok {4}|warn {2}|fail {2})\S/.test(line))).toEqual([])
      expect(output).toContain(`gateway: it serves at ${gateway.url}`)
      expect(output).toContain('database: ')
      expect([code, lines.filter((line) => line.startsWith('fail'))]).toEqual([0, []])
      chmodSync(join(gateway.dataDir, 'secret.key'), 0o644)
      const open = await gateway.run('doctor')
      expect([open.code, open.output]).toEqual([1, expect.stringContaining('chmod 600')])
      chmodSync(join(gateway.dataDir, 'secret.key'), 0o600)
    })

    it('refuses what it does not take', async () => {
      const { code, output } = await gateway.run('reset-root', '--password')
      expect([code, output.split('\n')[0]]).toEqual([2, expect.stringContaining('does not take')])
    })
  })
}

suite('SQLite', async () => ({}))

describe.skipIf(!hasPostgres())('with PostgreSQL', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())
  suite('PostgreSQL', async () => ({ DATABASE_URL: await postgres.createDatabase() }))
})

/** Arguments of each command over a folder that does not exist; those that make an installation are tested elsewhere. */
const overNothing: Readonly<Record<string, readonly string[] | 'makes one'>> = {
  serve: 'makes one',
  restore: 'makes one',
  import: 'makes one',
  doctor: [],
  health: [],
  audit: [],
  backup: ['FILE'],
  move: ['--to', 'postgres://user:password@127.0.0.1:1/none'],
  repair: [],
  export: ['FILE'],
  recover: ['--journal', 'FILE'],
  shrink: [],
  'reset-root': [],
  unlock: [],
  undelete: ['ann'],
  erase: ['ann'],
  'rotate-secret': [],
  'reset-secret': [],
}

describe('a DATA_DIR that is wrong', () => {
  it('gets nothing from any command, and each says so in one line', async () => {
    const help = (await runTollgate(['--help'])).output
    const names = [...help.matchAll(/^ {2}([a-z][a-z-]+)\b/gm)].map(([, name = '']) => name)
    expect(names.toSorted()).toEqual(Object.keys(overNothing).toSorted())
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-wrong-'))
    const DATA_DIR = join(folder, 'data')
    for (const [name, words] of Object.entries(overNothing)) {
      if (words === 'makes one') continue
      const args = words.map((word) => (word === 'FILE' ? join(folder, 'file') : word))
      const { code, output } = await runTollgate([name, ...args], { DATA_DIR, PORT: '1' })
      expect([name, readdirSync(folder)]).toEqual([name, []])
      if (name === 'doctor') expect([code, output]).toEqual([0, expect.stringContaining('set DATA_DIR')])
      else expect([name, code, output]).toEqual([name, 1, expect.stringMatching(/^tollgate: [^\n]*\n$/)])
    }
    rmSync(folder, { recursive: true })
  })
})
