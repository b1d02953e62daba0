import { existsSync, statSync } from 'node:fs'
import { postgresDialect } from '../dialects/postgres-dialect.ts'
import type { SqlDialect } from '../dialects/sql-dialect.ts'
import { sqliteDialect } from '../dialects/sqlite-dialect.ts'
import { startPostgresWorker } from '../dialects/start-postgres-worker.ts'
import { startSqliteWorker } from '../dialects/start-sqlite-worker.ts'
import type { WorkerClient } from '../dialects/worker-client.ts'
import { describeServer, StoreOpenError, toOpenError } from '../errors.ts'
import type { ReadArguments, ReadName, ReadResult } from '../programs.ts'
import { requireCurrentSchema } from '../schema/migrate.ts'
import type { AuditRepository, LedgerRepository } from '../store.ts'
import { databaseFile } from './database-file.ts'

/** The read-only view of a database for an audit. */
export interface AuditStore {
  readonly audit: AuditRepository
  readonly ledger: Pick<LedgerRepository, 'journalPosition' | 'journalSpans' | 'databaseId'>
  close(): Promise<void>
}

export interface AuditStoreConfig {
  /** `postgres://…`; without it SQLite in the data directory. */
  readonly databaseUrl?: string | undefined
  readonly dataDir: string
}

/** Longest time of a statement, apart from the audit's own, in milliseconds. */
const statementMs = 15_000

/**
 * Opens a database to read it: creates no folder, no file and no table, and applies no migration.
 * @throws StoreOpenError with one sentence when there is no such database, or not of this version
 * @throws SchemaTooNewError when a newer program wrote the database
 */
export async function openStoreForAudit({ databaseUrl, dataDir }: AuditStoreConfig): Promise<AuditStore> {
  if (!existsSync(dataDir)) throw new StoreOpenError(`There is no data directory ${dataDir}.`)
  return databaseUrl ? await openServer(databaseUrl) : await openFile(databaseFile(dataDir))
}

async function openServer(url: string): Promise<AuditStore> {
  const what = `The PostgreSQL database at ${describeServer(url)} cannot be audited`
  return await openOver(() => startPostgresWorker({ url, statementMs }), postgresDialect, what)
}

async function openFile(file: string): Promise<AuditStore> {
  if (!existsSync(file)) throw new StoreOpenError(`There is no database ${file}.`)
  // Without a write-ahead log no process has the file open, and SQLite would create one even to read it.
  const immutable = !existsSync(walOf(file))
  const { mtimeMs } = statSync(file)
  const store = await openOver(
    () => startSqliteWorker({ file, readonly: true, immutable }),
    sqliteDialect,
    `The database ${file} cannot be audited`,
  )
  if (!immutable) return store
  return {
    ...store,
    audit: {
      ...store.audit,
      async findings() {
        const findings = await store.audit.findings()
        if (existsSync(walOf(file)) || statSync(file).mtimeMs !== mtimeMs)
          throw new StoreOpenError('Tollgate was started while its database was audited: audit it again.')
        return findings
      },
    },
  }
}

function walOf(file: string): string {
  return `${file}-wal`
}

async function openOver(
  start: () => Promise<WorkerClient>,
  dialect: SqlDialect,
  what: string,
): Promise<AuditStore> {
  try {
    const link = await start()
    try {
      requireCurrentSchema(await read(link, 'readMigrations', dialect.kind), dialect)
    } catch (error) {
      await link.close()
      throw error
    }
    return {
      audit: {
        findings: () => read(link, 'findDifferences'),
        clearedSpan: () => read(link, 'readClearedSpan'),
        nearGifts: (moneyOptions) => read(link, 'readNearGifts', moneyOptions),
      },
      ledger: {
        journalPosition: (node) => read(link, 'readJournalPosition', node),
        journalSpans: (runs) => read(link, 'readJournalSpans', runs),
        databaseId: () => read(link, 'readDatabaseId'),
      },
      close: link.close,
    }
  } catch (error) {
    throw toOpenError(error, what)
  }
}

function read<Name extends ReadName>(
  link: WorkerClient,
  name: Name,
  ...args: ReadArguments<Name>
): Promise<ReadResult<Name>> {
  return link.call({ op: 'read', name, args })
}
