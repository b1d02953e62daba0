import { DamageWatch } from '../damage.ts'
import { fromSqlite } from './sqlite-connection.ts'
import { startWorker, type WorkerClient } from './worker-client.ts'
import type { SqliteOpening, WorkerFailure } from './worker-messages.ts'

/** A thread with a SQLite connection of its own. */
export function startSqliteWorker(opening: SqliteOpening, damage = new DamageWatch()): Promise<WorkerClient> {
  const translate = (failure: WorkerFailure) => damage.seen(fromSqlite(failure))
  return startWorker(() => new Worker(new URL('./sqlite-worker', import.meta.url)), opening, translate)
}
