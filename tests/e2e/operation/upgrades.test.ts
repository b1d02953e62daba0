import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { sqliteDialect } from '../../../apps/server/src/store/dialects/sqlite-dialect.ts'
import { programOf } from '../../../apps/server/src/store/engine/upgrade/landed.ts'
import formerSchemas from '../../../apps/server/src/store/engine/upgrade/test-support/former-schemas.json' with {
  type: 'json',
}
import { statementsOf } from '../../../apps/server/src/store/schema/migrate.ts'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { loadCalls, pacedMs } from '../../support/load.ts'
import { logIn, type Operator, rootAccount } from '../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { endsWithParent, programCommand, tollgateProgram } from '../../support/program.ts'
import { runTollgate, startTollgate, type Tollgate } from '../../support/server.ts'
import { startEpayProvider } from '../../support/services/epay-provider.ts'
import { until } from '../../support/until.ts'
import { buildFormerProgram, hasCommit } from '../../support/upgrades/former-program.ts'
import {
  type Belongings,
  chat,
  furnish,
  type Merchant,
  opens,
  pay,
  postgresSchema,
  sqliteSchema,
} from '../../support/upgrades/walk.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(120_000))

/**
 * Programs of the history, each over its own database, then this one over the same. Every schema of the history starts by
 * `store/engine/upgrade/history.test.ts`; here is the last program that reads no stored form of today, with
 * `TOLLGATE_UPGRADES=all` the first program of every schema.
 */
const standard = ['9ab5baa56046']
const chosen = formerSchemas.filter(
  ({ commit }) =>
    hasCommit(commit) && (process.env['TOLLGATE_UPGRADES'] === 'all' || standard.includes(commit)),
)
/** Programs without nodes and shares have the database for themselves: they stop before this one starts. */
const fleetMigrations = ['0002-balance-shares', '0003-fleet']
/** Programs from it on read every form in which this one stores, and run on its database. */
const firstReader = '0010-secret-rotation'

const environment = {
  TOLLGATE_SECRET: 'the secret of every version of this installation',
  GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
  CRITICAL_RATE_LIMIT: '100000',
}
const table = new Map<string, Record<string, string>>()

function note(commit: string, column: string, value: string): void {
  table.set(commit, { ...table.get(commit), [column]: value })
}

/** Writes the observations, a line for each program. */
function tableText(): string {
  const columns = ['SQLite', 'PostgreSQL', 'rolling']
  const rows = [...table].map(([commit, seen]) => [commit, ...columns.map((column) => seen[column] ?? '-')])
  return [['commit', ...columns], ...rows]
    .map((row) => row.map((cell) => cell.padEnd(24)).join(' '))
    .join('\n')
}

let upstream: Upstream
let merchant: Merchant & { readonly provider: { stop(): Promise<void> } }
let postgres: Postgres | undefined

beforeAll(async () => {
  upstream = await startUpstream()
  const account = { pid: '1001', key: 'the key of the merchant' }
  merchant = { ...account, provider: startEpayProvider(account) }
  if (hasPostgres()) postgres = await startPostgres()
})
afterAll(async () => {
  await upstream?.stop()
  await merchant?.provider.stop()
  await postgres?.stop()
  process.stdout.write(`${tableText()}\n`)
})

/** Checks that everything of before works on. */
async function worksOn({ url }: Tollgate, { operator, key, accessToken }: Belongings): Promise<void> {
  expect(await chat(url, key)).toBe('200')
  expect(await opens(url, accessToken, operator)).toBe(true)
  expect(await pay(await logIn(url, rootAccount), merchant, url)).toBe('success')
}

/** Pays again and again while the other version comes up; `end` resolves with the responses to the notices. */
function payOnAndOn(url: string): { end(): Promise<readonly string[]> } {
  let isEnding = false
  const paying = (async () => {
    const operator = await logIn(url, rootAccount)
    const responses: string[] = []
    while (!isEnding) responses.push(await pay(operator, merchant, url))
    return responses
  })()
  return {
    end() {
      isEnding = true
      return paying
    },
  }
}

/**
 * Kills starts of this program at moments spread over its migration, which a fast machine may have behind it by the last one.
 * @returns what they printed
 */
async function killInTheMiddle(env: Readonly<Record<string, string>>, dataDir: string): Promise<string> {
  const printed: string[] = []
  for (const afterMs of [80, 140, 200]) {
    const command = programCommand()
    const variables = {
      PATH: process.env['PATH'] ?? '',
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      ...endsWithParent,
      ...env,
    }
    const started = Bun.spawn(command, { cwd: dataDir, env: variables, stderr: 'ignore' })
    const output = new Response(started.stdout).text()
    await Bun.sleep(afterMs)
    started.kill('SIGKILL')
    printed.push(await output)
  }
  return printed.join('\n')
}

/** Checks what the start of this version that carried the database over says of the former one. */
async function saysWhatItDid(
  logs: string,
  operator: Operator,
  commit: string,
  last: string,
): Promise<string> {
  const line = logs.split('\n').find((text) => text.includes('was carried over'))
  const { msg, copy } = JSON.parse(line ?? '{}') as { msg: string; copy: string }
  for (const part of [commit, last, '0020-upgrades', 'no way back', copy]) expect(msg).toContain(part)
  const { items } = await operator.api<{ items: { action: string; before: string; after: string }[] }>(
    'GET',
    '/api/audit_log/?p=1&page_size=100&action=gateway.upgrade',
  )
  const recorded = items.map(({ before, after }) => JSON.stringify([before, after])).join()
  for (const part of [commit, '0020-upgrades', copy]) expect(recorded).toContain(part)
  return copy
}

/** The first start of a program that is too old for the database: one line, and the exit code 1. */
async function refusesInOneLine(program: string, env: Readonly<Record<string, string>>): Promise<void> {
  const { code, output } = await runTollgate([], { ...environment, PORT: '0', ...env }, tmpdir(), program)
  expect(
    output
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('{')),
  ).toEqual([expect.stringMatching(/written by (another|a newer) version/)])
  expect(code).toBe(1)
}

/** A schema of the history whose migrations landed in another order than that of their numbers. */
const unordered = ['0001-initial', '0004-limit-counts']

it('starts over a folder whose migrations landed in another order, without the history too', async () => {
  const dataDir = folderWith(unordered, { CompletionRatio: '{"gpt-5.9":2,"gpt-4.1":9}' })
  const gateway = await startTollgate({ env: environment, dataDir })
  const { key, operator } = await furnish(gateway, upstream.url, merchant)
  expect(await chat(gateway.url, key)).toBe('200')
  // The programs before charged by the family of the model, whatever was stored.
  expect(gateway.logs()).toContain('gpt-5.9: charged 8, stored 2, charged 2 from now on.')
  const { upgrades } = await operator.api<{ upgrades: { prices: unknown }[] }>(
    'GET',
    '/api/user/self/overview',
  )
  expect(upgrades[0]?.prices).toEqual([{ model: 'gpt-5.9', charged: 8, stored: 2 }])
  for (const part of ['0002-balance-shares', 'no way back']) expect(gateway.logs()).toContain(part)
  await gateway.kill()
  expect((await gateway.run('audit')).output).toContain('adds up')
  rmSync(gateway.dataDir, { recursive: true })
})

/** A data folder with the database of a former program, by the statements of its migrations, and options in it. */
function folderWith(migrations: readonly string[], options: Readonly<Record<string, string>>): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-upgrade-'))
  using database = new Database(join(dataDir, 'tollgate.db'), { create: true })
  database.run('create table kysely_migration (name text not null primary key, timestamp text not null)')
  for (const name of migrations) {
    for (const statement of statementsOf(name, sqliteDialect)) database.run(statement)
    database.run('insert into kysely_migration values (?, ?)', [name, '2026-11-25T00:00:00.000Z'])
  }
  for (const [key, value] of Object.entries(options))
    database.run('insert into options (key, value) values (?, ?)', [key, value])
  return dataDir
}

describe.each(chosen)('the program of $commit', ({ commit, migrations }) => {
  const last = migrations.at(-1) ?? ''
  const isFleet = fleetMigrations.every((name) => migrations.includes(name))
  const readsStoredForms = migrations.includes(firstReader)
  let program: string
  let folder: string

  beforeAll(() => {
    program = buildFormerProgram(commit).program
    folder = mkdtempSync(join(tmpdir(), 'tollgate-upgrade-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** An empty data folder. */
  function newFolder(name: string): string {
    const made = join(folder, name)
    mkdirSync(made)
    return made
  }

  it('leaves a folder over which this one starts, killed in the middle too', async () => {
    const dataDir = newFolder('one')
    const gateway = await startTollgate({ env: environment, dataDir, program })
    const belongings = await furnish(gateway, upstream.url, merchant)
    await gateway.kill()

    const env = { ...environment, DATA_DIR: dataDir }
    const doctor = await runTollgate(['doctor'], env)
    expect(doctor.output).toMatch(/warn +upgrade: .*0020-upgrades.*no way back/)
    const backup = await runTollgate(['backup', join(folder, 'before.tar')], env)
    expect([backup.code, backup.output]).toEqual([0, expect.stringContaining('before.tar has the database')])

    const printed = await killInTheMiddle(environment, dataDir)
    await gateway.start(tollgateProgram)
    await worksOn(gateway, belongings)
    const operator = await logIn(gateway.url, rootAccount)
    const copy = await saysWhatItDid(printed + gateway.logs(), operator, programOf(migrations).commit, last)
    using copied = new Database(copy, { readonly: true })
    expect(copied.query('select username from users').all()).toEqual([{ username: 'root' }])
    copied.close()
    await gateway.kill()
    expect((await gateway.run('audit')).output).toContain('adds up')
    const fresh = await startTollgate({ env: environment, dataDir: newFolder('fresh') })
    await fresh.kill()
    expect(sqliteSchema(dataDir)).toEqual([...sqliteSchema(fresh.dataDir)])
    if (!readsStoredForms) await refusesInOneLine(program, { DATA_DIR: dataDir })

    const restored = newFolder('restored')
    const restore = await runTollgate(['restore', join(folder, 'before.tar')], {
      ...environment,
      DATA_DIR: restored,
    })
    expect([restore.code, restore.output]).toEqual([0, expect.stringContaining('settled calls')])
    note(commit, 'SQLite', 'starts, equal')
  })

  it.skipIf(!hasPostgres())('leaves a PostgreSQL database over which this one starts', async () => {
    const env = { ...environment, DATABASE_URL: (await postgres?.createDatabase()) ?? '' }
    const dataDir = newFolder('postgres')
    const gateway = await startTollgate({ env, dataDir, program })
    const belongings = await furnish(gateway, upstream.url, merchant)
    await gateway.kill()
    await killInTheMiddle(env, dataDir)
    await gateway.start(tollgateProgram)
    await worksOn(gateway, belongings)
    await saysWhatItDid(
      gateway.logs(),
      await logIn(gateway.url, rootAccount),
      programOf(migrations).commit,
      last,
    )
    await gateway.kill()
    expect((await gateway.run('audit')).output).toContain('adds up')
    const url = (await postgres?.createDatabase()) ?? ''
    const fresh = await startTollgate({ env: { ...environment, DATABASE_URL: url } })
    await fresh.stop()
    expect(await postgresSchema(env.DATABASE_URL)).toEqual([...(await postgresSchema(url))])
    if (!readsStoredForms) await refusesInOneLine(program, { ...env, DATA_DIR: dataDir })
    note(commit, 'PostgreSQL', 'starts, equal')
  })

  it.skipIf(!hasPostgres() || !isFleet)('serves on beside this one until it is replaced', async () => {
    const url = (await postgres?.createDatabase()) ?? ''
    // Programs of the first commits with a fleet want to be told that they are one.
    const env = { ...environment, DATABASE_URL: url, TOLLGATE_FLEET: 'on' }
    await using sql = new SQL(env.DATABASE_URL, { max: 1 })
    const former = await startTollgate({ env, dataDir: newFolder('former'), program })
    const belongings = await furnish(former, upstream.url, merchant)
    upstream.otherwise(respond({ delayMs: pacedMs }))
    const calls = loadCalls(former.url, belongings.key, 3)
    const payments = payOnAndOn(former.url)
    const next = await startTollgate({ env, dataDir: newFolder('next'), readyMs: 40_000 })
    expect([...new Set(await payments.end())]).toEqual(['success'])
    const nodes = [former, next] as const
    for (const node of nodes) await worksOn(node, belongings)
    await shareWhatIsMade(former, next, 'gpt-4o-mini')
    await shareWhatIsMade(next, former, 'gpt-4.1-mini')
    await revokeOnBoth(former, next)
    await revokeOnBoth(next, former)
    expect((await firstForms(sql)) > 0).toBe(!readsStoredForms)
    // It may be restarted, and the way back is open until it is gone.
    const late = await startTollgate({ env, program, readyMs: 40_000 })
    expect(await chat(late.url, belongings.key)).toBe('200')
    await late.stop()
    for (const node of nodes) await worksOnWithoutToken(node, belongings)
    await former.kill()
    await calls.end()
    expect(calls.failures.filter((failure) => !isOfTheEnd(failure))).toEqual([])
    expect(calls.served.length).toBeGreaterThan(20)

    await until(async () => ((await oldestProgram(sql)) === '0003-fleet' ? undefined : true), 20_000)
    await until(async () => ((await firstForms(sql)) === 0 ? true : undefined), 20_000)
    await worksOnWithoutToken(next, belongings)
    if (!readsStoredForms) await refusesInOneLine(program, { ...env, DATA_DIR: former.dataDir })
    await next.kill()
    expect((await next.run('audit')).output).toContain('adds up')
    note(commit, 'rolling', `${calls.served.length} calls, none lost`)
  })
})

/** The node is killed under load: its last calls break off. */
function isOfTheEnd(failure: string): boolean {
  return /ECONNREFUSED|Unable to connect|closed|ConnectionReset/i.test(failure)
}

async function worksOnWithoutToken({ url }: Tollgate, { key }: Belongings): Promise<void> {
  expect(await chat(url, key)).toBe('200')
  expect(await pay(await logIn(url, rootAccount), merchant, url)).toBe('success')
}

/** A channel with a sealed key, an API key and a session that one version made hold on the other. */
async function shareWhatIsMade(maker: Tollgate, user: Tollgate, model: string): Promise<void> {
  const operator = await logIn(maker.url, rootAccount)
  await operator.addChannel({ name: model, base_url: upstream.url, models: model })
  const { key } = await operator.addKey({ name: model })
  await until(async () => ((await chat(user.url, key, model)) === '200' ? true : undefined))
  expect((await operator.at(user.url).call('GET', '/api/user/self')).success).toBe(true)
  await operator.option('EpayId', merchant.pid)
  await operator.option('EpayKey', merchant.key)
}

/**
 * Checks what one version makes and the other takes away: an access token, and all that opened an account whose password is new.
 */
async function revokeOnBoth(maker: Tollgate, revoker: Tollgate): Promise<void> {
  const operator = await logIn(maker.url, rootAccount)
  const first = await operator.api<string>('POST', '/api/user/token')
  await until(async () => (await opens(revoker.url, first, operator)) || undefined)
  const second = await operator.at(revoker.url).api<string>('POST', '/api/user/token')
  await until(async () => (await opens(maker.url, second, operator)) || undefined)
  await until(async () => !(await opens(maker.url, first, operator)) || undefined)

  const password = 'another-horse-battery-1'
  const username = `u${crypto.randomUUID().slice(0, 8)}`
  await operator.api('POST', '/api/user/', { username, password, display_name: username })
  const person = await logIn(maker.url, { username, password })
  const token = await person.api<string>('POST', '/api/user/token')
  await until(async () => (await opens(revoker.url, token, person)) || undefined)
  const changed = { password: `${password}2`, original_password: password }
  const self = await logIn(revoker.url, { username, password })
  await self.api('PUT', '/api/user/self', { username, display_name: username, ...changed })
  await until(async () => !(await opens(maker.url, token, person)) || undefined)
  await until(async () => !(await person.call('GET', '/api/user/self')).success || undefined)
}

async function oldestProgram(sql: SQL): Promise<string> {
  const [row] = await sql`select oldest_program as oldest from database_identity`
  return row.oldest
}

/** Keys of channels that are still sealed in the first form. */
async function firstForms(sql: SQL): Promise<number> {
  const [row] = await sql`select count(*)::int as n from channels where keys_sealed not like 'v2.%'`
  return row.n
}
