import { connectionsOf } from '../connection-counts.ts'
import { DamageWatch } from '../damage.ts'
import { fromPostgres } from './postgres-errors.ts'
import { startWorker, type WorkerClient } from './worker-client.ts'
import type { PostgresOpening, WorkerFailure } from './worker-messages.ts'

/** A thread with a few PostgreSQL connections of its own. */
export function startPostgresWorker(
  opening: Omit<PostgresOpening, 'connections'> & Partial<PostgresOpening>,
  damage = new DamageWatch(),
): Promise<WorkerClient> {
  const translate = (failure: WorkerFailure) => damage.seen(fromPostgres(failure))
  const start = () => new Worker(new URL('./postgres-worker', import.meta.url))
  return startWorker(start, { connections: connectionsOf().reads, ...opening }, translate)
}
