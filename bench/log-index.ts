/**
 * The block index of the usage log against plain indexes, on a log of `fill-log.ts`: time of each page, total and sum, and
 * what the indexes cost. The figures of docs/decisions/2026-11-21-usage-log-index.md are the slowest of 22 filters.
 *
 *   npm run bench:log-index -- [--rows 5000000] [--users 50000]
 */
import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  openSqliteConnection,
  type SqliteConnection,
} from '../apps/server/src/store/engine/connections/sqlite-connection.ts'
import { rowCondition } from '../apps/server/src/store/log/index/filter.ts'
import { type LogFilter, logColumns, type StoredLog } from '../apps/server/src/store/log/index/log-row.ts'
import { readPage, readQuota } from '../apps/server/src/store/log/index/read.ts'
import { type Program, query } from '../apps/server/src/store/program.ts'
import { fillLog } from './fill-log.ts'
import { median } from './processes.ts'

const pageSize = 100
const repetitions = 5
/** A reading as slow as this is measured once. */
const slowMs = 1000

const readings = ['total', 'sum', 'page'] as const
/** Total and page of the blocks are one reading: the index counts while it looks for the page. */
type Reader = Readonly<Record<(typeof readings)[number], (filter: LogFilter) => Program<unknown>>>

const blocks: Reader = {
  total: (filter) => readPage(filter, 1, 1),
  sum: readQuota,
  page: (filter) => readPage(filter, 1, pageSize),
}

const plain: Reader = {
  total: (filter) => select('count(*)', filter),
  sum: (filter) => select('sum(quota)', filter),
  page: (filter) => select(logColumns, filter, `order by id desc limit ${pageSize}`),
}

function select(columns: string, filter: LogFilter, ending = ''): Program<readonly object[]> {
  const { sql, parameters } = rowCondition(filter)
  return query(`select ${columns} from logs where ${sql} ${ending}`, parameters)
}

const filtered = ['user_id', 'token_id', 'channel_id', 'token_name', 'model', '"group"', 'type', 'request_id']

/** The columns of each index; without indexes, the blocks answer. */
const variants: Readonly<Record<string, { reader: Reader; indexes: readonly string[] }>> = {
  blocks: { reader: blocks, indexes: [] },
  composite: { reader: plain, indexes: filtered.map((column) => `${column}, created_at, id`) },
  covering: {
    reader: plain,
    indexes: filtered.map((column) =>
      [column, 'created_at', 'id', ...filtered.filter((other) => other !== column), 'quota'].join(', '),
    ),
  },
}

/** Frequent and rare values alone, pairs, patterns and periods, of a row that the log has. */
function filtersLike(row: StoredLog): readonly LogFilter[] {
  const { user_id: userId, token_id: tokenId, channel_id: channelId, request_id: requestId } = row
  const { model, group, token_name: tokenName, created_at: at } = row
  const [days, week] = [86_400, 7 * 86_400]
  const frequent = { model: 'filled-model-0', group: 'filled-group-0' }
  return [
    {},
    { type: 'consumption' },
    { userId },
    { tokenId },
    { channelId },
    { tokenName },
    { model },
    { group },
    { requestId },
    { model: frequent.model },
    { group: frequent.group },
    { model: 'filled-model-1%' },
    { from: at - week, to: at },
    { ...frequent },
    { ...frequent, channelId },
    { model: frequent.model, userId },
    { model: frequent.model, from: at - 3 * days },
    { group: frequent.group, from: at - week, to: at },
    { channelId, from: at - 3 * days },
    { userId, from: at - week },
    { type: 'consumption', ...frequent, channelId, from: at - week },
    { type: 'top-up' },
  ]
}

function measure(connection: SqliteConnection, program: () => Program<unknown>): number {
  const times: number[] = []
  while (times.length < repetitions && (times.at(-1) ?? 0) < slowMs) {
    const start = performance.now()
    connection.run(program(), 'begin')
    times.push(performance.now() - start)
  }
  return median(times)
}

function slowestOf(file: string, reader: Reader): string[] {
  const connection = openSqliteConnection({ file, readonly: true })
  const [row] = connection.run(
    query<StoredLog>(`select ${logColumns} from logs where id = (select max(id) / 2 from logs)`),
    'begin',
  )
  if (row === undefined) throw new Error('the log is empty')
  const slowest = readings.map((name) => {
    const timed = filtersLike(row).map((filter) => ({
      filter: JSON.stringify(filter),
      ms: measure(connection, () => reader[name](filter)),
    }))
    const { filter, ms } = timed.reduce((a, b) => (b.ms > a.ms ? b : a))
    return `${ms.toFixed(1)} ms ${filter}`
  })
  connection.close()
  return slowest
}

/** Bytes of the file, free pages apart. */
function size(database: Database): number {
  const number = (pragma: string) => Number(database.query(`pragma ${pragma}`).values()[0]?.[0])
  return (number('page_count') - number('freelist_count')) * number('page_size')
}

/** A row of the table: the slowest readings, and what the indexes cost. */
function rowOf(file: string, name: string, { reader, indexes }: (typeof variants)[string]): string {
  const database = new Database(file)
  const before = size(database)
  const start = performance.now()
  for (const [at, columns] of indexes.entries()) database.run(`create index bench_${at} on logs (${columns})`)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const megabytes = ((size(database) - before) / 1e6).toFixed(0)
  const cells = slowestOf(file, reader)
  for (const at of indexes.keys()) database.run(`drop index bench_${at}`)
  database.close()
  return `| ${[name, ...cells, indexes.length === 0 ? 'in the file' : `${megabytes} MB, ${seconds} s`].join(' | ')} |`
}

const { values } = parseArgs({ options: { rows: { type: 'string' }, users: { type: 'string' } } })
const numbers = Object.entries(values).map(([name, value]) => [name, Number(value)])
const directory = mkdtempSync(join(tmpdir(), 'tollgate-log-index-'))
try {
  await fillLog(directory, Object.fromEntries(numbers))
  const file = join(directory, 'tollgate.db')
  console.log('| | slowest total | slowest sum | slowest page | indexes |\n| --- | --- | --- | --- | --- |')
  for (const [name, variant] of Object.entries(variants)) console.log(rowOf(file, name, variant))
} finally {
  rmSync(directory, { recursive: true, force: true })
}
