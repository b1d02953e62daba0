import { constants, Database, type Statement as Prepared } from 'bun:sqlite'
import { pathToFileURL } from 'node:url'
import type { Rows } from '../../dialects/sql-dialect.ts'
import { BatchRefusedError, DuplicateError, type FaultKind, StoreFault } from '../../errors.ts'
import {
  type BatchStatement,
  type Program,
  type Row,
  runProgram,
  type Statement,
  type Value,
} from '../../program.ts'
import type { Executed, SqliteOpening, WorkerFailure } from './worker-messages.ts'

const cachedStatements = 256

/** One SQLite connection with its prepared statements. Synchronous: it lives in a worker. */
export interface SqliteConnection {
  execute(statement: Statement): Executed
  /** All statements or none, one after the other. */
  batch(statements: Iterable<BatchStatement>): void
  /**
   * Commits of `work` are not synced: a power cut may undo them, in their order, and a later synced one makes them
   * durable. For data that can be written again (charges, from the journal) or derived from the database (the log
   * index).
   */
  withoutSync<Result>(work: () => Result): Result
  /** Runs a program in one transaction: a reader sees one state of the database from its start to its end. */
  run<Result>(program: Program<Result>, begin: 'begin' | 'begin immediate'): Result
  close(): void
}

const writerPragmas = [
  // First, so that other processes wait for a program that is just starting too.
  'busy_timeout = 10000',
  'journal_mode = wal',
  // A commit is on the disk when it returns; see `withoutSync`. Checkpoints are synced in either mode.
  'synchronous = full',
  // Pages that many flushes touch are copied into the file once for all of them.
  'wal_autocheckpoint = 16000',
  'cache_size = -16000',
  'journal_size_limit = 67108864',
]
// No `optimize`: today's statistics make the planner scan a table that is small today, above all in joins with a JSON
// parameter, and the plan stays when the table has grown. Without statistics it uses the given index.
const closingPragmas = ['wal_checkpoint(truncate)']
const readerPragmas = ['busy_timeout = 10000', 'query_only = 1', 'cache_size = -8000']

export function openSqliteConnection(options: SqliteOpening): SqliteConnection {
  const database = openDatabase(options)
  for (const pragma of options.readonly ? readerPragmas : writerPragmas) database.run(`pragma ${pragma}`)
  const prepared = statementCache(database)

  function execute({ sql, parameters }: Statement): Executed {
    const statement = prepared.get(sql)
    const bound = parameters.map(bindable)
    const { columnNames } = statement
    if (columnNames.length > 0) return { rows: readable(statement.all(...bound), columnNames), changes: 0 }
    return { rows: [], changes: Number(statement.run(...bound).changes) }
  }

  function inTransaction<Result>(begin: string, work: () => Result): Result {
    database.run(begin)
    try {
      const result = work()
      database.run('commit')
      return result
    } finally {
      if (database.inTransaction) database.run('rollback')
    }
  }

  /** Returns how many rows changed. */
  function executeEach({ sql, forMany }: BatchStatement, rows: Rows): number {
    let changes = 0
    let done = 0
    if (forMany !== undefined && rows.length >= forMany.rows) {
      const many = prepared.get(forMany.sql)
      for (; done + forMany.rows <= rows.length; done += forMany.rows)
        changes += run(many, rows.slice(done, done + forMany.rows).flat())
    }
    const one = prepared.get(sql)
    for (; done < rows.length; done += 1) changes += run(one, rows[done] ?? [])
    return changes
  }

  function executeAll(statements: Iterable<BatchStatement>): void {
    for (const statement of statements) {
      const { expectedChanges, rows } = statement
      const changes = rows === undefined ? execute(statement).changes : executeEach(statement, rows)
      if (expectedChanges !== undefined && changes !== expectedChanges)
        throw new BatchRefusedError(`${changes} rows changed, not ${expectedChanges}`)
    }
  }

  function withoutSync<Result>(work: () => Result): Result {
    database.run('pragma synchronous = normal')
    try {
      return work()
    } finally {
      database.run('pragma synchronous = full')
    }
  }

  return {
    execute,
    withoutSync,
    batch: (statements) => inTransaction('begin immediate', () => executeAll(statements)),
    run: (program, begin) =>
      inTransaction(begin, () => runProgram(program, (statement) => execute(statement).rows)),
    close() {
      if (!options.readonly) for (const pragma of closingPragmas) database.run(`pragma ${pragma}`)
      prepared.finalizeAll()
      // Throws when a statement is still open, which would leave the file locked.
      database.close(true)
    },
  }
}

function openDatabase({ file, readonly, immutable }: SqliteOpening): Database {
  if (immutable === true)
    return new Database(
      `${pathToFileURL(file)}?immutable=1`,
      constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI,
    )
  return new Database(file, readonly ? { readonly: true } : { create: true, readwrite: true })
}

interface StatementCache {
  get(sql: string): PreparedStatement
  finalizeAll(): void
}

type PreparedStatement = Prepared<Record<string, unknown>, Bindable[]>

/** Returns how many rows changed. */
function run(statement: PreparedStatement, row: readonly Value[]): number {
  return Number(statement.run(...bindables(row)).changes)
}

/** Caches the most recently used statements. */
function statementCache(database: Database): StatementCache {
  const cache = new Map<string, PreparedStatement>()
  return {
    get(sql) {
      const statement = cache.get(sql) ?? database.prepare<Record<string, unknown>, Bindable[]>(sql)
      cache.delete(sql)
      cache.set(sql, statement)
      const [oldest] = cache
      if (cache.size > cachedStatements && oldest !== undefined) {
        cache.delete(oldest[0])
        oldest[1].finalize()
      }
      return statement
    },
    finalizeAll() {
      for (const statement of cache.values()) statement.finalize()
      cache.clear()
    },
  }
}

type Bindable = string | number | bigint | Uint8Array | null

/** Most rows can be bound as they are. */
function bindables(row: readonly Value[]): readonly Bindable[] {
  return row.every((value) => typeof value !== 'number' || (value | 0) === value) ? row : row.map(bindable)
}

/** Bun binds whole numbers beyond 32 bits as floating point; as bigint they stay integers in every expression. */
export function bindable(value: Value): Bindable {
  if (typeof value !== 'number' || !Number.isInteger(value) || (value | 0) === value) return value
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a safe integer`)
  return BigInt(value)
}

/** An integer that does not fit was rounded on its way here, to one that is not a safe integer either. */
function readable(rows: readonly Record<string, unknown>[], names: readonly string[]): readonly Row[] {
  for (const name of names)
    for (const row of rows)
      if (isUnsafeInteger(row[name]))
        throw new RangeError(`${name} in the database is beyond the safe integers`)
  // SQLite has only these values.
  return rows as readonly Row[]
}

function isUnsafeInteger(value: unknown): boolean {
  if (typeof value !== 'number') return false
  return Math.abs(value) > Number.MAX_SAFE_INTEGER && Number.isInteger(value)
}

const faultKinds: Readonly<Record<string, FaultKind>> = {
  SQLITE_FULL: 'full',
  SQLITE_IOERR_WRITE: 'full',
  SQLITE_READONLY: 'read-only',
  SQLITE_PERM: 'read-only',
  SQLITE_CANTOPEN: 'unavailable',
  SQLITE_NOTADB: 'damaged',
  SQLITE_CORRUPT: 'damaged',
  SQLITE_IOERR: 'unavailable',
  SQLITE_BUSY: 'busy',
  SQLITE_LOCKED: 'busy',
}

const duplicateCodes = ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY']

export function fromSqlite(failure: WorkerFailure | StoreFault): Error {
  if (failure instanceof StoreFault) return failure
  const { name, message, code } = failure
  if (name === 'BatchRefusedError') return new BatchRefusedError(message)
  if (name === 'RangeError') return new RangeError(message)
  if (duplicateCodes.includes(code)) return new DuplicateError(message)
  // The name of an extended code starts with that of its base code.
  const plain = Object.keys(faultKinds).find((known) => code === known || code.startsWith(`${known}_`))
  const kind = plain === undefined ? 'failed' : (faultKinds[plain] ?? 'failed')
  const step = kind === 'damaged' ? ': the file is damaged, stop the gateway and run tollgate repair' : ''
  return new StoreFault(kind, `SQLite: ${message}${code === '' ? '' : ` (${code})`}${step}`, {
    cause: Object.assign(new Error(message), { code }),
  })
}
