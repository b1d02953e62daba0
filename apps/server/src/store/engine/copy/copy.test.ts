import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { deadline } from '../../../../../../scripts/deadline/deadline.mjs'
import { hasPostgres, type Postgres, startPostgres } from '../../../../../../tests/support/postgres.ts'
import { rejection } from '../../contract/rejection.ts'
import { newUser } from '../../contract/samples.ts'
import type { Row, Value } from '../../program.ts'
import { databaseFile } from '../open/database-file.ts'
import { openStore } from '../open/open-store.ts'
import { carriedTables, columnListOf, columnsOf, fleetTables, ownTables } from './carried-tables.ts'
import { readCounters, readTables, type TableShape } from './catalogue.ts'
import type { CopySource } from './copy-source.ts'
import { openFileSource } from './file-source.ts'
import { fillFile } from './fill-file.ts'
import { fillServer } from './fill-server.ts'
import { leftOut, openTables } from './open-formats.ts'
import { openServerSource } from './server-source.ts'

setDefaultTimeout(deadline(60_000))

const logger = { warn: (...words: unknown[]) => expect(words).toEqual([]) }
const progress = () => undefined
const rowsEach = 40
/** Times of calls over some months, so that the log has several partitions. */
const start = 1_750_000_000

describe.skipIf(!hasPostgres())('a copy of a database', () => {
  let postgres: Postgres
  let folder: string
  let file: TableShapes
  let server: TableShapes
  let url: string
  type TableShapes = ReadonlyMap<string, TableShape>

  const at = (name: string) => {
    mkdirSync(join(folder, name), { recursive: true })
    return join(folder, name)
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-copy-'))
    postgres = await startPostgres()
    url = await postgres.createDatabase()
    await (await openStore({ dataDir: at('first'), logger })).close()
    await (await openStore({ databaseUrl: url, dataDir: at('none'), logger })).close()
    file = await reading(openFileSource(databaseFile(at('first'))), ({ read }) => read(readTables('sqlite')))
    server = await reading(await openServerSource(url), ({ read }) => read(readTables('postgres')))
  })
  afterAll(async () => {
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('has every table of the schema; those of one side alone are named with the reason', () => {
    const carried = carriedTables(file, server).map(({ name }) => name)
    expect(carried.length).toBeGreaterThan(40)
    expect([...file.keys()].filter((name) => !carried.includes(name) && !(name in ownTables))).toEqual([])
    const ofServer = [...server.keys()].filter((name) => !carried.includes(name))
    expect(ofServer.toSorted()).toEqual([...Object.keys(fleetTables), ...Object.keys(ownTables)].toSorted())
  })

  it('of another schema is refused by the name of what is missing', () => {
    const { logs } = Object.fromEntries(server)
    const without = new Map(server)
    without.delete('logs')
    expect(() => carriedTables(file, without)).toThrow('The table logs is not the same')
    const { cost: _, ...fewer } = logs?.columns ?? {}
    without.set('logs', { name: 'logs', columns: fewer })
    expect(() => carriedTables(file, without)).toThrow('(cost)')
  })

  it('in open formats has every table of the schema, or says why not', () => {
    const known = [
      ...openTables.flatMap(({ table, joined }) => [table, joined ?? table]),
      ...Object.keys(leftOut),
    ]
    const carried = carriedTables(file, server).map(({ name }) => name)
    expect([...new Set(known)].toSorted()).toEqual(carried.toSorted())
  })

  it('has every row of every table to the unit, there and back, and ids go on', async () => {
    fill(databaseFile(at('first')), [...carriedTables(file, server)])
    const expected = await contentOf(openFileSource(databaseFile(at('first'))))
    expect([...expected.tables].filter(([, rows]) => rows.length === 0).map(([name]) => name)).toEqual([
      ...empty,
    ])
    const target = await postgres.createDatabase()
    const source = openFileSource(databaseFile(at('first')))
    const { tables, rows } = await fillServer({
      url: target,
      source,
      progress,
      settle: async () => undefined,
      logger,
    })
    await source.close()
    expect(tables).toBe(expected.tables.size)
    expect(rows).toBe([...expected.tables.values()].reduce((sum, table) => sum + table.length, 0))
    expectSame(await contentOf(await openServerSource(target)), expected)
    expect(await partitionsOf(target)).toBeGreaterThan(3)

    const back = await openServerSource(target)
    await fillFile({ directory: at('back'), source: back, progress, logger })
    await back.close()
    expectSame(await contentOf(openFileSource(databaseFile(at('back')))), expected)

    for (const config of [{ databaseUrl: target, dataDir: at('none') }, { dataDir: at('back') }]) {
      // The rows of the log's index are made up: nothing can be made of them.
      const store = await openStore({ ...config, logger: { warn: () => undefined } })
      const last = expected.counters.find(({ table }) => table === 'users')?.last ?? 0
      expect((await store.users.create(newUser())).id).toBe(last + 1)
      await store.close()
    }
  })

  it('has texts and numbers that databases treat each in its own way as they were, there and back', async () => {
    await (await openStore({ dataDir: at('values'), logger })).close()
    fillOptions(databaseFile(at('values')))
    const stored = await optionsOf(openFileSource(databaseFile(at('values'))))
    expect(stored.length).toBe(optionRows.length)
    const target = await postgres.createDatabase()
    const source = openFileSource(databaseFile(at('values')))
    await fillServer({ url: target, source, progress, settle: async () => undefined, logger })
    await source.close()
    const carried = stored.map(({ key, value }) => ({
      key: String(key).replaceAll('\0', '\ufffd'),
      value: String(value).replaceAll('\0', '\ufffd'),
    }))
    expect(await optionsOf(await openServerSource(target))).toEqual(carried)
    const back = await openServerSource(target)
    await fillFile({ directory: at('values-back'), source: back, progress, logger })
    await back.close()
    expect(await optionsOf(openFileSource(databaseFile(at('values-back'))))).toEqual(carried)
  })

  it('with a row that the server does not take is refused by the name of its table, in one line', async () => {
    await (await openStore({ dataDir: at('refused'), logger })).close()
    const database = new Database(databaseFile(at('refused')))
    // Of no use to a compression, and longer than a page of an index.
    const key = Array.from({ length: 12_000 }, (_, index) => Bun.hash(String(index)).toString(36)[5]).join('')
    database.run('insert into options (key, value) values (?, ?)', [key, ''])
    database.close()
    const target = await postgres.createDatabase()
    const source = openFileSource(databaseFile(at('refused')))
    const refused = await rejection(
      fillServer({ url: target, source, progress, settle: async () => undefined, logger }),
    )
    await source.close()
    expect(String(refused)).toMatch(
      /does not take a row of the table options \(index row .*\): change it at the source/,
    )
    expect(String(refused).split('\n')).toHaveLength(1)
  })

  it('whose integers no program can read is refused by the name of their column', async () => {
    await (await openStore({ dataDir: at('rounded'), logger })).close()
    const database = new Database(databaseFile(at('rounded')))
    database.run('insert into leases (name, holder, expires_ms) values (?, ?, ?)', ['job', 'node', 2n ** 60n])
    database.close()
    const source = openFileSource(databaseFile(at('rounded')))
    const target = await postgres.createDatabase()
    expect(
      String(
        await rejection(fillServer({ url: target, source, progress, settle: async () => undefined, logger })),
      ),
    ).toContain('leases.expires_ms')
    await source.close()
  })

  it('is refused where an installation is, and leaves that as it was', async () => {
    const target = await postgres.createDatabase()
    const store = await openStore({ databaseUrl: target, dataDir: at('none'), logger })
    const user = await store.users.create(newUser())
    await store.close()
    const source = openFileSource(databaseFile(at('first')))
    const refused = await rejection(
      fillServer({ url: target, source, progress, settle: async () => undefined, logger }),
    )
    await source.close()
    expect(String(refused)).toContain('holds an installation already')
    const again = await openStore({ databaseUrl: target, dataDir: at('none'), logger })
    expect(await again.users.find(user.id)).toEqual(user)
    await again.close()
  })

  it('that fails in the middle leaves nothing, and is begun again', async () => {
    const target = await postgres.createDatabase()
    const source = openFileSource(databaseFile(at('first')))
    const settle = async () => {
      throw new Error('the power is gone')
    }
    expect(String(await rejection(fillServer({ url: target, source, progress, settle, logger })))).toContain(
      'the power is gone',
    )
    await using sql = new SQL(target, { max: 1 })
    expect(await sql.unsafe('select count(*)::int as count from users')).toEqual([{ count: 0 }])
    const copied = await fillServer({ url: target, source, progress, settle: async () => undefined, logger })
    expect(copied.rows).toBeGreaterThan(rowsEach)
    await source.close()
  })
})

/** Keys that collations or folding take for the same, and values that are read as something else. */
const optionRows: readonly (readonly [key: string, value: string])[] = [
  ['Case', 'true'],
  ['case', 'false'],
  ['blank', 'NULL'],
  ['blank ', '\\N'],
  ['caf\u00e9', ''],
  ['cafe\u0301', ' '],
  ['\u0130', '0x41'],
  ['i\u0307', '1e400'],
  ['json', '{"n":12345678901234567890,"n":1,"nul":"\\u0000"}'],
  ['nul', 'a\0b'],
  ['nul\0key', '\\x00'],
  ['long', 'ab\t\u{1f642}\n'.repeat(500_000)],
  ['line', '\r\n\\.\r\n'],
  ['time', '0001-01-01 00:00:00'],
  ['marks', '\ufeff\u2028\u202e'],
]

function fillOptions(path: string): void {
  const database = new Database(path)
  database.run('delete from options')
  for (const row of optionRows) database.run('insert into options (key, value) values (?, ?)', [...row])
  // Bytes that are no text, as a foreign program may have written them.
  database.run(`update options set value = cast(x'61ff62c328' as text) where key = 'marks'`)
  database.close()
}

function optionsOf(source: CopySource): Promise<readonly Row[]> {
  return contentOf(source).then(({ tables }) => tables.get('options') ?? [])
}

interface Content {
  readonly tables: ReadonlyMap<string, readonly Row[]>
  readonly counters: readonly { readonly table: string; readonly last: number }[]
}

function expectSame(found: Content, expected: Content): void {
  for (const [name, rows] of expected.tables) expect([name, found.tables.get(name)]).toEqual([name, rows])
  expect(found.counters).toEqual(expected.counters)
}

async function reading<Result>(
  source: CopySource,
  read: (source: CopySource) => Promise<Result>,
): Promise<Result> {
  try {
    return await read(source)
  } finally {
    await source.close()
  }
}

/** Every row of every table, in an order that both databases have. */
function contentOf(source: CopySource): Promise<Content> {
  return reading(source, async ({ kind, read, batches }) => {
    const tables = new Map<string, readonly Row[]>()
    for (const shape of (await read(readTables(kind))).values()) {
      if (shape.name in ownTables || shape.name in fleetTables) continue
      const rows: Row[] = []
      for await (const batch of batches(shape)) rows.push(...batch.map((row) => plain(row, shape)))
      tables.set(shape.name, rows.toSorted(byText))
    }
    const counters = (await read(readCounters(kind))).filter(
      ({ table, last }) => last > 0 && !(table in fleetTables),
    )
    return { tables, counters: counters.toSorted((a, b) => (a.table < b.table ? -1 : 1)) }
  })
}

function plain(row: Row, shape: TableShape): Row {
  return Object.fromEntries(
    columnsOf(shape)
      .toSorted()
      .map((name) => {
        const value = row[name] ?? null
        return [name, value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value]
      }),
  )
}

function byText(a: Row, b: Row): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1
}

async function partitionsOf(url: string): Promise<number> {
  await using sql = new SQL(url, { max: 1 })
  const [row] = await sql.unsafe(
    `select count(distinct tableoid)::int as count from logs where tableoid <> 'logs_default'::regclass`,
  )
  return row.count
}

/** Its one row, whose identity the copy has, is there from the beginning. */
const provided = new Set(['database_identity'])
/** Nodes hold nothing of a copy, and the file has none. */
const empty = new Set(['balance_shares'])

/** Fills every table with rows of all kinds of values, none of which is there twice in a column that must be unique. */
function fill(path: string, tables: readonly TableShape[]): void {
  const database = new Database(path)
  const single = tablesWithOneRow(database)
  for (const table of tables) {
    if (provided.has(table.name) || empty.has(table.name)) continue
    database.run(`delete from "${table.name}"`)
    const nullable = nullableColumns(database, table.name)
    const insert = database.prepare(
      `insert into "${table.name}" (${columnListOf(table)}) values (${columnsOf(table)
        .map(() => '?')
        .join(', ')})`,
    )
    for (let index = 1; index <= (single.has(table.name) ? 1 : rowsEach); index += 1)
      insert.run(...columnsOf(table).map((name) => bound(sampleOf(table, name, index, nullable))))
    insert.finalize()
  }
  // The last rows of a table are gone, and their ids with them.
  for (const table of ['users', 'logs', 'audit_log', 'tasks'])
    database.run(`delete from ${table} where id > ${rowsEach - 3}`)
  database.close()
}

/** Tables whose id may be 1 alone. */
function tablesWithOneRow(database: Database): ReadonlySet<string> {
  const tables = database
    .query<{ name: string; sql: string }, []>(`select name, sql from sqlite_schema where type = 'table'`)
    .all()
  return new Set(tables.filter(({ sql }) => /check \(id = 1\)/i.test(sql)).map(({ name }) => name))
}

function nullableColumns(database: Database, table: string): ReadonlySet<string> {
  const rows = database
    .query<{ name: string }, []>(
      `select name from pragma_table_info('${table}') where "notnull" = 0 and pk = 0`,
    )
    .all()
  return new Set(rows.map(({ name }) => name))
}

const texts = ['', 'Ünïcödé 文字 🙂', 'tab\tand\nlines\r\\N \\.', `{"a":"b\\n'"}`, "quote's", ' blank ']

function sampleOf(
  table: TableShape,
  name: string,
  index: number,
  nullable: ReadonlySet<string>,
): Value | bigint {
  if (nullable.has(name) && index % 3 === 0) return null
  const { name: tableName, columns } = table
  if (tableName === 'logs' && name === 'created_at') return start + index * 3 * 86_400
  switch (columns[name]) {
    case 'integer':
      if (name === 'id') return index
      if (name === 'granted') return 0
      return index % 5 === 0 ? Number.MAX_SAFE_INTEGER - index : index % 7 === 0 ? -index : index * 1_000_003
    case 'real':
      return index / 3
    case 'bytes':
      return Uint8Array.from({ length: index }, (_, position) => (position * 37 + index) % 256)
    default:
      return `${texts[index % texts.length]}${index}`
  }
}

function bound(value: Value | bigint): Value | bigint {
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value
}
