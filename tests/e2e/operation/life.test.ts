import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { freePort } from '../../support/network/free-port.ts'
import { type OpenSocket, openSocket } from '../../support/network/open-socket.ts'
import { buildNextVersion, type NextVersion } from '../../support/next-version.ts'
import { logIn, type Operator, operate, rootAccount } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

/**
 * The life of one installation in the order of the operator's guide, by its commands, from an empty folder: `npm test -- operation/life`.
 * Each step begins where the one before has ended.
 */
describe.skipIf(process.platform !== 'linux')('the life of an installation', () => {
  let home: string
  let dataDir: string
  let socket: OpenSocket
  let upstream: Upstream
  let gateway: Tollgate
  let root: Operator
  let key: string
  let next: NextVersion
  const metricsPort = freePort()
  const backupFile = () => join(home, 'backups', 'tollgate.tar')

  const call = async () => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }),
    })
    await response.text()
    return response.status
  }
  /** A command of the guide by the program that serves, over the folder as it is: it succeeds, and says so. */
  async function command(words: readonly string[], stated: string | RegExp): Promise<string> {
    const { code, output } = await gateway.run(...words)
    expect([words.join(' '), code, output]).toEqual([words.join(' '), 0, expect.stringMatching(stated)])
    return output
  }
  const charges = async () =>
    (await root.api<{ total: number }>('GET', '/api/log/?p=1&page_size=1&type=2')).total

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'tollgate-life-'))
    dataDir = join(home, 'data')
    for (const folder of ['data', 'backups']) mkdirSync(join(home, folder))
    socket = openSocket()
    upstream = await startUpstream()
    next = await buildNextVersion()
  })
  afterAll(async () => {
    await gateway?.kill('SIGKILL')
    await upstream?.stop()
    next?.remove()
    socket?.close()
    rmSync(home, { recursive: true, force: true })
  })

  it('begins: an unattended start, a channel, a key, a charged call', async () => {
    gateway = await startTollgate({
      dataDir,
      socket,
      env: {
        TOLLGATE_ROOT_PASSWORD: rootAccount.password,
        METRICS_LISTEN: `127.0.0.1:${await metricsPort}`,
        GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
      },
    })
    root = await logIn(gateway.url, rootAccount)
    await root.addChannel({ name: 'first', base_url: upstream.url, models: 'gpt-4o' })
    key = (await root.addKey()).key
    expect(await call()).toBe(200)
    await root.consumption(1)
  })

  it('is watched: ready, healthy, examined, scraped', async () => {
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200)
    expect((await gateway.run('health')).code).toBe(0)
    const { output } = await gateway.run('doctor')
    expect(output).not.toMatch(/^fail/m)
    const metrics = await (await fetch(`http://127.0.0.1:${await metricsPort}/metrics`)).text()
    expect(metrics).toContain('tollgate_last_backup_timestamp_seconds 0')
  })

  it('is backed up while it serves, and the backup adds up', async () => {
    await command(['backup', backupFile(), '--with-secret'], 'has the database')
    await command(['audit', backupFile()], 'Everything adds up.')
    const metrics = await (await fetch(`http://127.0.0.1:${await metricsPort}/metrics`)).text()
    expect(metrics).not.toContain('tollgate_last_backup_timestamp_seconds 0')
    // The service reads the note of a command that another account ran.
    expect(statSync(join(dataDir, 'last-backup.json')).mode & 0o777).toBe(0o644)
  })

  it('changes its secret while it serves', async () => {
    await command(['rotate-secret', '--keep-former', join(home, 'former')], 'The next secret is in')
    await until(async () => (await gateway.run('rotate-secret', '--status')).code === 0 || undefined, 30_000)
    expect(readdirSync(join(home, 'former'))).toHaveLength(1)
    expect(await call()).toBe(200)
  })

  it('lets people in who were locked out', async () => {
    await root.option('PasswordLoginEnabled', 'false')
    await command(['unlock'], 'PasswordLoginEnabled')
    const stated = await command(['reset-root', '--remove-second-factor'], /: \S{24}\n/)
    const password = /: (\S{24})\n/.exec(stated)?.[1] ?? ''
    root = await until(() =>
      logIn(gateway.url, { username: rootAccount.username, password }).catch(() => undefined),
    )
  })

  it('is stopped and started without refusing anybody, and is smaller after a shrink', async () => {
    await root.consumption(2)
    expect(await gateway.kill()).toBe(0)
    const waiting = call()
    const before = statSync(join(dataDir, 'tollgate.db')).size
    await command(['shrink'], 'MB')
    expect(statSync(join(dataDir, 'tollgate.db')).size).toBeLessThanOrEqual(before)
    await gateway.start()
    expect(await waiting).toBe(200)
    await root.consumption(3)
  })

  it('is upgraded, after a backup', async () => {
    await command(['backup', backupFile(), '--force', '--with-secret'], 'has the database')
    expect(await gateway.kill()).toBe(0)
    await gateway.start(next.program)
    expect(await call()).toBe(200)
    await root.consumption(4)
  })

  it('loses its disk, and is restored with what the backup had', async () => {
    await gateway.kill('SIGKILL')
    rmSync(dataDir, { recursive: true })
    mkdirSync(dataDir)
    await command(['restore', backupFile()], 'settled calls of the journal were written')
    await command(['audit'], 'Everything adds up.')
    await gateway.start()
    expect(await charges()).toBe(3)
    expect(await call()).toBe(200)
    await root.consumption(4)
  })

  it('is restored over what is there, with the calls that were settled since', async () => {
    expect(await gateway.kill()).toBe(0)
    await command(['restore', '--force', backupFile()], 'What was there is in')
    await command(['audit'], 'Everything adds up.')
    await gateway.start()
    root = await operate(gateway.url).catch(() => root)
    expect(await charges()).toBe(4)
  })

  it('is left: its log is a table that anybody can read, and its books add up to the end', async () => {
    const log = await fetch(`${gateway.url}/api/log/export`, {
      headers: { cookie: root.cookie, 'New-Api-User': String(root.userId) },
    })
    expect((await log.text()).trim().split('\n')).toHaveLength(1 + 4 + (await events()))
    expect(await gateway.kill()).toBe(0)
    await command(['audit'], 'Everything adds up.')
    using database = new Database(join(dataDir, 'tollgate.db'), { readonly: true })
    const tables = ['users', 'tokens', 'channels', 'logs', 'ledger_charges', 'top_up_orders']
    const counts = tables.map((table) => database.query(`select count(*) as n from ${table}`).get())
    expect(counts.map((row) => (row as { n: number }).n).slice(0, 3)).toEqual([1, 1, 1])
  })

  /** Rows of the log that are no calls. */
  async function events(): Promise<number> {
    const all = await root.api<{ total: number }>('GET', '/api/log/?p=1&page_size=1')
    return all.total - (await charges())
  }
})
