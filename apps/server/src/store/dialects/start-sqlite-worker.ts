import { fromSqlite } from './sqlite-connection.ts'
import { startWorker, type WorkerClient } from './worker-client.ts'
import type { SqliteOpening } from './worker-messages.ts'

/** A thread with a SQLite connection of its own. */
export function startSqliteWorker(opening: SqliteOpening): Promise<WorkerClient> {
  return startWorker(() => new Worker(new URL('./sqlite-worker', import.meta.url)), opening, fromSqlite)
}
