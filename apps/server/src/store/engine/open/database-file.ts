import { join } from 'node:path'

/** The path of the SQLite database. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'tollgate.db')
}
