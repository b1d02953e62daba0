import { fromPostgres } from './postgres-errors.ts'
import { startWorker, type WorkerLink } from './worker-link.ts'
import type { PostgresOpening } from './worker-messages.ts'

/** A thread with a few PostgreSQL connections of its own. */
export function startPostgresWorker(opening: PostgresOpening): Promise<WorkerLink> {
  return startWorker(() => new Worker(new URL('./postgres-worker', import.meta.url)), opening, fromPostgres)
}
