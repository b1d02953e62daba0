import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { operate } from '../../support/operator.ts'
import { openBeside } from '../../support/processes/open-beside.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(120_000))

// (20 + 10 × 4) × 1.25
const chargePerCall = 75
const calls = 40

/*
 * A gateway is killed while a lock keeps its database from taking settled calls: everything is in the journal. Each test
 * damages a copy of it and starts again.
 */
let upstream: Upstream
let gateway: Tollgate
let before: string

const journalAt = (...names: readonly string[]) => join(gateway.dataDir, 'journal', ...names)
const segments = () => readdirSync(journalAt()).filter((name) => name.endsWith('.journal'))
const aside = () => readdirSync(journalAt()).filter((name) => name.includes('.journal.'))

/** The segment with the entries, and where each of them begins. */
function begun(): { readonly file: string; readonly bytes: Buffer; readonly entries: readonly number[] } {
  for (const name of segments()) {
    const bytes = readFileSync(journalAt(name))
    const entries: number[] = []
    for (let at = bytes.indexOf('gpt-4o'); at >= 0; at = bytes.indexOf('gpt-4o', at + 1))
      if (bytes.subarray(at, at + 10).includes('","')) entries.push(at)
    if (entries.length >= calls) return { file: journalAt(name), bytes, entries }
  }
  throw new Error('no segment has the calls')
}

function spent(): { readonly quota: number; readonly rows: number } {
  using database = new Database(join(gateway.dataDir, 'tollgate.db'), { readonly: true })
  const one = (sql: string) => Number(Object.values(database.query(sql).get() as object)[0])
  return { quota: one('select used_quota from channel_accounts'), rows: one('select count(*) from logs') }
}

beforeAll(async () => {
  upstream = await startUpstream()
  upstream.otherwise(respond({ usage: { promptTokens: 20, completionTokens: 10 } }))
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  const operator = await operate(gateway.url)
  await operator.addChannel({ name: 'only', base_url: upstream.url, models: 'gpt-4o' })
  const { key } = await operator.addKey()
  await Bun.sleep(1500)
  {
    using database = openBeside(gateway.dataDir)
    database.run('begin immediate')
    for (let call = 0; call < calls; call += 1) {
      const response = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }),
      })
      expect(response.status).toBe(200)
      await response.text()
    }
    // Long enough for what was written to be synced: less of it is damage then, and not torn.
    await Bun.sleep(1500)
    await gateway.kill('SIGKILL')
    database.run('rollback')
  }
  before = mkdtempSync(join(tmpdir(), 'tollgate-before-'))
  cpSync(gateway.dataDir, before, { recursive: true })
})
afterAll(async () => {
  await gateway?.stop()
  await upstream?.stop()
  rmSync(before, { recursive: true, force: true })
})
beforeEach(async () => {
  await gateway.kill('SIGKILL')
  for (const name of readdirSync(gateway.dataDir))
    rmSync(join(gateway.dataDir, name), { recursive: true, force: true })
  cpSync(before, gateway.dataDir, { recursive: true })
})

/** Starts, stops in good order, and says what was charged; the books add up whatever was lost. */
async function startAndStop(): Promise<number> {
  await gateway.start()
  expect(await gateway.kill()).toBe(0)
  const audit = await gateway.run('audit')
  expect([audit.code, audit.output]).toEqual([0, 'Everything adds up.\n'])
  const { quota } = spent()
  expect(quota % chargePerCall).toBe(0)
  return quota / chargePerCall
}

const doctor = async () =>
  (await gateway.run('doctor')).output.split('\n').filter((line) => line.includes(' journal:'))

describe('the journal of a killed gateway', () => {
  it('is charged whole when nothing happened to it', async () => {
    expect(await startAndStop()).toBe(calls)
    expect(await doctor()).toEqual(['ok    journal: nothing was found damaged or lost'])
  })

  it('charges nothing twice without the file that names its node, nor with all small files gone', async () => {
    await startAndStop()
    for (const name of ['node', 'database', 'synced']) {
      rmSync(journalAt(name), { force: true })
      expect(await startAndStop()).toBe(calls)
    }
    for (const name of ['node', 'database', 'synced']) rmSync(journalAt(name), { force: true })
    expect(await startAndStop()).toBe(calls)
  })

  it('loses the one call whose byte was flipped, says so, and charges it when the whole file is back', async () => {
    const { file, bytes, entries } = begun()
    const damaged = Buffer.from(bytes)
    const at = entries[10] ?? 0
    damaged.writeUInt8(damaged.readUInt8(at) ^ 4, at)
    writeFileSync(file, damaged)
    const audit = await gateway.run('audit')
    expect([audit.code, audit.output]).toEqual([1, expect.stringContaining('expected 0, found 1')])
    expect(await startAndStop()).toBe(calls - 1)
    expect(gateway.logs()).toContain('journal: a file is damaged or gone')
    const [name = ''] = aside()
    expect(name).toMatch(/^\d{4}\.journal\.damaged-1$/)
    expect(statSync(journalAt(name)).mode & 0o777).toBe(0o600)
    expect(readFileSync(journalAt(name)).equals(damaged)).toBe(true)
    expect(await doctor()).toEqual([
      expect.stringMatching(/^fail {2}journal: 1 settled calls are lost/),
      expect.stringContaining(name),
    ])
    writeFileSync(journalAt('9999.journal'), bytes)
    expect(await startAndStop()).toBe(calls)
  })

  it('counts what a cut has taken', async () => {
    const { file, entries } = begun()
    truncateSync(file, entries[20] ?? 0)
    expect(await startAndStop()).toBe(20)
    expect((await doctor())[0]).toMatch(/^fail {2}journal: 20 settled calls are lost|^fail {2}journal: 20 to/)
  })

  it('counts what went with a file that is gone', async () => {
    rmSync(begun().file)
    expect(await startAndStop()).toBe(0)
    expect((await doctor()).join('\n')).toContain(`${calls} settled calls are lost`)
  })

  it('charges a file once that is there twice', async () => {
    const { file } = begun()
    copyFileSync(file, journalAt('7777.journal'))
    expect(await startAndStop()).toBe(calls)
    copyFileSync(join(before, 'journal', file.slice(file.lastIndexOf('/') + 1)), journalAt('8888.journal'))
    expect(await startAndStop()).toBe(calls)
  })

  it('keeps a segment of another gateway aside, and says so', async () => {
    const other = await startTollgate()
    await other.kill()
    const stranger = readdirSync(join(other.dataDir, 'journal'))
      .filter((name) => name.endsWith('.journal'))
      .find((name) => readFileSync(join(other.dataDir, 'journal', name)).includes('TGJRNL'))
    copyFileSync(join(other.dataDir, 'journal', stranger ?? ''), journalAt('5555.journal'))
    await other.stop()
    expect(await startAndStop()).toBe(calls)
    expect(existsSync(journalAt('5555.journal.foreign-database-1'))).toBe(true)
    expect(gateway.logs()).toContain('a segment of another database')
  })
})
