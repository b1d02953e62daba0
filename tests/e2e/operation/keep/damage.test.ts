import type { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import {
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deadline } from '../../../../scripts/deadline/deadline.mjs'
import { chargedCalls } from '../../../support/fleet.ts'
import { loadCalls, pacedMs } from '../../../support/load.ts'
import { logIn, type Operator, operate, rootAccount } from '../../../support/operator.ts'
import { openBeside } from '../../../support/processes/open-beside.ts'
import { runTollgate, startTollgate, type Tollgate } from '../../../support/server.ts'
import { until } from '../../../support/until.ts'
import { respond } from '../../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(90_000))

const pageSize = 4096
const env = { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' }

let folder: string
let upstream: Upstream
let gateway: Tollgate
let operator: Operator
let key: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-damage-'))
  upstream = await startUpstream()
  upstream.otherwise(respond({ delayMs: pacedMs, usage: { promptTokens: 20, completionTokens: 10 } }))
  gateway = await startTollgate({ env })
  operator = await operate(gateway.url)
  await operator.addChannel({ name: 'only', base_url: upstream.url, models: 'gpt-4o' })
  key = (await operator.addKey()).key
  await operator.api('POST', '/api/redemption/', { name: 'gift', count: 2, quota: 500 })
})
afterAll(async () => {
  await gateway?.stop()
  await upstream?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const at = (name: string) => join(folder, name)

/** A copy of the data folder, for a command that changes it. */
function copied(name: string): string {
  cpSync(gateway.dataDir, at(name), { recursive: true })
  return at(name)
}

/**
 * Overwrites the first pages of some tables in the file, and makes the gateway look at the file anew. It writes nothing meanwhile, because a page
 * that it wrote to the log beside the file would hide the damaged one.
 */
function damage(...tables: readonly string[]): void {
  const file = join(gateway.dataDir, 'tollgate.db')
  using database = openBeside(gateway.dataDir)
  beginOverWholeFile(database, `${file}-wal`)
  const roots = tables.map(
    (table) =>
      database
        .query<{ rootpage: number }, [string]>('select rootpage from sqlite_schema where name = ?')
        .get(table)?.rootpage ?? 0,
  )
  const descriptor = openSync(file, 'r+')
  for (const root of roots)
    writeSync(descriptor, Buffer.alloc(pageSize, 0xa5), 0, pageSize, (root - 1) * pageSize)
  closeSync(descriptor)
  // What another process has written is read anew, with every page beside it.
  database.run(
    `insert into options (key, value) values ('Notice', 'damaged') on conflict (key) do update set value = 'damaged'`,
  )
  database.run('commit')
}

/** Begins a transaction that keeps other writers out, with every page in the file and none in the log beside it. */
function beginOverWholeFile(database: Database, logPath: string): void {
  for (let tries = 0; tries < 100; tries += 1) {
    database.run('pragma wal_checkpoint(truncate)')
    database.run('begin immediate')
    if (statSync(logPath).size === 0) return
    database.run('rollback')
  }
  throw new Error('the gateway writes each time before the file is whole')
}

async function served(dataDir: string) {
  const started = await startTollgate({ dataDir, env })
  try {
    return await chargedCalls(await logIn(started.url, rootAccount))
  } finally {
    await started.kill()
  }
}

describe('a file that is damaged while the gateway serves', () => {
  let inBackup: readonly string[]
  let beforeDamage: number
  let delivered: readonly string[]

  it('is seen by readiness, console and doctor, and calls go on', async () => {
    const load = loadCalls(gateway.url, key, 4)
    await until(() => load.served.length > 40 || undefined)
    const made = await gateway.run('backup', at('one.tar'), '--with-secret')
    expect([made.code, made.output]).toEqual([0, expect.any(String)])
    inBackup = [...load.served].slice(0, 40)
    damage('ledger_charges', 'usage_hourly', 'redemptions')
    const ready = await until(async () => {
      const response = await fetch(`${gateway.url}/readyz`)
      const body = (await response.json()) as { readonly problems: readonly string[] }
      return body.problems.some((text) => text.includes('wait in the journal'))
        ? { response, body }
        : undefined
    }, 20_000)
    expect(ready.response.status).toBe(503)
    expect(ready.body).toMatchObject({ ready: false, database: false, admitting: true })
    expect(ready.body.problems[0]).toContain('stop the gateway and run tollgate repair')
    beforeDamage = load.served.length
    await until(() => load.served.length > beforeDamage + 100 || undefined)
    const overview = await operator.api<{ health: { code: string; waiting: number }[] }>(
      'GET',
      '/api/user/self/overview',
    )
    expect(overview.health.map(({ code }) => code)).toEqual(['database-damaged', 'journal-waits'])
    expect(overview.health[0]?.waiting).toBeGreaterThan(50)
    const page = await operator.call('GET', '/api/redemption/?p=1&page_size=10')
    expect(page).toMatchObject({ success: false, code: 'database_damaged' })
    const doctor = await gateway.run('doctor')
    expect(doctor.code).toBe(1)
    expect(doctor.output).toMatch(/^fail {2}database file: .* is damaged .* run tollgate repair$/m)
    expect(doctor.output).toMatch(/^(fail|ok) {2,4}journal lag: .*\d+ settled calls wait in the journal/m)
    await load.end()
    expect(load.failures).toEqual([])
    delivered = [...load.served]
    await gateway.kill('SIGKILL')
  })

  it('is restored with every call that the journal has, each once', async () => {
    const dataDir = copied('restored')
    const refused = await runTollgate(['restore', at('one.tar')], { DATA_DIR: dataDir })
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('--force')])
    const restored = await runTollgate(['restore', at('one.tar'), '--force'], { DATA_DIR: dataDir })
    expect(restored.code).toBe(0)
    const count = Number(
      /(\d+) settled calls \(quota \d+\) of the journal that was there/.exec(restored.output)?.[1],
    )
    expect(count).toBeGreaterThan(100)
    const audit = await runTollgate(['audit'], { DATA_DIR: dataDir })
    expect([audit.code, audit.output]).toEqual([0, 'Everything adds up.\n'])
    const charged = await served(dataDir)
    expect(delivered.filter((id) => charged.get(id)?.length !== 1)).toEqual([])
    const aside = readdirSync(dataDir).find((name) => name.startsWith('replaced-')) ?? ''
    const again = await runTollgate(['recover', '--journal', join(dataDir, aside, 'journal')], {
      DATA_DIR: dataDir,
    })
    expect([again.code, again.output]).toEqual([0, expect.stringContaining('The database has everything')])
  })

  it('refuses a backup of another database while calls would be lost, and says how many stay aside', async () => {
    const dataDir = copied('foreign')
    const other = await startTollgate({ env })
    await operate(other.url)
    expect((await other.run('backup', at('other.tar'), '--with-secret')).code).toBe(0)
    await other.stop()
    const before = readdirSync(dataDir).toSorted()
    const refused = await runTollgate(['restore', at('other.tar'), '--force'], { DATA_DIR: dataDir })
    expect(refused.code).toBe(1)
    expect(refused.output).toMatch(
      /^tollgate: \S+ has \d+ settled calls that would be lost: [^\n]*--leave-calls[^\n]*\n$/,
    )
    expect(readdirSync(dataDir).toSorted()).toEqual(before)
    const left = await runTollgate(['restore', at('other.tar'), '--force', '--leave-calls'], {
      DATA_DIR: dataDir,
    })
    expect([left.code, left.output]).toEqual([
      0,
      expect.stringMatching(
        /\d+ settled calls in \S+replaced-\S+journal were left.*tollgate recover --journal/,
      ),
    ])
    expect(existsSync(join(dataDir, '.restoring'))).toBe(false)
  })

  it('is repaired: what can be saved is counted, the journal is settled behind it, and the books add up', async () => {
    const dataDir = copied('repaired')
    const repaired = await runTollgate(['repair'], { DATA_DIR: dataDir })
    expect([repaired.code, repaired.output]).toEqual([
      0,
      expect.stringMatching(/ledger_charges: 0 rows saved, about 1 lost/),
    ])
    expect(repaired.output).toMatch(/\d+ settled calls \(quota \d+\) of the journal were written/)
    expect(repaired.output).toContain('Everything adds up.')
    const audit = await runTollgate(['audit'], { DATA_DIR: dataDir })
    expect([audit.code, audit.output]).toEqual([0, 'Everything adds up.\n'])
    const charged = await served(dataDir)
    expect(delivered.filter((id) => charged.get(id)?.length !== 1)).toEqual([])
    expect(inBackup.filter((id) => !charged.has(id))).toEqual([])
    const whole = await runTollgate(['repair'], { DATA_DIR: dataDir })
    expect([whole.code, whole.output]).toEqual([0, expect.stringContaining('is whole')])
    const doctor = await runTollgate(['doctor'], { DATA_DIR: dataDir })
    expect(doctor.output).toMatch(/^ok {4}database file: a quick check finds .* whole$/m)
  })

  it('is repaired with rows of the backup in the place of what is lost', async () => {
    const dataDir = copied('repaired-by-backup')
    const repaired = await runTollgate(['repair', '--backup', at('one.tar')], { DATA_DIR: dataDir })
    expect([repaired.code, repaired.output]).toEqual([
      0,
      expect.stringMatching(/redemptions: .* taken from the backup/),
    ])
    const audit = await runTollgate(['audit'], { DATA_DIR: dataDir })
    expect([audit.code, audit.output]).toEqual([0, 'Everything adds up.\n'])
  })
})

describe('a journal that lies aside', () => {
  it('is missed by audit and doctor, and recover settles it into a SQLite file, once', async () => {
    const other = await startTollgate({ env })
    try {
      const root = await operate(other.url)
      await root.addChannel({ name: 'only', base_url: upstream.url, models: 'gpt-4o' })
      const load = loadCalls(other.url, (await root.addKey()).key, 4)
      await until(() => load.served.length > 30 || undefined)
      const busy = await other.run('recover', '--journal', join(other.dataDir, 'journal'))
      expect([busy.code, busy.output]).toEqual([
        1,
        expect.stringMatching(/^tollgate: [^\n]*is using[^\n]*\n$/),
      ])
      // Nothing is flushed while another process writes.
      const writer = openBeside(other.dataDir)
      writer.run('begin immediate')
      const before = load.served.length
      await until(() => load.served.length > before + 30 || undefined)
      await other.kill('SIGKILL')
      writer.close()
      await load.end()
      const aside = join(other.dataDir, 'put-aside')
      renameSync(join(other.dataDir, 'journal'), aside)
      const missed = await other.run('audit')
      expect([missed.code, missed.output]).toEqual([
        1,
        expect.stringContaining(`tollgate recover --journal ${aside}`),
      ])
      expect((await other.run('doctor')).output).toMatch(/^fail {2}journal aside: \d+ settled calls wait/m)
      const recovered = await other.run('recover', '--journal', aside)
      expect([recovered.code, recovered.output]).toEqual([
        0,
        expect.stringMatching(/^\d+ settled calls \(quota \d+\)/),
      ])
      expect((await other.run('recover', '--journal', aside)).output).toContain('The database has everything')
      expect((await other.run('audit')).code).toBe(0)
      await other.start()
      const charged = await chargedCalls(await logIn(other.url, rootAccount))
      expect(load.served.filter((id) => charged.get(id)?.length !== 1)).toEqual([])
    } finally {
      await other.stop()
    }
  })
})
