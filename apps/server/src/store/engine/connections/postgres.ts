import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from '../../../lib/logger.ts'
import type { Connection, Database } from '../../database.ts'
import { postgresDialect } from '../../dialects/postgres-dialect.ts'
import { takeLock } from '../../dialects/postgres-locks.ts'
import { MigrationError } from '../../errors.ts'
import { type ClearResult, clearAll } from '../../log/index/clear.ts'
import type { SealResult } from '../../log/index/seal.ts'
import { createSealer } from '../../log/index/sealer.ts'
import { addPartitions, listPartitions } from '../../log/partitions/cover.ts'
import { missingRanges, type Range, type Width } from '../../log/partitions/ranges.ts'
import { flushInProcess } from '../../money/flush/flush-over.ts'
import { type ConnectionCounts, connectionsOf } from '../connection-counts.ts'
import { DamageWatch } from '../damage.ts'
import { runOver, transactionConnection } from '../transaction-connection.ts'
import { copyPostgres } from '../upgrade/copy-before.ts'
import { lockTables } from '../upgrade/lock-tables.ts'
import type { Migrated } from '../upgrade/migrate.ts'
import { requireCurrentSchema } from '../upgrade/require-current.ts'
import type { UpgradeReport } from '../upgrade/upgrade-report.ts'
import { type UpgradeOptions, upgradeSchema } from '../upgrade/upgrade-schema.ts'
import { kyselyOver, type QueryConnection } from './kysely-over.ts'
import { isDeadlock, isLockConflict } from './postgres-errors.ts'
import { createPool, type PooledConnection } from './postgres-pool.ts'
import { startPostgresWorker } from './start-postgres-worker.ts'
import { lazyWorker, type StartThread, streamOf } from './worker-client.ts'

export interface PostgresConfig {
  readonly url: string
  readonly blockRows: number
  readonly spanBlocks: number
  /** Longest time a statement may take, in milliseconds. */
  readonly statementMs?: number | undefined
  readonly logger: Pick<Logger, 'warn'>
  readonly connectionName?: string | undefined
  readonly connections?: ConnectionCounts | undefined
  /** Another process brings the schema up and seals the log. */
  readonly isBeside?: boolean | undefined
  readonly startThread?: StartThread | undefined
  readonly upgrade: UpgradeOptions
}

const defaultStatementMs = 15_000
/** A migration may rewrite large tables. */
const migrationMs = 6 * 3_600_000
const transactionTries = 4
/** An index may be rebuilt, or a standby promoted, while the gateway serves. */
const forgetDamageMs = 600_000

/**
 * PostgreSQL by a pool of connections; reads of logs and statistics, exports, and the sealing of blocks, go through a worker
 * thread with a small pool of its own.
 */
export async function openPostgres({
  url,
  blockRows,
  spanBlocks,
  statementMs = defaultStatementMs,
  logger,
  connectionName,
  connections = connectionsOf(),
  isBeside,
  startThread,
  upgrade,
}: PostgresConfig): Promise<Database> {
  const name = connectionName ?? 'tollgate'
  const upgraded = isBeside ? undefined : await prepareSchema(url, connectionName, upgrade)
  const pool = await createPool(url, { connections: connections.calls, statementMs, name })
  const damage = new DamageWatch(forgetDamageMs)
  const db = kyselyOver(pool, damage)
  const worker = lazyWorker(() =>
    startPostgresWorker({ url, statementMs, connections: connections.reads }, damage, startThread),
  )
  const sealer = createSealer({
    blockRows,
    seal: async () => (await worker.link()).call<SealResult>({ op: 'seal', size: blockRows }),
    combine: async () => (await worker.link()).call<boolean>({ op: 'combine', size: spanBlocks }),
    logger,
  })
  const connection: Connection = {
    db,
    dialect: postgresDialect,
    damage,
    transaction: (work) =>
      retryingDeadlocks(() =>
        db.transaction().execute((transaction) => work(transactionConnection(connection, transaction))),
      ),
    batch: (statements) => connection.transaction((transaction) => transaction.batch(statements)),
    flush: (request) => flushInProcess(connection, request),
    read: async (name, ...args) => (await worker.link()).call({ op: 'read', name, args }),
    afterLogRows: sealer.rowsAdded,
    coverLogTimes: (times, width) => coverLogTimes(connection, times, width),
    rewriteLogRows: async (rewriting) => (await worker.link()).call<void>({ op: 'rewrite', rewriting }),
    async clearLogRows(before, deleted, signal) {
      const link = await worker.link()
      for (const op of ['drop-partition', 'clear'] as const)
        await clearAll(() => link.call<ClearResult>({ op, before }), deleted, signal)
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
    if (isBeside) requireCurrentSchema(await connection.read('readSchemaState', 'postgres'))
    const now = Math.floor(Date.now() / 1000)
    if (!isBeside) await connection.coverLogTimes({ from: now, to: now }, 'month')
  } catch (error) {
    await close()
    throw error
  }
  if (!isBeside) sealer.rowsAdded(0)
  return { ...connection, stream: streamOf(worker), upgraded, close }
}

/** Time to wait for the lock of the default partition, which long readers hold too. */
const partitionLockMs = 2000

async function coverLogTimes({ db, transaction }: Connection, times: Range, width: Width): Promise<void> {
  const isCovered =
    missingRanges(await runOver(db, postgresDialect, listPartitions()), times, width).length === 0
  if (isCovered) return
  await transaction(async (joined) => {
    await sql.raw(takeLock('partitions')).execute(joined.db)
    await sql.raw(`set local lock_timeout = ${partitionLockMs}`).execute(joined.db)
    await runOver(joined.db, postgresDialect, addPartitions(times, width))
  })
}

/** Factor of the pause before a transaction that deadlocked runs again. */
const deadlockPauseMs = 50

/**
 * Runs a transaction again that deadlocked: the server ends one of two, and nothing of it is written. Not at once, because the second run
 * would take the row for which the other has waited before that one wakes, and both would deadlock again; and not both at the same moment.
 */
async function retryingDeadlocks<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isDeadlock(error) || tries === transactionTries) throw error
      await pause(deadlockPauseMs * tries * (1 + Math.random()))
    }
  }
}

/** A statement that waits for a table has every later one wait behind it, those of the nodes that serve among them. */
const schemaLockMs = 500
/** Until a migration tries again, so that those go on meanwhile. */
const schemaRetryMs = 500
const schemaTries = 120

async function prepareSchema(
  url: string,
  ownConnection: string | undefined,
  upgrade: UpgradeOptions,
): Promise<UpgradeReport | undefined> {
  const pool = await createPool(url, { connections: 1, statementMs: migrationMs })
  const db = kyselyOver(pool)
  try {
    return await upgradeSchema(db, postgresDialect, {
      ...upgrade,
      ownConnection,
      statements: [takeLock('schema'), `set local lock_timeout = ${schemaLockMs}`],
      lockTables,
      copy: (into, choice) => copyPostgres(db, into, choice),
      attempt: retryingLocks,
    })
  } finally {
    await pool.end()
  }
}

/**
 * Runs `work` over the repositories' connection in a transaction that is open on `connection` already. Who opened the transaction
 * ends it.
 */
export async function withinTransaction<Result>(
  connection: PooledConnection,
  work: (joined: Connection) => Promise<Result>,
): Promise<Result> {
  const borrowed: QueryConnection = {
    query: (sql, parameters) => connection.query(sql, parameters),
    release: () => undefined,
  }
  const db = kyselyOver({ connect: async () => borrowed, end: async () => undefined })
  const base = {
    dialect: postgresDialect,
    damage: new DamageWatch(forgetDamageMs),
    afterLogRows: () => undefined,
  }
  return await db.connection().execute((single) => work(transactionConnection(base, single)))
}

async function retryingLocks(work: () => Promise<Migrated>): Promise<Migrated> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      const cause = error instanceof MigrationError ? error.cause : error
      if (!isLockConflict(cause) || tries === schemaTries) throw error
      await pause(schemaRetryMs)
    }
  }
}
