import { constants, Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { isDamage, StoreOpenError, toOpenError } from '../errors.ts'

const busyTimeoutMs = 30_000

/**
 * Copies a SQLite database as of one moment, while a gateway writes it: neither waits for the other. The copy is compact, and
 * needs no write-ahead log.
 * @param into a file that does not exist
 * @throws StoreOpenError with one sentence
 */
export function copyDatabase(file: string, into: string): void {
  if (!existsSync(file)) throw new StoreOpenError(`There is no database ${file}.`)
  try {
    using database = new Database(file, { readwrite: true, create: false })
    database.run(`pragma busy_timeout = ${busyTimeoutMs}`)
    database.run('vacuum into ?', [into])
  } catch (error) {
    throw toOpenError(error, `The database ${file} cannot be copied`)
  }
}

/**
 * Does the same and touches nothing of the original: no file beside it is created, changed or removed.
 * @throws StoreOpenError with one sentence
 */
export function copyUntouched(file: string, into: string): void {
  try {
    using database = openUntouched(file)
    database.run(`pragma busy_timeout = ${busyTimeoutMs}`)
    database.run('vacuum into ?', [into])
  } catch (error) {
    throw toOpenError(error, `The database ${file} cannot be copied`)
  }
}

/** A database to read. */
function openUntouched(file: string): Database {
  // Without a write-ahead log no process has the file open, and SQLite would create one even to read it.
  if (existsSync(`${file}-wal`)) return new Database(file, { readonly: true })
  return new Database(
    `${pathToFileURL(file)}?immutable=1`,
    constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI,
  )
}

/**
 * Looks whether the pages of a database fit together; indexes are not compared with their tables. Changes nothing.
 * @returns what SQLite says first; `undefined` when the file is whole
 * @throws StoreOpenError with one sentence when it cannot be opened, because somebody may not
 */
export function quickCheck(file: string): string | undefined {
  return faultOf(file, 'quick_check')
}

/** Checks as `quickCheck` does, and compares indexes with their tables. */
export function integrityFault(file: string): string | undefined {
  return faultOf(file, 'integrity_check')
}

function faultOf(file: string, check: 'quick_check' | 'integrity_check'): string | undefined {
  try {
    using database = openUntouched(file)
    const row = database.query<Record<typeof check, string>, []>(`pragma ${check}(1)`).get()
    // SQLite reports over several lines.
    return row?.[check] === 'ok' ? undefined : (row?.[check] ?? 'no answer').replace(/\s+/g, ' ')
  } catch (error) {
    if (isDamage(error)) return (error as Error).message
    throw toOpenError(error, `The database ${file} cannot be read`)
  }
}

/**
 * Refuses a database file that no process uses when it is damaged.
 * @throws StoreOpenError with one sentence
 */
export function checkDatabase(file: string): void {
  let found: string
  try {
    using database = new Database(file, { readonly: true })
    const row = database.query<{ integrity_check: string }, []>('pragma integrity_check(1)').get()
    found = row?.integrity_check ?? 'no answer'
  } catch (error) {
    throw toOpenError(error, `The database ${file} cannot be used`)
  }
  if (found !== 'ok') throw new StoreOpenError(`The database ${file} is damaged: ${found}.`)
}
