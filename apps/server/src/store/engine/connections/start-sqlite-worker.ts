import { DamageWatch } from '../damage.ts'
import { fromSqlite } from './sqlite-connection.ts'
import { startWorker, type WorkerClient } from './worker-client.ts'
import type { SqliteOpening } from './worker-messages.ts'

const startOwn = () => new Worker(new URL('./sqlite-worker', import.meta.url))

/**
 * A thread with a SQLite connection of its own.
 * @param start starts a thread that streams, too
 */
export function startSqliteWorker(
  opening: SqliteOpening,
  damage = new DamageWatch(),
  start = startOwn,
): Promise<WorkerClient> {
  return startWorker(start, opening, (failure) => damage.seen(fromSqlite(failure)))
}
