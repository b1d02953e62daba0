import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { changedTables, contentsOf } from '../../support/console/database-contents.ts'
import { type GatewayData, type GatewayKind, gatewayData } from '../../support/imports/gateways.ts'
import { callWith, expectAccounts, linesOf } from '../../support/imports/imported.ts'
import { killedOnce, takenRows } from '../../support/imports/killed.ts'
import { hasMariaDb, type MariaDb, startMariaDb } from '../../support/imports/mariadb.ts'
import { writeDatabase } from '../../support/imports/schema.ts'
import { logIn, operate } from '../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { type CommandResult, runTollgate, startTollgate, type Tollgate } from '../../support/server.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

let upstream: Upstream
let postgres: Postgres | undefined
let mariadb: MariaDb | undefined
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-import-'))
  upstream = await startUpstream()
  upstream.otherwise(respond({ usage: { promptTokens: 20, completionTokens: 10 } }))
  if (hasPostgres()) postgres = await startPostgres()
  if (hasMariaDb()) mariadb = await startMariaDb()
})
afterAll(async () => {
  await upstream?.stop()
  await postgres?.stop()
  await mariadb?.stop()
  rmSync(folder, { recursive: true, force: true })
})

interface Move {
  readonly from: GatewayKind
  readonly over: string
  readonly to: string
  readonly isHere: boolean
  readonly source: () => Promise<string>
  readonly env: () => Promise<Record<string, string>>
}

const file = (name: string) => join(folder, name)
const intoPostgres = async () => ({ DATABASE_URL: (await postgres?.createDatabase()) ?? '' })

const moves: readonly Move[] = [
  {
    from: 'new-api',
    over: 'SQLite',
    to: 'SQLite',
    isHere: true,
    source: async () => file('new-api.db'),
    env: async () => ({}),
  },
  {
    from: 'one-api',
    over: 'MariaDB',
    to: 'SQLite',
    isHere: hasMariaDb(),
    source: async () => (await mariadb?.createDatabase('oneapi')) ?? '',
    env: async () => ({}),
  },
  {
    from: 'new-api',
    over: 'MariaDB',
    to: 'PostgreSQL',
    isHere: hasMariaDb() && hasPostgres(),
    source: async () => (await mariadb?.createDatabase('newapi')) ?? '',
    env: intoPostgres,
  },
  {
    from: 'one-api',
    over: 'PostgreSQL',
    to: 'PostgreSQL',
    isHere: hasPostgres(),
    source: async () => (await postgres?.createDatabase()) ?? '',
    env: intoPostgres,
  },
]

for (const move of moves)
  describe.skipIf(!move.isHere)(`import of ${move.from} over ${move.over} into ${move.to}`, () => {
    let data: GatewayData
    let source: string
    let gateway: Tollgate
    let env: Record<string, string>
    let reports: readonly CommandResult[]
    const dataDir = () => file(`${move.from}-${move.over}-${move.to}`)
    const isNew = move.from === 'new-api'

    const run = (...more: readonly string[]) =>
      runTollgate(['import', '--from', move.from, source, ...more], { ...env, DATA_DIR: dataDir() })
    const audit = () => runTollgate(['audit'], { ...env, DATA_DIR: dataDir() })

    beforeAll(async () => {
      source = await move.source()
      env = await move.env()
      data = await gatewayData(move.from, upstream.url)
      await writeDatabase(source, data.schema, data.rows)
      const dry = await run()
      const before = await countsOf(dataDir(), env)
      const applied = await run('--apply')
      const after = await tablesOf(dataDir(), env)
      const again = await run('--apply')
      reports = [dry, applied, again]
      expect(reports.map(({ code, output }) => [code, output.includes('DIFFERENT')])).toEqual(
        reports.map(() => [0, false]),
      )
      expect(before).toEqual({ users: 0, tokens: 0, channels: 0, options: 0, imported_rows: 0 })
      expect(await tablesOf(dataDir(), env)).toEqual(after)
      expect(await audit()).toMatchObject({ code: 0 })
      gateway = await startTollgate({ dataDir: dataDir(), env })
    })
    afterAll(() => gateway?.stop())

    it('says first what it then does, and does it once', () => {
      const [dry, applied, again] = reports as [CommandResult, CommandResult, CommandResult]
      expect(dry.output).toContain('Nothing was written: --apply does it.')
      const body = ({ output }: CommandResult) =>
        output
          .split('\n')
          .slice(1)
          .join('\n')
          .replace(/\n\nNothing.*/, '')
      expect(body(dry).trim()).toBe(body(applied).trim())
      const count = data.people.length
      expect(linesOf(applied, 'users')[0]).toBe(
        `users: ${count + (isNew ? 1 : 0)} read, ${count} taken (1 changed), ${isNew ? 1 : 0} left out`,
      )
      expect(linesOf(again, 'users')[0]).toContain(`0 taken, ${count} taken before`)
      expect(linesOf(again, 'keys')[0]).toContain(`0 taken, ${count * 2} taken before`)
    })

    it('names what is changed and left out, and why', () => {
      const [, applied] = reports as [CommandResult, CommandResult]
      expect(linesOf(applied, 'options')).toEqual([
        'options: 6 read, 5 taken, 1 left out',
        'left out 1: there is no such option here (Theme)',
      ])
      expect(linesOf(applied, 'channels')).toEqual([
        `channels: 5 read, 4 taken (${isNew ? 2 : 1} changed), 1 left out`,
        ...(isNew ? ['changed 1: keys that are off there are off here (main)'] : []),
        expect.stringMatching(/^changed 1: model_mapping is not valid here and is left out \(broken: /),
        `left out 1: its type is not known here (coze: ${isNew ? 49 : 'Coze'})`,
        'spent through them: 1,325 there, 1,325 here',
      ])
      expect(linesOf(applied, 'log')).toContain('120 read, 120 taken, 0 left out'.replace(/^/, 'log: '))
      if (!isNew) return
      expect(linesOf(applied, 'keys')).toContain(
        'left out 5: it is deleted there (gone, gone, gone, gone, gone)',
      )
      expect(linesOf(applied, 'orders')).toEqual([
        'orders: 3 read, 2 taken, 1 left out',
        'left out 1: its user is left out (USR9NOgone)',
        'quota of paid orders: 5,000,000',
      ])
    })

    it('lets each person in with their old password, to the same balance', async () => {
      await expectAccounts(gateway.url, data.people)
    })

    it('hashes a password anew at the next log-in', async () => {
      await logIn(gateway.url, data.people[1] ?? { username: '', password: '' })
      const hashes = await query(dataDir(), env, 'select username, password_hash from users order by id')
      const hashOf = (name: string) => hashes.find(({ username }) => username === name)?.['password_hash']
      expect(hashOf('anna')).toMatch(/^\$argon2id\$/)
      expect(hashOf('chloe')).toMatch(/^\$2b\$/)
    })

    it('serves each key at once, with its limits', async () => {
      const [root, anna, , chloe] = data.people
      for (const { keys, username } of data.people)
        for (const key of keys)
          expect([username, await callWith(gateway.url, key)]).toEqual([
            username,
            username === 'chloe' ? 403 : 200,
          ])
      const [plain = '', limited = ''] = anna?.keys ?? []
      expect(await callWith(gateway.url, plain, 'own-model')).toBe(200)
      expect(await callWith(gateway.url, limited, 'own-model')).toBe(403)
      expect(upstream.calls.at(-1)?.model).toBe('gpt-4o-mini')
      expect(root?.keys).toHaveLength(2)
      expect(chloe?.status).toBe(2)
      if (!isNew) return
      const before = upstream.calls.length
      for (let call = 0; call < 6; call += 1) await callWith(gateway.url, plain)
      const keys = upstream.calls.slice(before).map(({ headers }) => headers['authorization'])
      // The second key is switched off there.
      expect(keys).toEqual(Array.from({ length: 6 }, () => 'Bearer sk-up-1'))
    })

    it('has channels, options, codes and figures as they were', async () => {
      const [rootPerson] = data.people
      const root = await logIn(gateway.url, rootPerson ?? { username: '', password: '' })
      const items = await root.api<Record<string, unknown>[]>('GET', '/api/channel/?p=0&page_size=10')
      const byName = new Map(items.map((channel) => [channel['name'], channel]))
      expect(byName.get('main')).toMatchObject({
        type: 1,
        key_count: 2,
        group: 'default,vip',
        weight: 5,
        priority: 10,
        model_mapping: '{"own-model":"gpt-4o-mini"}',
        ...(isNew && { tag: 'openai', param_override: '{"temperature":0}' }),
      })
      expect(byName.get('azure')).toMatchObject({ type: 3, other: '2024-10-21' })
      expect(byName.get('deepseek')).toMatchObject({ type: 43 })
      const options = await root.api<{ key: string; value: string; is_set?: boolean }[]>(
        'GET',
        '/api/option/',
      )
      expect(options).toContainEqual({ key: 'SystemName', value: 'The old one' })
      expect(options).toContainEqual({ key: 'SMTPToken', value: '', is_set: true })
      const anna = await logIn(gateway.url, { username: 'anna', password: 'a password of old' })
      expect(await anna.api<number>('POST', '/api/user/topup', { key: '1'.repeat(32) })).toBe(5000)
      expect(await anna.call('POST', '/api/user/topup', { key: '3'.repeat(32) })).toMatchObject({
        success: false,
      })
      const hours = await query(
        dataDir(),
        env,
        'select sum(count) as calls, sum(quota) as quota from imported_usage',
      )
      expect(hours.map((row) => [Number(row['calls']), Number(row['quota'])])).toEqual([[120, 1320]])
    })

    it('is recorded with where it was taken from, which readers of the audit log know by name', async () => {
      const records = await query(
        dataDir(),
        env,
        `select after from audit_log where action = 'gateway.import'`,
      )
      for (const { after } of records) expect(Object.keys(JSON.parse(String(after)))).toContain('place')
      expect(records).not.toEqual([])
    })

    it('leaves an audit that adds up, after calls and a redeemed code too', async () => {
      expect(await audit()).toMatchObject({ code: 0 })
      await gateway.kill()
      expect(await audit()).toMatchObject({ code: 0 })
    })
  })

describe('import into a gateway that is in use', () => {
  let gateway: Tollgate
  let source: string

  beforeAll(async () => {
    source = file('second.db')
    const data = await gatewayData('new-api', upstream.url)
    await writeDatabase(source, data.schema, data.rows)
    gateway = await startTollgate()
    const root = await operate(gateway.url)
    await root.api('POST', '/api/user/', {
      username: 'anna',
      password: 'somebody-else-1',
      display_name: 'Anna',
    })
    await root.option('SystemName', 'The new one')
    await root.option('GroupRatio', '{"default":2,"gold":1}')
  })
  afterAll(() => gateway?.stop())

  it('refuses in one line while the gateway runs', async () => {
    const refused = await gateway.run('import', '--from', 'new-api', source, '--apply')
    expect(refused.code).toBe(1)
    expect(refused.output).toMatch(/^tollgate: Another Tollgate process is using .*\n$/)
  })

  it('overwrites nobody and nothing, and says what has another name', async () => {
    await gateway.kill()
    const applied = await gateway.run('import', '--from', 'new-api', source, '--apply')
    expect(applied.code).toBe(0)
    const users = linesOf(applied, 'users').join('\n')
    expect(users).toContain('the name is taken here (root is root-2, anna is anna-2)')
    expect(users).toContain('there is a super admin here: an administrator')
    const options = linesOf(applied, 'options').join('\n')
    expect(options).toContain('it is set here (SystemName)')
    expect(options).toContain('GroupRatio: 1 of 2 added')
    await gateway.start()
    await logIn(gateway.url, { username: 'anna', password: 'somebody-else-1' })
    const imported = await logIn(gateway.url, { username: 'anna-2', password: 'a password of old' })
    expect(await imported.quota()).toBe(1_000_007)
    const root = await operate(gateway.url)
    const all = await root.api<{ key: string; value: string }[]>('GET', '/api/option/')
    const stored = (name: string) => all.find(({ key }) => key === name)?.value
    expect(stored('SystemName')).toBe('The new one')
    expect(JSON.parse(stored('GroupRatio') ?? '')).toEqual({ default: 2, gold: 1, vip: 0.8 })
    expect(await gateway.run('audit')).toMatchObject({ code: 0 })
  })

  it('tells another database of the same kind apart, and takes it under a name of its own', async () => {
    await gateway.kill()
    const other = file('third.db')
    const data = await gatewayData('new-api', upstream.url, ['root', 'zoe'], 'other')
    await writeDatabase(other, data.schema, data.rows)
    const refused = await gateway.run('import', '--from', 'new-api', other, '--apply')
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.output).toMatch(
      /^tollgate: This is not the database that was imported as "new-api": .*\n$/,
    )
    const named = await gateway.run('import', '--from', 'new-api', other, '--apply', '--name', 'second')
    expect(linesOf(named, 'users')[0]).toContain('2 taken')
    expect(await gateway.run('audit')).toMatchObject({ code: 0 })
    await gateway.start()
  })
})

describe('an import that is killed', () => {
  it('is continued by the next run, and takes nothing twice', async () => {
    const names = ['root', ...Array.from({ length: 700 }, (_, index) => `user${index}`)]
    const data = await gatewayData('new-api', upstream.url, names)
    const source = file('many.db')
    await writeDatabase(source, data.schema, data.rows)
    const dataDir = file('killed')
    const args = ['import', '--from', 'new-api', source, '--apply']
    const env = { DATA_DIR: dataDir }
    const taken: number[] = []
    for (const min of [100, 400, 900]) {
      await killedOnce(args, env, () => takenRows(dataDir) >= min)
      taken.push(takenRows(dataDir))
      expect(await runTollgate(['audit'], env)).toMatchObject({ code: 0 })
    }
    expect(taken[0]).toBeLessThan(2000)
    const last = await runTollgate(args, env)
    expect(last).toMatchObject({ code: 0 })
    expect(last.output).not.toContain('DIFFERENT')
    const rows = contentsOf(dataDir)
    expect(JSON.parse(rows.get('users') ?? '')).toHaveLength(names.length)
    expect(JSON.parse(rows.get('tokens') ?? '')).toHaveLength(names.length * 2)
    const [sums] = await query(
      dataDir,
      {},
      'select sum(quota) as quota, sum(used_quota) as used from user_accounts',
    )
    const total = (field: 'quota' | 'usedQuota') =>
      data.people.reduce((sum, person) => sum + person[field], 0)
    expect(sums).toEqual({ quota: total('quota'), used: total('usedQuota') })
    expect(await runTollgate(['audit'], env)).toMatchObject({ code: 0 })
    const before = contentsOf(dataDir)
    await runTollgate(args, env)
    expect(changedTables(before, contentsOf(dataDir))).toEqual([])
  })
})

describe('what cannot be imported', () => {
  const into = () => ({ DATA_DIR: file('refused') })
  const refusal = async (...args: readonly string[]) => {
    const { code, output } = await runTollgate(['import', ...args], into())
    expect(code).toBe(1)
    expect(output.trimEnd().split('\n')).toHaveLength(1)
    return output
  }

  it('is refused in one line, and leaves nothing', async () => {
    const text = file('text.db')
    writeFileSync(text, 'no database at all, however often it is read '.repeat(50))
    const other = file('other.db')
    await writeDatabase(other, { notes: { id: 'id' } }, {})
    expect(await refusal('--from', 'new-api', file('missing.db'))).toContain('There is no file ')
    expect(await refusal('--from', 'new-api', text)).toContain('the file is not a SQLite database')
    expect(await refusal('--from', 'one-api', other)).toContain(
      'is no database of one-api: it has no table "users"',
    )
    expect(await refusal('--from', 'two-api', other)).toContain('--from is one of one-api, new-api, litellm')
    expect(await refusal('--from', 'new-api', 'mysql://a:secret@127.0.0.1:1/x')).toMatch(
      /^tollgate: The database at 127\.0\.0\.1:1\/x cannot be read: no server responds there\.\n$/,
    )
    expect(existsSync(join(file('refused'), 'tollgate.db'))).toBe(false)
  })

  it.skipIf(!hasMariaDb())('names a wrong password without it', async () => {
    const address = new URL((await mariadb?.createDatabase('locked')) ?? '')
    address.password = 'guessed'
    const output = await refusal('--from', 'new-api', address.href)
    expect(output).toContain('the server refuses the user name or password')
    expect(output).not.toContain('guessed')
  })

  it('is a source whose dollar has other units than here', async () => {
    const dataDir = mkdtempSync(file('units-'))
    const data = await gatewayData('new-api', upstream.url)
    const source = file('units.db')
    const options = [{ key: 'QuotaPerUnit', value: '1000000' }]
    await writeDatabase(source, data.schema, { ...data.rows, options })
    const args = ['import', '--from', 'new-api', source, '--apply']
    const gateway = await startTollgate({ dataDir })
    await operate(gateway.url)
    await gateway.kill()
    const refused = await runTollgate(args, { DATA_DIR: dataDir })
    expect(refused).toEqual({
      code: 1,
      output:
        'tollgate: A dollar has 1000000 units of quota there and 500000 here: set QuotaPerUnit alike first.\n',
    })
    expect(takenRows(dataDir)).toBe(0)
  })
})

type Row = Record<string, unknown>

async function query(dataDir: string, env: Record<string, string>, statement: string): Promise<Row[]> {
  const url = env['DATABASE_URL']
  if (url === undefined) {
    using database = new Database(join(dataDir, 'tollgate.db'), { readonly: true })
    return database.query(statement).all() as Row[]
  }
  await using sql = new SQL(url, { max: 1 })
  return [...(await sql.unsafe(statement))] as Row[]
}

async function countsOf(dataDir: string, env: Record<string, string>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of ['users', 'tokens', 'channels', 'options', 'imported_rows'])
    counts[table] = Number((await query(dataDir, env, `select count(*) as n from ${table}`))[0]?.['n'])
  return counts
}

const imported = [
  'users',
  'user_accounts',
  'tokens',
  'token_accounts',
  'channels',
  'channel_accounts',
  'options',
  'redemptions',
  'top_up_orders',
  'ledger_entries',
  'ledger_charges',
  'unlogged_charges',
  'usage_hourly',
  'usage_by_model',
  'imported_usage',
  'imported_rows',
]

/** Everything that an import writes. */
async function tablesOf(dataDir: string, env: Record<string, string>): Promise<Record<string, string>> {
  const contents: Record<string, string> = {}
  for (const table of imported)
    contents[table] = JSON.stringify(
      await query(dataDir, env, `select * from ${table} order by 1, 2`),
      (_, value) => (typeof value === 'bigint' ? String(value) : value),
    )
  return contents
}
