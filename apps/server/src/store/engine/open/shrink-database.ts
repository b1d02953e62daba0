import { Database } from 'bun:sqlite'
import { existsSync, statSync } from 'node:fs'
import { StoreOpenError, toOpenError } from '../../errors.ts'

/** Bytes of the file before and after. */
export interface ShrunkDatabase {
  readonly before: number
  readonly after: number
}

/**
 * Writes a SQLite database anew without the pages that deletions left unused. It keeps its file, owner and mode; a process that is killed
 * meanwhile leaves it as it was. No other process uses it.
 * @throws StoreOpenError with one sentence
 */
export function shrinkDatabase(file: string): ShrunkDatabase {
  if (!existsSync(file)) throw new StoreOpenError(`There is no database ${file}.`)
  const before = statSync(file).size
  try {
    using database = new Database(file, { readwrite: true, create: false })
    database.run('vacuum')
    database.run('pragma wal_checkpoint(truncate)')
  } catch (error) {
    throw toOpenError(error, `The database ${file} cannot be shrunk, and is as it was`)
  }
  return { before, after: statSync(file).size }
}
