import { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { programName } from '../../../lib/program.ts'
import { SchemaTooNewError, StoreOpenError } from '../../errors.ts'
import type { Seconds } from '../../units.ts'
import { programOf } from '../upgrade/landed.ts'
import { openPages, type PageSource } from './page-source.ts'
import { rebuild } from './rebuild.ts'
import type { StoredValue } from './record.ts'
import { type SalvagedTable, salvageRows } from './salvage.ts'
import { rootedShapes, sequenceTable } from './shapes.ts'
import type { NamedRow } from './table-shape.ts'

interface Options {
  /** The damaged file, which no process uses. Its write-ahead log is read, too. */
  readonly file: string
  /** An empty database of this program: it takes the rows. */
  readonly into: string
  /** A whole database of the same installation, from before: it has rows of damaged tables that the file lost. */
  readonly older: string | undefined
  readonly now: Seconds
}

/** Result of repairing a damaged file. */
export interface RepairedFile {
  readonly tables: ReadonlyMap<string, SalvagedTable>
  /** Rows that came from the older database, by table. */
  readonly fromOlder: ReadonlyMap<string, number>
  /** Sentences for the operator. */
  readonly rebuilt: readonly string[]
}

const migrationTable = 'kysely_migration'
/** The program's own: they are in the database that takes the rows. */
const ownTables = new Set([migrationTable, 'kysely_migration_lock'])
/**
 * Tables whose rows of before are better than none. Sessions and what was sent by mail are not among them, balances are worked
 * out anew, and what ends must not begin again.
 */
const fromOlderTables = new Set([
  'users',
  'tokens',
  'channels',
  'options',
  'setups',
  'redemptions',
  'top_up_orders',
  'ledger_entries',
  'goodwill_credits',
  'ledger_charges',
  'unlogged_charges',
  'logs',
  'usage_hourly',
  'usage_quarters',
  'charge_quarters',
  'audit_log',
  'passkeys',
  'second_factors',
  'recovery_codes',
  'access_tokens',
  'known_identities',
  'imported_rows',
  'imported_usage',
  'database_identity',
  'journal_spans',
  'tasks',
])

/**
 * Puts what a damaged file still has into an empty database, and works out again what follows from it.
 * @throws SchemaTooNewError, or StoreOpenError when another version wrote the file
 */
export function repairFile({ file, into, older, now }: Options): RepairedFile {
  const source = openPages(file)
  const database = new Database(into, { readwrite: true })
  try {
    // The whole is written anew when it does not come to its end.
    for (const pragma of ['journal_mode = memory', 'synchronous = off', 'cache_size = -64000'])
      database.run(`pragma ${pragma}`)
    database.run('begin')
    const tables = takeOver(source, database)
    const damaged = new Set(
      [...tables].filter(([, { damagedPages }]) => damagedPages > 0).map(([name]) => name),
    )
    const fromOlder = older === undefined ? new Map<string, number>() : fillFrom(database, older, damaged)
    const rebuilt = rebuild(database, { damaged, now })
    database.run('commit')
    for (const pragma of ['synchronous = full', 'journal_mode = wal', 'wal_checkpoint(truncate)'])
      database.run(`pragma ${pragma}`)
    return { tables, fromOlder, rebuilt }
  } finally {
    database.close()
    source.close()
  }
}

function takeOver(source: PageSource, database: Database): ReadonlyMap<string, SalvagedTable> {
  const shapes = rootedShapes(database, source)
  const migrations: string[] = []
  const sequences = new Map<string, number>()
  const inserted = insertions(database)
  const identity = database.query<{ id: string }, []>('select id from database_identity').get()?.id
  for (const { shape } of shapes)
    if (!ownTables.has(shape.name) && shape.name !== sequenceTable)
      database.run(`delete from "${shape.name}"`)
  const tables = salvageRows(source, shapes, (table, row) => {
    if (table === migrationTable) return migrations.push(String(row[0]?.[1])) > 0
    if (table === sequenceTable) return sequences.set(String(row[0]?.[1]), Number(row[1]?.[1])).size > 0
    return ownTables.has(table) || inserted(table, row)
  })
  const saved = [...tables.values()].reduce((sum, table) => sum + table.saved, 0)
  if (saved === 0)
    throw new StoreOpenError('Nothing in the file is of a database of Tollgate: restore a backup.')
  refuseOtherVersion(database, migrations, (tables.get(migrationTable)?.damagedPages ?? 0) > 0)
  passSequences(database, sequences)
  if (database.query('select id from database_identity').get() === null)
    database.run('insert into database_identity (id) values (?)', [identity ?? ''])
  return new Map([...tables].filter(([name]) => !ownTables.has(name) && name !== sequenceTable))
}

/** Inserts rows that are not there yet: pages that a tree leads to come first. */
function insertions(database: Database): (table: string, row: NamedRow) => boolean {
  const statements = new Map<string, ReturnType<typeof database.prepare>>()
  return (table, row) => {
    const key = `${table} ${row.length}`
    const known = statements.get(key)
    const names = row.map(([name]) => `"${name}"`).join(', ')
    const statement =
      known ??
      database.prepare(
        `insert or ignore into "${table}" (${names}) values (${row.map(() => '?').join(', ')})`,
      )
    statements.set(key, statement)
    return Number(statement.run(...row.map(([, value]) => bindable(value))).changes) > 0
  }
}

/** Returns a large integer as `bigint`: as a floating-point number it would be refused. */
function bindable(value: StoredValue): StoredValue {
  return typeof value === 'number' && Number.isInteger(value) && (value | 0) !== value ? BigInt(value) : value
}

function refuseOtherVersion(database: Database, found: readonly string[], isPartial: boolean): void {
  const own = database.query<{ name: string }, []>(`select name from ${migrationTable}`).all()
  const known = new Set(own.map(({ name }) => name))
  const newer = found.find((name) => !known.has(name))
  if (newer !== undefined)
    throw new SchemaTooNewError(
      `The file was written by another version of Tollgate (it has migration ${newer}): repair it with that version.`,
    )
  if (!isPartial && found.length < known.size)
    throw new StoreOpenError(
      `The file was written by an older version, ${programName(programOf(found))}, and is carried over only when it is whole: run "tollgate repair" of that program and start this one then, or restore a backup, which this one carries over.`,
    )
}

/** Ids that were given out are not given out again, also those of lost rows. */
function passSequences(database: Database, sequences: ReadonlyMap<string, number>): void {
  for (const [table, last] of sequences) {
    database.run(
      'insert into sqlite_sequence (name, seq) select ?1, 0 where not exists (select 1 from sqlite_sequence where name = ?1)',
      [table],
    )
    database.run('update sqlite_sequence set seq = max(seq, ?) where name = ?', [last, table])
  }
}

/** Rows of another installation have the same ids, and mean others. */
/** Sums of an hour went on after the backup: those of its last hour are worked out from the log instead. */
function isOver(table: string): string {
  return hourlySums.has(table)
    ? `where hour < (select max(hour) - max(hour) % 3600 from older."${table}")`
    : ''
}

const hourlySums: ReadonlySet<string> = new Set(['usage_hourly', 'ledger_charges'])

function refuseOtherDatabase(database: Database): void {
  const same = database
    .query(
      'select 1 from main.database_identity as own join older.database_identity as other on own.id = other.id',
    )
    .get()
  if (same === null) throw new StoreOpenError('The backup is of another database: nothing was changed.')
}

function fillFrom(
  database: Database,
  older: string,
  damaged: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  if (!existsSync(older)) throw new StoreOpenError(`There is no database ${older}.`)
  database.run('commit')
  database.run('attach ? as older', [older])
  if (!damaged.has('database_identity')) refuseOtherDatabase(database)
  database.run('begin')
  const filled = new Map<string, number>()
  for (const table of damaged) {
    if (!fromOlderTables.has(table)) continue
    if (table === 'database_identity') database.run(`delete from main.${table}`)
    const { changes } = database.run(
      `insert or ignore into main."${table}" select * from older."${table}" ${isOver(table)}`,
    )
    if (changes > 0) filled.set(table, changes)
  }
  database.run('commit')
  database.run('detach older')
  database.run('begin')
  return filled
}
