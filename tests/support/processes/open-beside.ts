import { Database } from 'bun:sqlite'
import { join } from 'node:path'

/** Time that a statement waits for what the gateway writes meanwhile. */
const busyMs = 10_000

/** Opens the database of a gateway that may be running, to read it or to write what no call of it would. */
export function openBeside(dataDir: string): Database {
  const database = new Database(join(dataDir, 'tollgate.db'))
  database.run(`pragma busy_timeout = ${busyMs}`)
  return database
}
