import type { Store } from '../../store.ts'
import { postgresRequests } from '../connections/postgres-requests.ts'
import { sqliteRequests } from '../connections/sqlite-requests.ts'
import type { StreamSources } from '../connections/stream-server.ts'
import type { StreamSource, WorkerRequest } from '../connections/worker-messages.ts'
import { serveCalls } from '../connections/worker-server.ts'

export type { StreamSource, StreamSources }

/**
 * Serves a thread of the program over either database: what the store's own threads do, and streams.
 * @param load makes the streams over the store as the thread reads it; called with the first of them, because they load much
 */
export function serveThread(load: (store: Store) => Promise<StreamSources>): void {
  // Loaded on demand, as the streams are.
  const reading = () => import('./thread-store.ts')
  const ofFile = sqliteRequests(async (thread) => load((await reading()).storeOverFile(thread)))
  const ofServer = postgresRequests(async (thread) => load((await reading()).storeOverServer(thread)))
  let respond: (request: WorkerRequest) => unknown = ofFile
  serveCalls((request) => {
    if (request.op === 'open') respond = 'url' in request.opening ? ofServer : ofFile
    return respond(request)
  })
}
