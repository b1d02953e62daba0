import { Database } from 'bun:sqlite'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Kysely, sql, type Transaction } from 'kysely'
import { StoreOpenError, toOpenError } from '../../errors.ts'
import type { Tables } from '../../schema/tables.ts'
import { copyDatabase } from '../copy-database.ts'
import { type CopyChoice, copyFolder } from './upgrade-report.ts'

/** The usage log and its index, which may be large; everything else is small beside them. */
const logTables = new Set([
  'logs',
  'log_blocks',
  'log_block_parts',
  'log_terms',
  'log_spans',
  'log_span_parts',
])

/** The file of a copy: the time, and the first migration that runs after it. */
export function copyFile(dataDir: string, migration: string, now: Date): string {
  const time = now.toISOString().replaceAll(/[:.]/g, '-')
  return join(dataDir, copyFolder, `${time}-before-${migration}.db`)
}

/**
 * Writes a copy under its name when it is whole; a start that was killed leaves a `.partial`, which the next one replaces.
 * @throws StoreOpenError with one sentence: nothing was changed
 */
export async function writeCopy(
  file: string,
  write: (partial: string) => Promise<void> | void,
): Promise<void> {
  const partial = join(dirname(file), 'copy.partial')
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    rmSync(partial, { force: true })
    await write(partial)
    renameSync(partial, file)
  } catch (error) {
    if (existsSync(partial)) rmSync(partial)
    const { message } = toOpenError(error, `The copy before the upgrade cannot be written to ${file}`)
    throw new StoreOpenError(
      `${message.replace(/\.$/, '')}: nothing was changed. Make room, or set UPGRADE_COPY=none when you have a backup.`,
      { cause: error },
    )
  }
}

/** Copies a SQLite database that no other process writes. The copy is one, with an empty log unless all is wanted. */
export function copySqlite(file: string, into: string, choice: Exclude<CopyChoice, 'none'>): void {
  if (choice === 'all') copyDatabase(file, into)
  else copyTables(file, into)
}

function copyTables(file: string, into: string): void {
  using copy = new Database(into, { create: true })
  copy.run('pragma synchronous = full')
  copy.run('attach ? as source', [file])
  copy.run('begin')
  const parts = copy
    .query<{ type: string; name: string; sql: string }, []>(
      `select type, name, sql from source.sqlite_schema where sql is not null and name not like 'sqlite\\_%' escape '\\'`,
    )
    .all()
  const tables = parts.filter(({ type }) => type === 'table')
  for (const { name, sql: statement } of tables) {
    copy.run(statement)
    if (!logTables.has(name)) copy.run(`insert into main."${name}" select * from source."${name}"`)
  }
  // Ids that were in use are not used again.
  copy.run('delete from main.sqlite_sequence')
  copy.run('insert into main.sqlite_sequence select * from source.sqlite_sequence')
  for (const { type, sql: statement } of parts) if (type !== 'table') copy.run(statement)
  copy.run('commit')
}

const batchRows = 1000

/** Copies the tables of a PostgreSQL database as of one moment into a SQLite file: any tool reads it. */
export async function copyPostgres(
  db: Kysely<Tables>,
  into: string,
  choice: Exclude<CopyChoice, 'none'>,
): Promise<void> {
  using copy = new Database(into, { create: true })
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (transaction) => {
      copy.run('begin')
      for (const table of await tablesOf(transaction))
        if (choice === 'all' || !logTables.has(table)) await copyTable(transaction, copy, table)
      copy.run('commit')
    })
}

/** But for partitions, whose rows their parent has, and unlogged tables, which a crash empties. */
async function tablesOf(db: Transaction<Tables>): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = any (array(select to_regnamespace(name) from unnest(current_schemas(false)) as name))
      and relkind in ('r', 'p') and not relispartition and relpersistence = 'p'
    order by relname`.execute(db)
  return rows.map(({ name }) => name)
}

async function copyTable(db: Transaction<Tables>, copy: Database, table: string): Promise<void> {
  const columns = await columnsOf(db, table)
  const names = columns.map((name) => `"${name}"`).join(', ')
  copy.run(`create table "${table}" (${names})`)
  const insert = copy.prepare(`insert into "${table}" values (${columns.map(() => '?').join(', ')})`)
  await sql`declare copied cursor for select ${sql.raw(names)} from ${sql.table(table)}`.execute(db)
  for (let isLast = false; !isLast; ) {
    const { rows } = await sql<Record<string, unknown>>`fetch ${sql.lit(batchRows)} from copied`.execute(db)
    for (const row of rows) insert.run(...columns.map((name) => storable(row[name])))
    isLast = rows.length < batchRows
  }
  insert.finalize()
  await sql`close copied`.execute(db)
}

async function columnsOf(db: Transaction<Tables>, table: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`.execute(db)
  return rows.map(({ name }) => name)
}

function storable(value: unknown): string | number | bigint | Uint8Array | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Uint8Array) return value
  return typeof value === 'string' ? value : JSON.stringify(value)
}
