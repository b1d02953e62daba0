import { constants, Database } from 'bun:sqlite'
import { existsSync, statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { StoreOpenError, toOpenError } from '../../errors.ts'
import { type Program, type Row, runProgram, type Value } from '../../program.ts'

const busyTimeoutMs = 30_000

/** A SQLite database as of one moment, to read. */
export interface ReadingFile {
  readonly database: Database
  run<Result>(program: Program<Result>): Result
  /** @throws StoreOpenError when another process has begun to write what only this one was reading: it saw no one moment */
  requireUndisturbed(): void
  close(): void
}

/**
 * Opens a SQLite database to read it, while a gateway may be writing it. Creates no file beside it that is not there.
 * @throws StoreOpenError with one sentence
 */
export function openReadingFile(file: string): ReadingFile {
  if (!existsSync(file)) throw new StoreOpenError(`There is no database ${file}.`)
  // Without a write-ahead log no process has the file open, and SQLite would create one even to read it.
  const isAlone = !existsSync(walOf(file))
  const { mtimeMs } = statSync(file)
  const database = openDatabase(file, isAlone)
  return {
    database,
    run: (program) =>
      runProgram(program, ({ sql, parameters }) => database.query<Row, Value[]>(sql).all(...parameters)),
    requireUndisturbed() {
      if (isAlone && (existsSync(walOf(file)) || statSync(file).mtimeMs !== mtimeMs))
        throw new StoreOpenError(`Tollgate was started while ${file} was read: do it again.`)
    },
    close: () => database.close(),
  }
}

function walOf(file: string): string {
  return `${file}-wal`
}

function openDatabase(file: string, isAlone: boolean): Database {
  try {
    const database = isAlone
      ? new Database(
          `${pathToFileURL(file)}?immutable=1`,
          constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI,
        )
      : new Database(file, { readonly: true })
    database.run(`pragma busy_timeout = ${busyTimeoutMs}`)
    database.run('begin')
    return database
  } catch (error) {
    throw toOpenError(error, `The database ${file} cannot be read`)
  }
}
