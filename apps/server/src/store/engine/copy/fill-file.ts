import { Database } from 'bun:sqlite'
import type { Logger } from '../../../lib/logger.ts'
import { type Program, type Row, runProgram, type Value } from '../../program.ts'
import { bindable } from '../connections/sqlite-connection.ts'
import { databaseFile } from '../open/database-file.ts'
import { openStore } from '../open/open-store.ts'
import { hasTable } from '../state.ts'
import { columnListOf, columnsOf } from './carried-tables.ts'
import { type Counter, readCounters, type TableShape } from './catalogue.ts'
import type { CopySource } from './copy-source.ts'
import { type Copied, type CopyTarget, copyTables, type Progress, tablesOf } from './copy-tables.ts'
import { returnShares } from './return-shares.ts'

export interface FillFile {
  /** A directory of its own: what a kill leaves in it is of no use. */
  readonly directory: string
  readonly source: CopySource
  readonly progress: Progress
  readonly logger: Pick<Logger, 'warn'>
}

/**
 * Makes a SQLite database in a directory, a copy of another database. The file is not synced: it is whole when this returns, and
 * survives a power cut when the caller has synced it.
 * @throws StoreOpenError with one sentence
 */
export async function fillFile({ directory, source, progress, logger }: FillFile): Promise<Copied> {
  await (await openStore({ dataDir: directory, logger })).close()
  const database = new Database(databaseFile(directory), { readwrite: true, create: false })
  try {
    // Nobody reads the file before it is whole, and a killed copy begins anew.
    database.run('pragma journal_mode = off')
    database.run('pragma synchronous = off')
    return await copyRowsInto(database, source, progress)
  } finally {
    database.close()
  }
}

/**
 * Copies every row of a database into a file of the same schema, in place of what is there.
 * @throws StoreOpenError with one sentence
 */
export async function copyRowsInto(
  database: Database,
  source: CopySource,
  progress: Progress,
): Promise<Copied> {
  const target = fileTarget(database)
  const tables = await tablesOf(source, target)
  database.run('begin')
  for (const { name } of tables) database.run(`delete from "${name}"`)
  const copied = await copyTables(source, target, tables, progress)
  setCounters(database, await source.read(readCounters(source.kind)))
  // A schema of before fleets has none.
  if (await target.read(hasTable('sqlite', 'balance_shares'))) await target.read(returnShares())
  database.run('commit')
  return copied
}

function fileTarget(database: Database): CopyTarget {
  return {
    kind: 'sqlite',
    read: async <Result>(program: Program<Result>) =>
      runProgram(program, ({ sql, parameters }) => {
        const statement = database.prepare<Row, Value[]>(sql)
        try {
          return statement.all(...parameters)
        } finally {
          statement.finalize()
        }
      }),
    async add(table, rows) {
      insertAll(database, table, rows)
    },
  }
}

function insertAll(database: Database, table: TableShape, rows: readonly Row[]): void {
  const names = columnsOf(table)
  const marks = names.map(() => '?').join(', ')
  const insert = database.query(`insert into "${table.name}" (${columnListOf(table)}) values (${marks})`)
  for (const row of rows) insert.run(...names.map((name) => bindable(row[name] ?? null)))
}

/** Sets the counters so that ids continue where the source's do, also where the last rows are gone. */
function setCounters(database: Database, counters: readonly Counter[]): void {
  database.run('delete from sqlite_sequence')
  for (const { table, last } of counters)
    if (last > 0) database.run('insert into sqlite_sequence (name, seq) values (?, ?)', [table, last])
}
