import { Database } from 'bun:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import {
  closeSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deadline } from '../../../../../../scripts/deadline/deadline.mjs'
import { flushOf, newChannel, newToken, newUser, settlement } from '../../contract/samples.ts'
import { takeOverAll } from '../../log/contract/log-samples.ts'
import { integrityFault } from '../copy-database.ts'
import { openStore } from '../open/open-store.ts'
import { rebuild } from './rebuild.ts'
import { repairFile } from './repair-file.ts'

setDefaultTimeout(deadline(20_000))

const logger = { warn: () => undefined }
const pageSize = 4096
const users = 40
const calls = 6000
const now = 1_750_100_000
/** Made anew by the gateway when the log is not whole. */
const indexTables = ['log_terms', 'log_blocks', 'log_block_parts', 'log_spans', 'log_span_parts']

let root: string
let file: string

/** A filled database, which each test gets a copy of. */
let filled: string

beforeAll(async () => {
  filled = openRoot()
  await fill()
})
afterAll(() => rmSync(filled, { recursive: true, force: true }))
beforeEach(() => {
  cpSync(filled, openRoot(), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function openRoot(): string {
  root = mkdtempSync(join(tmpdir(), 'tollgate-repair-'))
  file = join(root, 'tollgate.db')
  return root
}

/** Users with money, keys and calls; one text stands on pages of its own, and some rows only in the write-ahead log. */
async function fill(hasOpenQuarters = false): Promise<void> {
  const store = await openStore({ dataDir: root, logger, logBlockRows: 1000 })
  const { id: channelId } = await store.channels.create(newChannel({ models: ['a'.repeat(30_000)] }))
  for (let user = 1; user <= users; user += 1) {
    const { id: userId } = await store.users.create(newUser())
    const { id: tokenId } = await store.tokens.create(newToken(userId))
    await store.ledger.credit({
      accountKind: 'user',
      accountId: userId,
      cause: 'admin-change',
      amount: 6_000_000_000 + userId,
      createdAt: 1,
      actorId: 1,
      note: 'gift',
    })
    const paid = Array.from({ length: calls / users }, (_, index) =>
      settlement((user - 1) * (calls / users) + index + 1, {
        userId,
        tokenId,
        channelId,
        createdAt: now - 90_000 + user * 600,
        quota: 7,
      }),
    )
    await store.ledger.flush(flushOf('n', (user - 1) * (calls / users), paid))
  }
  if (!hasOpenQuarters) await takeOverAll(store)
  await store.close()
}

function rowsOf(path: string, table: string): unknown[] {
  using database = new Database(path, { readonly: true })
  const [first] = database.query<object, []>(`select * from "${table}" limit 1`).all()
  const columns = Object.keys(first ?? {}).map((_, index) => index + 1)
  return first === undefined
    ? []
    : database.query(`select * from "${table}" order by ${columns.join(', ')}`).all()
}

function tablesOf(path: string): string[] {
  using database = new Database(path, { readonly: true })
  const named = database.query<{ name: string }, []>(
    `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%'`,
  )
  return named.all().map(({ name }) => name)
}

function rootOf(table: string): number {
  using database = new Database(file, { readonly: true })
  return (
    database
      .query<{ rootpage: number }, [string]>('select rootpage from sqlite_schema where name = ?')
      .get(table)?.rootpage ?? 0
  )
}

function overwrite(pages: Iterable<number>): void {
  const descriptor = openSync(file, 'r+')
  for (const page of pages)
    writeSync(descriptor, Buffer.alloc(pageSize, 0xa5), 0, pageSize, (page - 1) * pageSize)
  closeSync(descriptor)
}

let made = 0
async function repaired(older?: string) {
  made += 1
  const dataDir = join(root, `made-${made}`)
  await (await openStore({ dataDir, logger })).close()
  const into = join(dataDir, 'tollgate.db')
  const report = repairFile({ file, into, older, now })
  expect(integrityFault(into)).toBeUndefined()
  const store = await openStore({ dataDir, logger })
  try {
    return { ...report, into, differences: await store.audit.findings() }
  } finally {
    await store.close()
  }
}

/** A generator of numbers that a seed repeats. */
function* randomFrom(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 32
  }
}

describe('rebuild', () => {
  it('works out lost sums of an hour beside those of its quarters that are there', async () => {
    rmSync(root, { recursive: true, force: true })
    mkdirSync(root)
    await fill(true)
    using database = new Database(file, { readwrite: true })
    const sumsOf = (table: string, sum: string) =>
      database
        .query(`select hour - hour % 3600 as start, sum(${sum}) as sum from ${table} group by 1 order by 1`)
        .all()
    const before = [sumsOf('usage_hourly', 'quota'), sumsOf('ledger_charges', 'amount')]
    for (const table of ['usage_hourly', 'ledger_charges', 'open_quarters'])
      database.run(`delete from ${table} where ${table === 'open_quarters' ? '1 = 1' : 'hour % 3600 = 0'}`)
    rebuild(database, { damaged: new Set(['usage_hourly', 'ledger_charges', 'open_quarters']), now })
    expect([sumsOf('usage_hourly', 'quota'), sumsOf('ledger_charges', 'amount')]).toEqual(before)
    const [open] = database.query<{ n: number }, []>('select count(*) as n from open_quarters').all()
    const [later] = database
      .query<{ n: number }, []>('select count(distinct hour) as n from usage_hourly where hour % 3600 <> 0')
      .all()
    expect(open).toEqual(later)
    expect(open?.n).toBeGreaterThan(0)
  })
})

describe('repairFile', () => {
  it('takes every row of a whole file over, to the byte', async () => {
    const { into, tables, differences } = await repaired()
    for (const table of tablesOf(file))
      expect([table, rowsOf(into, table)]).toEqual([table, rowsOf(file, table)])
    expect([...tables.values()].filter(({ damagedPages }) => damagedPages > 0)).toEqual([])
    expect(differences).toEqual([])
  })

  it('reads what stands in the write-ahead log alone, up to its last commit', async () => {
    const writer = new Database(file)
    writer.run('pragma wal_autocheckpoint = 0')
    writer.run(`update users set display_name = 'from the log'`)
    copyFileSync(`${file}-wal`, join(root, 'kept-wal'))
    copyFileSync(file, join(root, 'kept'))
    writer.close()
    copyFileSync(join(root, 'kept'), file)
    copyFileSync(join(root, 'kept-wal'), `${file}-wal`)
    const { into } = await repaired()
    const names = rowsOf(into, 'users').map((row) => (row as { display_name: string }).display_name)
    expect(new Set(names)).toEqual(new Set(['from the log']))
  })

  it('works sums, indexes and balances out again when their pages are gone', async () => {
    overwrite(
      ['ledger_charges', 'usage_by_model', 'user_accounts', 'log_blocks', 'users_by_aff_code'].map(rootOf),
    )
    const { into, tables, differences, rebuilt } = await repaired()
    expect(differences).toEqual([])
    expect(rowsOf(into, 'user_accounts')).toEqual(
      Array.from({ length: users }, (_, index) =>
        expect.objectContaining({
          id: index + 1,
          quota: 6_000_000_001 + index - (7 * calls) / users,
          used_quota: (7 * calls) / users,
          request_count: calls / users,
        }),
      ),
    )
    expect(tables.get('user_accounts')).toMatchObject({ saved: 0, damagedPages: 1 })
    expect(rebuilt.join(' ')).toContain('Lost balances')
  })

  it('finds the rows below a broken page again', async () => {
    const saved = rowsOf(file, 'logs')
    overwrite([rootOf('logs')])
    const { into } = await repaired()
    expect(rowsOf(into, 'logs')).toEqual(saved)
  })

  it('takes lost rows from an older database', async () => {
    const older = join(root, 'older.db')
    copyFileSync(file, older)
    overwrite([rootOf('tokens'), rootOf('users')])
    const without = await repaired()
    expect(without.tables.get('users')).toMatchObject({ saved: 0 })
    const { into, fromOlder, differences } = await repaired(older)
    for (const table of ['users', 'tokens', 'user_accounts'])
      expect([table, rowsOf(into, table)]).toEqual([table, rowsOf(older, table)])
    expect(fromOlder.get('users')).toBe(users)
    expect(differences).toEqual([])
  })

  it('takes nothing from a database of another installation', async () => {
    const dataDir = join(root, 'another')
    await (await openStore({ dataDir, logger })).close()
    overwrite([rootOf('users')])
    const refused = await repaired(join(dataDir, 'tollgate.db')).then(
      () => 'made',
      (error: Error) => error.message,
    )
    expect(refused).toContain('of another database')
  })

  it('makes a whole database with nothing but rows that were there, whatever sixty pages are gone', async () => {
    const tables = tablesOf(file).filter((table) => !indexTables.includes(table))
    const before = new Map(
      tables.map((table) => [table, new Set(rowsOf(file, table).map((row) => JSON.stringify(row)))]),
    )
    const whole = join(root, 'whole')
    copyFileSync(file, whole)
    const pages = statSync(file).size / pageSize
    for (let seed = 1; seed <= 8; seed += 1) {
      copyFileSync(whole, file)
      const random = randomFrom(seed)
      overwrite(Array.from({ length: 60 }, () => 2 + Math.floor(random.next().value * (pages - 2))))
      const { into, tables: found } = await repaired()
      let saved = 0
      for (const [table, rows] of before) {
        const isWhole = (name: string) => found.get(name)?.damagedPages === 0
        // Quarters by model are summed up from those by user again, which may be lost.
        if (!isWhole(table) || (table === 'usage_by_model_quarters' && !isWhole('usage_quarters'))) continue
        const now = rowsOf(into, table).map((row) => JSON.stringify(row))
        // Sums of what is lost are entered beside saved rows of the books.
        expect([seed, table, now.length]).toEqual([seed, table, Math.max(now.length, rows.size)])
        saved += now.length
      }
      expect([seed, saved > 0]).toEqual([seed, true])
      const logs = rowsOf(into, 'logs').map((row) => JSON.stringify(row))
      expect([seed, logs.filter((row) => !before.get('logs')?.has(row))]).toEqual([seed, []])
      expect(logs.length).toBeGreaterThan(calls / 2)
    }
  })

  it('refuses in one line what is of another version, and what is no database', async () => {
    const database = new Database(file)
    database.run(`insert into kysely_migration (name, timestamp) values ('9999-later', 'now')`)
    database.close()
    const refusal = async () =>
      await repaired().then(
        () => 'made',
        (error: Error) => error.message,
      )
    expect(await refusal()).toContain('9999-later')
    const older = new Database(file)
    older.run(
      `delete from kysely_migration where name in ('9999-later', (select max(name) from kysely_migration where name < '9'))`,
    )
    older.close()
    expect(await refusal()).toMatch(
      /^The file was written by an older version, Tollgate .* run "tollgate repair" of that program/,
    )
    overwrite(Array.from({ length: statSync(file).size / pageSize }, (_, index) => index + 1))
    rmSync(`${file}-wal`, { force: true })
    expect(await refusal()).toContain('restore a backup')
  })
})
