import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { deadline } from '../../../../../scripts/deadline/deadline.mjs'
import { hasPostgres, type Postgres, startPostgres } from '../../../../../tests/support/postgres.ts'
import { rejection } from '../contract/rejection.ts'
import { newUser } from '../contract/samples.ts'
import { databaseFile } from '../open/database-file.ts'
import { openStore } from '../open/open-store.ts'
import type { Row, Value } from '../program.ts'
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

/** Tables with one row, whose id says so. */
const single = new Set(['setups', 'log_clearing'])
/** Its one row is there from the beginning. */
const given = new Set(['database_identity'])
/** Nodes hold nothing of a copy, and the file has none. */
const empty = new Set(['balance_shares'])

/** Fills every table with rows of all kinds of values, none of which is there twice in a column that must be unique. */
function fill(path: string, tables: readonly TableShape[]): void {
  const database = new Database(path)
  for (const table of tables) {
    if (given.has(table.name) || empty.has(table.name)) continue
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
      return Uint8Array.from({ length: index }, (_, place) => (place * 37 + index) % 256)
    default:
      return `${texts[index % texts.length]}${index}`
  }
}

function bound(value: Value | bigint): Value | bigint {
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value
}
