import { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { StoreOpenError, toOpenError } from '../errors.ts'

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
