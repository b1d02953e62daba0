import { existsSync } from 'node:fs'
import type { Logger } from '../../../lib/logger.ts'
import type { Database } from '../../database.ts'
import { MigrationError, StoreOpenError, toOpenError } from '../../errors.ts'
import type { StoredOption } from '../../installation/options.ts'
import { createAuditLogRepository } from '../../log/audit-log.ts'
import { defaultBlockRows, defaultSpanBlocks } from '../../log/index/sealer.ts'
import type { Store } from '../../store.ts'
import { createStore } from '../../store.ts'
import { describeServer } from '../address/postgres-address.ts'
import { connectionsOf } from '../connection-counts.ts'
import { openSqlite } from '../connections/sqlite.ts'
import type { StartThread } from '../connections/worker-client.ts'
import { type CopyChoice, type UpgradeReport, upgradeText } from '../upgrade/upgrade-report.ts'
import type { UpgradeOptions } from '../upgrade/upgrade-schema.ts'
import { databaseFile } from './database-file.ts'
import { refuseMovedFolder } from './moved-marker.ts'
import { refuseWrongServer } from './refuse-wrong-server.ts'

export interface StoreConfig {
  /** `postgres://…`; without it SQLite in the data directory. */
  readonly databaseUrl?: string | undefined
  readonly dataDir: string
  readonly logger: Pick<Logger, 'warn'> & Partial<Pick<Logger, 'error'>>
  /** Rows per block of the log index. */
  readonly logBlockRows?: number
  /** Blocks per span of it. */
  readonly logSpanBlocks?: number
  /**
   * Another process may serve over it: schema and log index are left to that one, and a schema of another version is refused.
   */
  readonly isBeside?: boolean
  /** The database that the journal in the data directory belongs to; see `refuseWrongServer`. */
  readonly journalDatabase?: string | undefined
  /** Names the connections at a PostgreSQL server; changes carry the name of the connection that made them. */
  readonly connectionName?: string | undefined
  /** Longest time a statement may take at a PostgreSQL server, in milliseconds. */
  readonly statementMs?: number
  /** Processes of this machine that use the server at the same time: each opens fewer connections then. One by default. */
  readonly processes?: number | undefined
  /** Starts the thread that makes the program's streams: see `serveThread`. Without it the store has none. */
  readonly startThread?: StartThread
  /** Tables to copy into the data directory before the schema of an older version is upgraded; `tables` by default. */
  readonly upgradeCopy?: CopyChoice
  /** Tells the operator that it was; a warning of the log by default. */
  readonly announceUpgrade?: (report: UpgradeReport) => void
  /** Records that it was, in the same transaction. */
  readonly recordUpgrade?: (report: UpgradeReport, tx: UpgradedStore) => Promise<void>
}

/** Parts of a database that an upgrade reads and writes. */
interface UpgradedStore extends Pick<Store, 'auditLog'> {
  listOptions(): Promise<readonly StoredOption[]>
}

/**
 * Opens the store and migrates its schema to this program's version.
 * @throws StoreOpenError with one sentence for the operator, without credentials
 * @throws SchemaTooNewError when a newer program wrote the database
 */
export async function openStore(config: StoreConfig): Promise<Store> {
  try {
    const database = config.databaseUrl
      ? await openServer(config, config.databaseUrl)
      : await openFile(config)
    const { upgraded } = database
    if (upgraded !== undefined) announce(upgraded, config)
    return createStore(database)
  } catch (error) {
    // The sentence for the terminal has the first line of it alone.
    if (error instanceof StoreOpenError && error.cause instanceof MigrationError)
      config.logger.error?.({ err: error.cause }, error.message)
    throw error
  }
}

function announce(report: UpgradeReport, { announceUpgrade, logger }: StoreConfig): void {
  const { before, ran, copy } = report
  if (announceUpgrade !== undefined) announceUpgrade(report)
  else logger.warn({ from: before.program, migrations: ran, copy: copy?.file }, upgradeText(report))
}

function upgradeOf({ dataDir, upgradeCopy = 'tables', recordUpgrade }: StoreConfig): UpgradeOptions {
  return {
    dataDir,
    copyChoice: upgradeCopy,
    async record(report, db) {
      const listOptions = () => db.selectFrom('options').selectAll().execute()
      await recordUpgrade?.(report, { auditLog: createAuditLogRepository({ db }), listOptions })
    },
  }
}

async function openFile(config: StoreConfig): Promise<Database> {
  const { dataDir, logger, isBeside } = config
  const { logBlockRows = defaultBlockRows, logSpanBlocks = defaultSpanBlocks.sqlite } = config
  const file = databaseFile(dataDir)
  refuseMovedFolder(dataDir)
  try {
    if (isBeside && !existsSync(file)) throw new StoreOpenError(`There is no database ${file}.`)
    return await openSqlite({
      file,
      blockRows: logBlockRows,
      spanBlocks: logSpanBlocks,
      isBeside,
      startThread: config.startThread,
      upgrade: upgradeOf(config),
      logger,
    })
  } catch (error) {
    throw toOpenError(error, `The database ${file} cannot be used`)
  }
}

async function openServer(config: StoreConfig, databaseUrl: string): Promise<Database> {
  const { dataDir, journalDatabase, logger, statementMs, connectionName, isBeside, processes } = config
  const { logBlockRows = defaultBlockRows, logSpanBlocks = defaultSpanBlocks.postgres } = config
  const server = describeServer(databaseUrl)
  await refuseWrongServer({ databaseUrl, dataDir, journalDatabase })
  // Loaded on demand.
  const { openPostgres } = await import('../connections/postgres.ts')
  try {
    return await openPostgres({
      url: databaseUrl,
      blockRows: logBlockRows,
      spanBlocks: logSpanBlocks,
      statementMs,
      connectionName,
      connections: connectionsOf(processes),
      isBeside,
      startThread: config.startThread,
      upgrade: upgradeOf(config),
      logger,
    })
  } catch (error) {
    throw toOpenError(error, `The PostgreSQL database at ${server} cannot be used`)
  }
}
