import { existsSync } from 'node:fs'
import type { Logger } from '../../lib/logger.ts'
import type { Database } from '../database.ts'
import { openSqlite } from '../dialects/sqlite.ts'
import { describeServer, StoreOpenError, toOpenError } from '../errors.ts'
import { defaultBlockRows, defaultSpanBlocks } from '../log-index/sealer.ts'
import type { Store } from '../store.ts'
import { createStore } from '../store.ts'
import { databaseFile } from './database-file.ts'
import { refuseMovedFolder } from './moved-marker.ts'
import { refuseWrongServer } from './refuse-wrong-server.ts'

export interface StoreConfig {
  /** `postgres://…`; without it SQLite in the data directory. */
  readonly databaseUrl?: string | undefined
  readonly dataDir: string
  readonly logger: Pick<Logger, 'warn'>
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
}

/**
 * Opens the store and migrates its schema to this program's version.
 * @throws StoreOpenError with one sentence for the operator, without credentials
 * @throws SchemaTooNewError when a newer program wrote the database
 */
export async function openStore(config: StoreConfig): Promise<Store> {
  return createStore(
    config.databaseUrl ? await openServer(config, config.databaseUrl) : await openFile(config),
  )
}

async function openFile({
  dataDir,
  logger,
  logBlockRows = defaultBlockRows,
  logSpanBlocks = defaultSpanBlocks.sqlite,
  isBeside,
}: StoreConfig): Promise<Database> {
  const file = databaseFile(dataDir)
  refuseMovedFolder(dataDir)
  try {
    if (isBeside && !existsSync(file)) throw new StoreOpenError(`There is no database ${file}.`)
    return await openSqlite({ file, blockRows: logBlockRows, spanBlocks: logSpanBlocks, isBeside, logger })
  } catch (error) {
    throw toOpenError(error, `The database ${file} cannot be used`)
  }
}

async function openServer(
  {
    dataDir,
    journalDatabase,
    logger,
    logBlockRows = defaultBlockRows,
    logSpanBlocks = defaultSpanBlocks.postgres,
    statementMs,
    connectionName,
    isBeside,
  }: StoreConfig,
  databaseUrl: string,
): Promise<Database> {
  const server = describeServer(databaseUrl)
  await refuseWrongServer({ databaseUrl, dataDir, journalDatabase })
  // Loaded on demand.
  const { openPostgres } = await import('../dialects/postgres.ts')
  try {
    return await openPostgres({
      url: databaseUrl,
      blockRows: logBlockRows,
      spanBlocks: logSpanBlocks,
      statementMs,
      connectionName,
      isBeside,
      logger,
    })
  } catch (error) {
    throw toOpenError(error, `The PostgreSQL database at ${server} cannot be used`)
  }
}
