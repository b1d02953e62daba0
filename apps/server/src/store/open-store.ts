import { join } from 'node:path'
import type { Logger } from '../lib/logger.ts'
import type { Database } from './database.ts'
import { openSqlite } from './dialects/sqlite.ts'
import { StoreFault, StoreOpenError } from './errors.ts'
import { defaultBlockRows } from './log-index/sealer.ts'
import { createStore } from './repositories/create-store.ts'
import { SchemaTooNewError, type Store } from './store.ts'

export interface StoreConfig {
  /** `postgres://…`; without it SQLite in the data directory. */
  readonly databaseUrl?: string | undefined
  readonly dataDir: string
  readonly logger: Pick<Logger, 'warn'>
  /** Rows per block of the log index. */
  readonly logBlockRows?: number
  /** Longest time a statement may take at a PostgreSQL server, in milliseconds. */
  readonly statementMs?: number
}

/**
 * Opens the store and brings its schema up to this program.
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
}: StoreConfig): Promise<Database> {
  const file = join(dataDir, 'tollgate.db')
  try {
    return await openSqlite({ file, blockRows: logBlockRows, logger })
  } catch (error) {
    throw explained(error, `The database ${file} cannot be used`)
  }
}

async function openServer(
  { logger, logBlockRows = defaultBlockRows, statementMs }: StoreConfig,
  databaseUrl: string,
): Promise<Database> {
  const server = serverIn(databaseUrl)
  // Loaded by those who use it.
  const { openPostgres } = await import('./dialects/postgres.ts')
  try {
    return await openPostgres({ url: databaseUrl, blockRows: logBlockRows, statementMs, logger })
  } catch (error) {
    throw explained(error, `The PostgreSQL database at ${server} cannot be used`)
  }
}

/** Host, port and database of the URL: what may be shown. */
function serverIn(databaseUrl: string): string {
  const url = URL.canParse(databaseUrl) ? new URL(databaseUrl) : undefined
  if (url === undefined || !['postgres:', 'postgresql:'].includes(url.protocol))
    throw new StoreOpenError(
      'DATABASE_URL is not a PostgreSQL URL: it must look like postgres://user:password@host:5432/database (leave it out to use SQLite).',
    )
  return `${url.host}${url.pathname}`
}

function explained(error: unknown, what: string): Error {
  if (error instanceof SchemaTooNewError) return error
  return new StoreOpenError(`${what}: ${reasonOf(error)}.`, { cause: error })
}

/** By the code that the system, SQLite or PostgreSQL gave. Their own texts may hold names that are nobody's business. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [
    /^(EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_PERM)/,
    'it may not be written; check who owns the data directory',
  ],
  [/^(ENOTDIR|EEXIST)/, 'a file stands where the data directory should be'],
  [/^SQLITE_CANTOPEN/, 'it cannot be opened; check that the data directory exists and may be written'],
  [/^(SQLITE_NOTADB|SQLITE_CORRUPT)/, 'the file is not a SQLite database, or it is damaged'],
  [/^(ENOSPC|SQLITE_FULL|53100)/, 'the disk is full'],
  [/^SQLITE_BUSY/, 'another program holds it'],
  [/^28/, 'the server refuses the user name or password'],
  [/^3D000/, 'the server has no such database'],
  [/^(42501|25006)/, 'this user may not create tables in it'],
  [/^53300/, 'the server takes no more connections'],
  [/^(ENOTFOUND|EAI_AGAIN)/, 'the host name is not known'],
  [/^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|57P03)/, 'no server answers there'],
]

function reasonOf(error: unknown): string {
  const code = codeOf(error)
  const known = reasons.find(([codes]) => codes.test(code))?.[1]
  if (known !== undefined) return known
  if (error instanceof StoreFault && error.kind === 'unavailable') return 'it does not answer'
  return code === '' ? 'it failed in an unexpected way' : `it failed with ${code}`
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return codeOf(error.cause)
}
