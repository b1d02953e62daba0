import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deadline } from '../../../../scripts/deadline/deadline.mjs'
import { withDatabase } from '../../../support/console/people.ts'
import { chargedCalls } from '../../../support/fleet.ts'
import { loadCalls, pacedMs } from '../../../support/load.ts'
import { logIn, operate, rootAccount } from '../../../support/operator.ts'
import { programCommand } from '../../../support/program.ts'
import { runTollgate, startTollgate, type Tollgate } from '../../../support/server.ts'
import { respond } from '../../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(90_000))

let gateway: Tollgate
let upstream: Upstream
let folder: string
let key: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-backup-'))
  upstream = await startUpstream()
  upstream.otherwise(respond({ delayMs: pacedMs, usage: { promptTokens: 20, completionTokens: 10 } }))
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  const operator = await operate(gateway.url)
  await operator.addChannel({ name: 'only', base_url: upstream.url, models: 'gpt-4o' })
  key = (await operator.addKey()).key
})
afterAll(async () => {
  await gateway?.stop()
  await upstream?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const at = (name: string) => join(folder, name)
const restoreInto = (name: string, file: string, ...args: readonly string[]) =>
  runTollgate(['restore', file, ...args], { DATA_DIR: at(name) })

describe('a backup under load', () => {
  it('has every call that was delivered before it began, once, and is right elsewhere', async () => {
    const load = loadCalls(gateway.url, key)
    await Bun.sleep(1500)
    const before = [...load.served]
    const made = await gateway.run('backup', at('one.tar'), '--with-secret')
    expect([made.code, made.output]).toEqual([0, expect.stringContaining('It has the secret')])
    await Bun.sleep(300)
    await load.end()
    expect(load.failures).toEqual([])
    expect(before.length).toBeGreaterThan(10)

    const audit = await gateway.run('audit', at('one.tar'))
    expect([audit.code, audit.output]).toEqual([0, expect.stringContaining('Everything adds up.')])
    const restored = await restoreInto('elsewhere', at('one.tar'))
    expect([restored.code, restored.output]).toEqual([0, expect.stringContaining('settled calls')])
    const other = await startTollgate({
      dataDir: at('elsewhere'),
      env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' },
    })
    try {
      const charged = await chargedCalls(await logIn(other.url, rootAccount))
      expect(before.filter((id) => !charged.has(id))).toEqual([])
      expect([...charged.values()].filter((rows) => rows.length !== 1)).toEqual([])
      const again = loadCalls(other.url, key, 2)
      await Bun.sleep(500)
      await again.end()
      expect(again.failures).toEqual([])
      expect(again.served.length).toBeGreaterThan(0)
    } finally {
      await other.kill()
    }
    const booked = await runTollgate(['audit'], { DATA_DIR: at('elsewhere') })
    expect([booked.code, booked.output]).toEqual([0, 'Everything adds up.\n'])
  })

  it('has what a killed gateway had not written into its database', async () => {
    const load = loadCalls(gateway.url, key, 4)
    await Bun.sleep(500)
    await gateway.kill('SIGKILL')
    await load.end()
    const made = await gateway.run('backup', at('killed.tar'))
    expect([made.code, made.output]).toEqual([0, expect.stringContaining('keep')])
    const restored = await restoreInto('after-kill', at('killed.tar'))
    expect([restored.code, restored.output]).toEqual([0, expect.stringContaining('put secret.key into')])
    const refused = await runTollgate([], { DATA_DIR: at('after-kill'), PORT: '0' })
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('secret.key is missing')])
    writeFileSync(at('after-kill/secret.key'), readFileSync(join(gateway.dataDir, 'secret.key')))
    const other = await startTollgate({
      dataDir: at('after-kill'),
      env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' },
    })
    try {
      const charged = await chargedCalls(await logIn(other.url, rootAccount))
      expect(load.served.filter((id) => charged.get(id)?.length !== 1)).toEqual([])
    } finally {
      await other.kill()
    }
    await gateway.start()
  })

  it('leaves nothing that passes for one when it is killed', async () => {
    const load = loadCalls(gateway.url, key, 4)
    try {
      for (const ms of [150, 250, 350, 450]) {
        const child = Bun.spawn(programCommand(['backup', at('cut.tar'), '--force']), {
          env: { PATH: process.env['PATH'] ?? '', DATA_DIR: gateway.dataDir },
          stdout: 'ignore',
          stderr: 'ignore',
        })
        await Bun.sleep(ms)
        child.kill('SIGKILL')
        await child.exited
        if (existsSync(at('cut.tar'))) expect((await gateway.run('audit', at('cut.tar'))).code).toBe(0)
      }
      const made = await gateway.run('backup', at('cut.tar'), '--force')
      expect([made.code, made.output]).toEqual([0, expect.any(String)])
      expect(existsSync(at('cut.tar.partial'))).toBe(false)
    } finally {
      await load.end()
    }
    expect(load.failures).toEqual([])
  })
})

/** Kind and mode of everything in a folder, as it is now. */
function modesIn(directory: string): string[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory, { recursive: true }).flatMap((name) => {
    const stat = statSync(join(directory, String(name)), { throwIfNoEntry: false })
    return stat === undefined ? [] : `${stat.isDirectory() ? 'd' : 'f'}${(stat.mode & 0o777).toString(8)}`
  })
}

describe('files of backups', () => {
  it('are open to their owner alone, with the folder that is made for them, whatever the mask is', async () => {
    const former = process.umask(0o022)
    try {
      const making = gateway.run('backup', at('made/closed.tar'), '--with-secret')
      const seen = new Set<string>()
      const look = () => {
        for (const mode of modesIn(at('made'))) seen.add(mode)
      }
      const watching = setInterval(look, 2)
      expect((await making).code).toBe(0)
      clearInterval(watching)
      look()
      expect(statSync(at('made')).mode & 0o777).toBe(0o700)
      expect([...seen].toSorted()).toEqual(expect.arrayContaining(['d700', 'f600']))
      expect([...seen].filter((one) => one !== 'd700' && one !== 'f600')).toEqual([])
    } finally {
      process.umask(former)
    }
  })

  it('are made by one of several that write to one name; the others say why in one line', async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => gateway.run('backup', at('twice.tar'))))
    const done = made.filter(({ code }) => code === 0)
    expect(done).toHaveLength(1)
    for (const { output } of made.filter(({ code }) => code !== 0))
      expect(output).toMatch(/^tollgate: (Another backup|\S+ is there already)[^\n]*\n$/)
    expect((await gateway.run('audit', at('twice.tar'))).code).toBe(0)
    expect(existsSync(at('twice.tar.partial'))).toBe(false)
  })
})

describe('a restore', () => {
  const refusal = async (name: string, file: string) => {
    const { code, output } = await restoreInto(name, file)
    expect(code).toBe(1)
    expect(output.trim().split('\n')).toHaveLength(1)
    expect(existsSync(at(`${name}/tollgate.db`))).toBe(false)
    return output
  }

  it('refuses in one line what is cut, damaged, or no backup, and touches nothing', async () => {
    const whole = readFileSync(at('one.tar'))
    writeFileSync(at('short.tar'), whole.subarray(0, whole.length >> 1))
    expect(await refusal('empty', at('short.tar'))).toContain('cut')
    const damaged = Buffer.from(whole)
    const page = whole.length >> 1
    damaged.fill(0xff, page, page + 64)
    writeFileSync(at('damaged.tar'), damaged)
    expect(await refusal('empty', at('damaged.tar'))).toContain('damaged')
    writeFileSync(at('text.tar'), 'no backup at all'.repeat(1000))
    expect(await refusal('empty', at('text.tar'))).toContain('is not a backup')
    expect(await refusal('empty', at('missing.tar'))).toContain('There is no file')
  })

  it('refuses a directory in use, and one that is not empty without --force', async () => {
    const inUse = await gateway.run('restore', at('one.tar'), '--force')
    expect([inUse.code, inUse.output]).toEqual([1, expect.stringContaining('is using')])
    const filled = await restoreInto('elsewhere', at('one.tar'))
    expect([filled.code, filled.output]).toEqual([1, expect.stringContaining('--force')])
    const forced = await restoreInto('elsewhere', at('one.tar'), '--force')
    expect([forced.code, forced.output]).toEqual([0, expect.stringContaining('replaced-')])
    const booked = await runTollgate(['audit'], { DATA_DIR: at('elsewhere') })
    expect([booked.code, booked.output]).toEqual([0, 'Everything adds up.\n'])
  })
})

describe('a database that a cleared log left half empty', () => {
  it('is shrunk when nobody uses it, keeps its owner and its books, and says what came of it', async () => {
    const { dataDir } = gateway
    const file = join(dataDir, 'tollgate.db')
    const busy = await gateway.run('shrink')
    expect([busy.code, busy.output]).toEqual([1, expect.stringContaining('stop it first')])
    await gateway.kill()
    await withDatabase(dataDir, (database) => {
      database.run('create table filler (content blob)')
      for (let row = 0; row < 30; row += 1) database.run('insert into filler values (randomblob(1000000))')
      database.run('drop table filler')
      database.run('pragma wal_checkpoint(truncate)')
    })
    const before = statSync(file)
    expect(before.size).toBeGreaterThan(30_000_000)
    const { code, output } = await gateway.run('shrink')
    const after = statSync(file)
    expect([code, output]).toEqual([0, expect.stringContaining(`had ${(before.size / 1e6).toFixed(1)} MB`)])
    expect(after.size).toBeLessThan(before.size - 29_000_000)
    expect([after.uid, after.mode, after.ino]).toEqual([before.uid, before.mode, before.ino])
    expect((await gateway.run('audit')).code).toBe(0)
    await gateway.start()
    expect((await gateway.run('doctor')).output).toMatch(/^ok\s+database size/m)
  })

  it('is not shrunk where it is a PostgreSQL, or is not there', async () => {
    const there = await runTollgate(['shrink'], { DATA_DIR: at('empty') })
    expect([there.code, there.output]).toEqual([1, expect.stringContaining('There is no database')])
    const server = await runTollgate(['shrink'], { DATA_DIR: at('empty'), DATABASE_URL: 'postgres://a@b/c' })
    expect([server.code, server.output]).toEqual([1, expect.stringContaining('PostgreSQL')])
  })
})
