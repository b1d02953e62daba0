import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import type { Logger } from '../../lib/logger.ts'
import type { Connection, Database } from '../database.ts'
import { flushInProcess } from '../flush/flush-over.ts'
import { type ClearResult, clearAll } from '../log-index/clear.ts'
import type { SealResult } from '../log-index/seal.ts'
import { createSealer } from '../log-index/sealer.ts'
import { migrate } from '../schema/migrate.ts'
import type { Tables } from '../schema/tables.ts'
import type { Seconds } from '../units.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { fromPostgres, isDeadlock } from './postgres-errors.ts'
import { takeLock } from './postgres-locks.ts'
import { type ConnectionPool, createPool, type PooledConnection } from './postgres-pool.ts'
import { startPostgresWorker } from './start-postgres-worker.ts'
import { transactionConnection } from './transaction-connection.ts'
import { lazyWorker } from './worker-client.ts'

export interface PostgresConfig {
  readonly url: string
  readonly blockRows: number
  /** Longest time a statement may take, in milliseconds. */
  readonly statementMs?: number | undefined
  readonly logger: Pick<Logger, 'warn'>
  readonly connectionName?: string | undefined
}

const connections = 10
const defaultStatementMs = 15_000
/** A migration may rewrite large tables. */
const migrationMs = 6 * 3_600_000
const batchTries = 4

/**
 * PostgreSQL by a pool of connections; reads of logs and statistics, and the sealing of blocks, go through a worker
 * thread with a small pool of its own.
 */
export async function openPostgres({
  url,
  blockRows,
  statementMs = defaultStatementMs,
  logger,
  connectionName: name = 'tollgate',
}: PostgresConfig): Promise<Database> {
  await migrateSchema(url)
  const pool = await createPool(url, { connections, statementMs, name })
  const db = kyselyOver(pool)
  const worker = lazyWorker(() => startPostgresWorker({ url, statementMs }))
  const sealer = createSealer({
    blockRows,
    seal: async () => (await worker.link()).call<SealResult>({ op: 'seal', size: blockRows }),
    logger,
  })
  const partitions = createLogPartitions(db)
  const connection: Connection = {
    db,
    dialect: postgresDialect,
    transaction: (work) =>
      db.transaction().execute((transaction) => work(transactionConnection(connection, transaction))),
    batch: (statements) =>
      retryingDeadlocks(() => connection.transaction((transaction) => transaction.batch(statements))),
    flush: (request) => flushInProcess(connection, request),
    read: async (name, ...args) => (await worker.link()).call({ op: 'read', name, args }),
    beforeLogRows: (rows) => partitions.prepare(rows.map((row) => row.createdAt)),
    afterLogRows: sealer.rowsAdded,
    async clearLogRows(before, deleted, signal) {
      const link = await worker.link()
      try {
        await clearAll(() => link.call<ClearResult>({ op: 'drop-month', before }), deleted, signal)
      } finally {
        partitions.forget()
      }
      await clearAll(() => link.call<ClearResult>({ op: 'clear', before }), deleted, signal)
    },
  }
  async function close(): Promise<void> {
    const sealed = sealer.close()
    // Aborts the sealing of a block that waits for the server.
    await worker.close()
    await sealed
    await pool.end()
  }
  try {
    await partitions.prepare([Math.floor(Date.now() / 1000)])
  } catch (error) {
    await close()
    throw error
  }
  sealer.rowsAdded(0)
  return { ...connection, close }
}

/** Flushes of several nodes and credits lock the same accounts; the server ends one of two that deadlock. */
async function retryingDeadlocks(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isDeadlock(error) || tries === batchTries) throw error
    }
  }
}

async function migrateSchema(url: string): Promise<void> {
  const pool = await createPool(url, { connections: 1, statementMs: migrationMs })
  try {
    await migrate(kyselyOver(pool), postgresDialect, takeLock('schema'))
  } finally {
    await pool.end()
  }
}

function kyselyOver(pool: ConnectionPool): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: translating(pool) }) })
}

/** The pool as Kysely sees it, with the store's errors. */
function translating(pool: ConnectionPool): PostgresPool {
  const wrapped = new WeakMap<PooledConnection, PostgresPoolClient>()
  return {
    options: {},
    async connect() {
      const connection = await translated(pool.connect())
      const known = wrapped.get(connection) ?? translatingClient(connection)
      wrapped.set(connection, known)
      return known
    },
    end: () => pool.end(),
  }
}

function translatingClient(connection: PooledConnection): PostgresPoolClient {
  const query = (sql: string, parameters: readonly unknown[]) => translated(connection.query(sql, parameters))
  return {
    // Kysely also lists cursors as something to query; they are not used here.
    query: query as unknown as PostgresPoolClient['query'],
    release: () => connection.release(),
  }
}

async function translated<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw fromPostgres(error)
  }
}

/** The log has a partition per month: clearing old logs drops complete tables. Months are UTC. */
interface LogPartitions {
  /** Creates the months of these times and the following ones; costs nothing when they are known. */
  prepare(times: Iterable<Seconds>): Promise<void>
  /** Partitions may have been dropped: checks again before rows are added. */
  forget(): void
}

function createLogPartitions(db: Kysely<Tables>): LogPartitions {
  const known = new Set<number>()
  /** An existing month with a successor: nearly every row falls in it. */
  let ready = { from: 0, to: 0 }

  async function create(month: number): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      await sql.raw(takeLock('partitions')).execute(transaction)
      const name = partitionOf(month)
      const found = await sql<{ there: boolean }>`select to_regclass(${name}) is not null as there`.execute(
        transaction,
      )
      if (found.rows[0]?.there) return
      // Created apart and then attached: that does not block readers and writers of the log.
      await sql
        .raw(`create table ${name} (like logs including defaults including constraints)`)
        .execute(transaction)
      await sql
        .raw(
          `alter table logs attach partition ${name} for values from (${startOfMonth(month)}) to (${startOfMonth(month + 1)})`,
        )
        .execute(transaction)
    })
    known.add(month)
  }

  return {
    async prepare(times) {
      const months = new Set<number>()
      for (const at of times) {
        if (at >= ready.from && at < ready.to) continue
        const month = monthOf(at)
        months.add(month).add(month + 1)
      }
      for (const month of months) {
        if (!known.has(month)) await create(month)
        if (months.has(month + 1)) ready = { from: startOfMonth(month), to: startOfMonth(month + 1) }
      }
    },
    forget() {
      known.clear()
      ready = { from: 0, to: 0 }
    },
  }
}

/** Months of the log's partitions, in UTC, counted from year 0. */
function monthOf(at: Seconds): number {
  const date = new Date(at * 1000)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

export function startOfMonth(month: number): Seconds {
  return Date.UTC(Math.floor(month / 12), month % 12, 1) / 1000
}

/** Name of the partition of a month. */
export function partitionOf(month: number): string {
  return `logs_${Math.floor(month / 12)}_${String((month % 12) + 1).padStart(2, '0')}`
}

/** The month of a partition; `undefined` for any other name. */
export function monthOfPartition(name: string): number | undefined {
  const [, year, month] = /^logs_(\d{4,})_(\d\d)$/.exec(name) ?? []
  return year === undefined || month === undefined ? undefined : Number(year) * 12 + Number(month) - 1
}
