import { connectionsOf } from '../connection-counts.ts'
import { DamageWatch } from '../damage.ts'
import { fromPostgres } from './postgres-errors.ts'
import { startWorker, type WorkerClient } from './worker-client.ts'
import type { PostgresOpening } from './worker-messages.ts'

const startOwn = () => new Worker(new URL('./postgres-worker', import.meta.url))

/**
 * A thread with a few PostgreSQL connections of its own.
 * @param start starts a thread that streams, too
 */
export function startPostgresWorker(
  opening: Omit<PostgresOpening, 'connections'> & Partial<PostgresOpening>,
  damage = new DamageWatch(),
  start = startOwn,
): Promise<WorkerClient> {
  const complete = { connections: connectionsOf().reads, ...opening }
  return startWorker(start, complete, (failure) => damage.seen(fromPostgres(failure)))
}
