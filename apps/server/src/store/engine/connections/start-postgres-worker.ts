import { DamageWatch } from '../damage.ts'
import { fromPostgres } from './postgres-errors.ts'
import { startWorker, type WorkerClient } from './worker-client.ts'
import type { PostgresOpening, WorkerFailure } from './worker-messages.ts'

/** A thread with a few PostgreSQL connections of its own. */
export function startPostgresWorker(
  opening: PostgresOpening,
  damage = new DamageWatch(),
): Promise<WorkerClient> {
  const translate = (failure: WorkerFailure) => damage.seen(fromPostgres(failure))
  return startWorker(() => new Worker(new URL('./postgres-worker', import.meta.url)), opening, translate)
}
