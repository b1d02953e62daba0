import { join } from 'node:path'

/** Where the SQLite database stands. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'tollgate.db')
}
