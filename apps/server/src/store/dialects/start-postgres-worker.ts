import { fromPostgres } from './postgres-errors.ts'
import { startWorker, type WorkerClient } from './worker-client.ts'
import type { PostgresOpening } from './worker-messages.ts'

/** A thread with a few PostgreSQL connections of its own. */
export function startPostgresWorker(opening: PostgresOpening): Promise<WorkerClient> {
  return startWorker(() => new Worker(new URL('./postgres-worker', import.meta.url)), opening, fromPostgres)
}
