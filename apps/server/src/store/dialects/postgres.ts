import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import type { Logger } from '../../lib/logger.ts'
import type { Database, Session } from '../database.ts'
import { StoreFault } from '../errors.ts'
import { flushOver } from '../flush/flush-over.ts'
import type { SealResult } from '../log-index/seal.ts'
import { createSealer } from '../log-index/sealer.ts'
import { migrate } from '../migrate.ts'
import type { Tables } from '../tables.ts'
import { fromPostgres, isDeadlock } from './postgres-errors.ts'
import { createLogPartitions } from './postgres-partitions.ts'
import { createPool } from './postgres-pool.ts'
import { transactionSession } from './transaction-session.ts'
import { postgresWords, takeLock } from './words.ts'
import { lazyWorker, startWorker } from './worker-link.ts'

export interface PostgresConfig {
  readonly url: string
  readonly blockRows: number
  readonly logger: Pick<Logger, 'warn'>
}

const connections = 10
const queryTimeoutMs = 60_000
const batchTries = 4

/**
 * PostgreSQL by a pool of connections; reads of logs and statistics, and the sealing of blocks, go through a worker
 * thread with a small pool of its own.
 */
export async function openPostgres({ url, blockRows, logger }: PostgresConfig): Promise<Database> {
  const pool = await createPool(url, { max: connections, query_timeout: queryTimeoutMs })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: translating(pool) }) })
  const worker = lazyWorker(() =>
    startWorker(() => new Worker(new URL('./postgres-worker', import.meta.url)), { url }, fromPostgres),
  )
  const sealer = createSealer({
    blockRows,
    seal: async () => (await worker.link()).call<SealResult>({ op: 'seal', size: blockRows }),
    logger,
  })
  const partitions = createLogPartitions(db)
  const session: Session = {
    db,
    words: postgresWords,
    transaction: (work) =>
      db.transaction().execute((transaction) => work(transactionSession(session, transaction))),
    batch: (statements) =>
      retryingDeadlocks(() => session.transaction((transaction) => transaction.batch(statements))),
    flush: (request) => flushOver(session, request),
    read: async (name, ...args) => (await worker.link()).call({ op: 'read', name, args }),
    beforeLogRows: (rows) => partitions.prepare(rows.map((row) => row.createdAt)),
    afterLogRows: sealer.rowsAdded,
  }
  async function close(): Promise<void> {
    await sealer.close()
    await worker.close()
    await pool.end()
  }
  try {
    await migrate(db, postgresWords, takeLock('schema'))
    await partitions.prepare([Math.floor(Date.now() / 1000)])
  } catch (error) {
    await close()
    throw error
  }
  sealer.rowsAdded(0)
  return { ...session, close }
}

/** Drains of several nodes and credits lock the same accounts; the server ends one of two that wait for each other. */
async function retryingDeadlocks(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isDeadlock(error) || tries === batchTries) throw error
    }
  }
}

/** The pool as Kysely sees it, with the store's errors. */
function translating(pool: Pool): PostgresPool {
  const wrapped = new WeakMap<PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw fromPostgres(error)
      })
      const known = wrapped.get(client) ?? translatingClient(client)
      wrapped.set(client, known)
      return known
    },
    end: () => pool.end(),
  }
}

/** A connection on which the line broke or a query ran out of time is not used again. */
function translatingClient(client: PoolClient): PostgresPoolClient {
  let broken = false
  async function query(sql: string, parameters: readonly unknown[]) {
    try {
      return await client.query(sql, [...parameters])
    } catch (error) {
      const fault = fromPostgres(error)
      broken ||= fault instanceof StoreFault && fault.kind === 'unavailable'
      throw fault
    }
  }
  return {
    // Kysely also lists cursors as something to query; they are not used here.
    query: query as unknown as PostgresPoolClient['query'],
    release: () => client.release(broken),
  }
}
