import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely } from 'kysely'
import type { Logger } from '../../../lib/logger.ts'
import type { Connection, Database } from '../../database.ts'
import { sqliteDialect } from '../../dialects/sqlite-dialect.ts'
import { StoreFault } from '../../errors.ts'
import { type ClearResult, clearAll } from '../../log/index/clear.ts'
import type { SealResult } from '../../log/index/seal.ts'
import { createSealer } from '../../log/index/sealer.ts'
import { isLong } from '../../programs.ts'
import type { Tables } from '../../schema/tables.ts'
import { DamageWatch } from '../damage.ts'
import { transactionConnection } from '../transaction-connection.ts'
import { copySqlite } from '../upgrade/copy-before.ts'
import { requireCurrentSchema } from '../upgrade/require-current.ts'
import type { UpgradeReport } from '../upgrade/upgrade-report.ts'
import { type UpgradeOptions, upgradeSchema } from '../upgrade/upgrade-schema.ts'
import { createMutex } from './mutex.ts'
import { writerDialect } from './sqlite-driver.ts'
import { startSqliteWorker } from './start-sqlite-worker.ts'
import { lazyWorker, type StartThread, streamOf, type WorkerClient } from './worker-client.ts'
import type { Executed } from './worker-messages.ts'

export interface SqliteConfig {
  readonly file: string
  readonly blockRows: number
  readonly spanBlocks: number
  /** Another process brings the schema up and seals the log. */
  readonly isBeside?: boolean | undefined
  readonly startThread?: StartThread | undefined
  readonly upgrade: UpgradeOptions
  readonly logger: Pick<Logger, 'warn'>
}

const writerWaitMs = 15_000

/**
 * SQLite in worker threads: one has the only connection that writes, three read, so that neither traffic nor a charge waits for a page.
 * The first page of a log or of statistics starts one of them, the first sum over all users another, the first export the third: a page
 * waits for neither.
 */
export async function openSqlite({
  file,
  blockRows,
  spanBlocks,
  isBeside,
  startThread,
  upgrade,
  logger,
}: SqliteConfig): Promise<Database> {
  mkdirSync(dirname(file), { recursive: true })
  const damage = new DamageWatch()
  const writer = await startSqliteWorker({ file, readonly: false }, damage)
  const startReader = () => startSqliteWorker({ file, readonly: true }, damage)
  const [pageReader, sumReader] = [lazyWorker(startReader), lazyWorker(startReader)]
  const exporter = lazyWorker(() => startSqliteWorker({ file, readonly: true }, damage, startThread))
  const { acquire } = createMutex(
    'the database writer; was it asked for outside of the transaction that holds it?',
    writerWaitMs,
  )

  async function holdingWriter<Result>(work: () => Promise<Result>): Promise<Result> {
    const release = await acquire()
    try {
      return await work()
    } finally {
      release()
    }
  }

  const db = new Kysely<Tables>({
    dialect: writerDialect({ acquire, execute: (statement) => writer.call({ op: 'execute', statement }) }),
  })
  const sealer = createSealer({
    blockRows,
    seal: () => holdingWriter(() => writer.call<SealResult>({ op: 'seal', size: blockRows })),
    combine: () => holdingWriter(() => writer.call<boolean>({ op: 'combine', size: spanBlocks })),
    logger,
  })
  const connection: Connection = {
    db,
    dialect: sqliteDialect,
    damage,
    transaction: (work) =>
      db.transaction().execute((transaction) => work(transactionConnection(connection, transaction))),
    batch: (statements) => holdingWriter(() => writer.call<void>({ op: 'batch', statements })),
    flush: (flush) => holdingWriter(() => writer.call<number>({ op: 'flush', flush })),
    async read(name, ...args) {
      const reader = isLong(name) ? sumReader : pageReader
      return await (await reader.link()).call({ op: 'read', name, args })
    },
    async coverLogTimes() {},
    afterLogRows: sealer.rowsAdded,
    rewriteLogRows: (rewriting) => holdingWriter(() => writer.call<void>({ op: 'rewrite', rewriting })),
    clearLogRows: (before, deleted, signal) =>
      clearAll(() => holdingWriter(() => writer.call<ClearResult>({ op: 'clear', before })), deleted, signal),
  }
  async function checkPages(signal: AbortSignal): Promise<void> {
    const checker = await startSqliteWorker({ file, readonly: true }, damage)
    const aborted = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    try {
      await Promise.race([checkTables(checker, damage, signal), aborted])
    } finally {
      // A look that is over time ends with its thread.
      void checker.close()
    }
  }
  async function close(): Promise<void> {
    await sealer.close()
    await Promise.all([pageReader, sumReader, exporter].map((worker) => worker.close()))
    // After the work that holds it; work that never releases it does not stop the program from ending.
    await holdingWriter(() => writer.close()).finally(() => writer.close())
  }
  async function prepareSchema(): Promise<UpgradeReport | undefined> {
    if (!isBeside)
      return upgradeSchema(db, sqliteDialect, {
        ...upgrade,
        statements: [],
        copy: (into, choice) => copySqlite(file, into, choice),
      })
    requireCurrentSchema(await connection.read('readSchemaState', 'sqlite'))
    return undefined
  }
  try {
    const upgraded = await prepareSchema()
    if (!isBeside) sealer.rowsAdded(0)
    return { ...connection, stream: streamOf(exporter), checkPages, upgraded, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** A table at a time: what the look of one holds in the write-ahead log is free before the next. */
async function checkTables(checker: WorkerClient, damage: DamageWatch, signal: AbortSignal): Promise<void> {
  const ask = async (text: string) =>
    (await checker.call<Executed>({ op: 'execute', statement: { sql: text, parameters: [] } })).rows
  const tables = await ask(`select name from sqlite_schema where type = 'table' and rootpage > 0`)
  for (const { name } of tables) {
    if (signal.aborted) return
    const [found] = await ask(`pragma quick_check("${name}")`)
    const text = String(found?.['quick_check'] ?? 'no answer')
    if (text !== 'ok') throw damage.seen(new StoreFault('damaged', `SQLite: ${text.replace(/\s+/g, ' ')}`))
  }
}
