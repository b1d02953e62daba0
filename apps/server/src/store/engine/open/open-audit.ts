import { existsSync, statSync } from 'node:fs'
import { postgresDialect } from '../../dialects/postgres-dialect.ts'
import type { SqlDialect } from '../../dialects/sql-dialect.ts'
import { sqliteDialect } from '../../dialects/sqlite-dialect.ts'
import { StoreOpenError, toOpenError } from '../../errors.ts'
import type { ReadArguments, ReadName, ReadResult } from '../../programs.ts'
import type { AuditRepository, LedgerRepository } from '../../store.ts'
import { describeServer } from '../address/postgres-address.ts'
import { startPostgresWorker } from '../connections/start-postgres-worker.ts'
import { startSqliteWorker } from '../connections/start-sqlite-worker.ts'
import type { WorkerClient } from '../connections/worker-client.ts'
import type { SqliteOpening } from '../connections/worker-messages.ts'
import { requireCurrentSchema, requireUsableSchema } from '../upgrade/require-current.ts'
import type { SchemaState } from '../upgrade/schema-state.ts'
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
  /** Opens one of an older version too, whose journal figures alone can be read. */
  readonly acceptsOlder?: boolean
}

/** Migration that added the stretches of journals which a database has. */
const spansMigration = '0015-journal-identity'

/** Longest time of a statement, apart from the audit's own, in milliseconds. */
const statementMs = 15_000

/**
 * Opens a database to read it: creates no folder, no file and no table, and applies no migration.
 * @throws StoreOpenError with one sentence when there is no such database, or not of this version
 * @throws SchemaTooNewError when a newer program wrote the database
 */
export async function openStoreForAudit(config: AuditStoreConfig): Promise<AuditStore> {
  const { databaseUrl, dataDir, acceptsOlder = false } = config
  if (!existsSync(dataDir)) throw new StoreOpenError(`There is no data directory ${dataDir}.`)
  return databaseUrl
    ? await openServer(databaseUrl, acceptsOlder)
    : await openFile(databaseFile(dataDir), acceptsOlder)
}

/**
 * Reads how far a database of any version is, and changes nothing; `undefined` where there is none yet.
 * @throws StoreOpenError with one sentence
 */
export async function readSchemaOf({
  databaseUrl,
  dataDir,
}: AuditStoreConfig): Promise<SchemaState | undefined> {
  const file = databaseFile(dataDir)
  if (!databaseUrl && !existsSync(file)) return undefined
  const name = databaseUrl ? `PostgreSQL database at ${describeServer(databaseUrl)}` : `database ${file}`
  const { kind } = databaseUrl ? postgresDialect : sqliteDialect
  try {
    const link = await (databaseUrl
      ? startPostgresWorker({ url: databaseUrl, statementMs })
      : startSqliteWorker(openingOf(file)))
    return await read(link, 'readSchemaState', kind).finally(() => link.close())
  } catch (error) {
    throw toOpenError(error, `The ${name} cannot be read`)
  }
}

/** Opens a file without a write-ahead log as immutable: no process has it open, and SQLite would create a log even to read it. */
function openingOf(file: string): SqliteOpening {
  return { file, readonly: true, immutable: !existsSync(walOf(file)) }
}

async function openServer(url: string, acceptsOlder: boolean): Promise<AuditStore> {
  const what = `The PostgreSQL database at ${describeServer(url)} cannot be read`
  return await openOver(() => startPostgresWorker({ url, statementMs }), postgresDialect, what, acceptsOlder)
}

async function openFile(file: string, acceptsOlder: boolean): Promise<AuditStore> {
  if (!existsSync(file)) throw new StoreOpenError(`There is no database ${file}.`)
  const opening = openingOf(file)
  const { mtimeMs } = statSync(file)
  const store = await openOver(
    () => startSqliteWorker(opening),
    sqliteDialect,
    `The database ${file} cannot be read`,
    acceptsOlder,
  )
  if (!opening.immutable) return store
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
  acceptsOlder: boolean,
): Promise<AuditStore> {
  try {
    const link = await start()
    const state = await read(link, 'readSchemaState', dialect.kind)
    try {
      if (acceptsOlder) requireUsableSchema(state)
      else requireCurrentSchema(state)
    } catch (error) {
      await link.close()
      throw error
    }
    const hasSpans = state?.applied.includes(spansMigration) === true
    return {
      audit: {
        findings: () => read(link, 'findDifferences'),
        clearedSpan: () => read(link, 'readClearedSpan'),
        nearGifts: (moneyOptions) => read(link, 'readNearGifts', moneyOptions),
      },
      ledger: {
        journalPosition: (node) => read(link, 'readJournalPosition', node),
        journalSpans: async (runs) => (hasSpans ? read(link, 'readJournalSpans', runs) : []),
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
