import { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { SQL } from 'bun'
import { encryptionReason, isDamage, StoreOpenError, toOpenError } from '../../errors.ts'
import { describeServer, PostgresTarget, postgresServer } from '../address/postgres-address.ts'
import { type ForeignConnection, type ForeignDatabase, foreignDatabase } from './foreign-database.ts'

const serverAddress = /^(mysql|postgres|postgresql):\/\//

/** Recognises the address of a database server; any other text is the name of a file. */
export function isServerAddress(text: string): boolean {
  return serverAddress.test(text)
}

/**
 * Opens a database of another program, to read: the file of an SQLite database, or a `mysql://` or `postgres://` address.
 * @throws StoreOpenError with one sentence, without credentials
 */
export async function openForeign(address: string): Promise<ForeignDatabase> {
  return isServerAddress(address) ? await openServer(address) : openFile(resolve(address))
}

function openFile(file: string): ForeignDatabase {
  if (!existsSync(file)) throw new StoreOpenError(`There is no file ${file} to import.`)
  const explained = (error: unknown) => unreadable(file, error)
  try {
    const database = new Database(file, { readonly: true })
    database.run('begin')
    const connection: ForeignConnection = {
      kind: 'sqlite',
      async query(statement, parameters) {
        return database.query(statement).all(...parameters) as Record<string, unknown>[]
      },
      quoted: (name) => `"${name}"`,
      async close() {
        database.close()
      },
    }
    // The first read finds out what the file is.
    database.query('select count(*) from sqlite_schema').all()
    return foreignDatabase(connection, file, explained)
  } catch (error) {
    throw explained(error)
  }
}

/** One moment of the database, to read alone. */
const beginnings = {
  mysql: ['set session transaction isolation level repeatable read', 'start transaction read only'],
  postgres: ['begin isolation level repeatable read read only'],
} as const

async function openServer(address: string): Promise<ForeignDatabase> {
  const kind = address.startsWith('mysql:') ? 'mysql' : 'postgres'
  const origin = kind === 'mysql' ? originOfMysql(address) : originOfPostgres(address)
  if (origin === undefined)
    throw new StoreOpenError(
      'The address of the database to import must look like mysql://user:password@host:3306/database or postgres://user:password@host:5432/database.',
    )
  const explained = (error: unknown) => serverError(error, origin)
  const begin = async (options: SqlOptions): Promise<SQL> => {
    // One connection: it has the transaction.
    const opened = new SQL({ ...options, max: 1, connectionTimeout: 10 })
    try {
      for (const statement of beginnings[kind]) await opened.unsafe(statement)
      return opened
    } catch (error) {
      await opened.close({ timeout: 0 })
      throw error
    }
  }
  const sql = await (kind === 'mysql' ? begin({ url: address }) : beginPostgres(address, begin)).catch(
    (error: unknown) => {
      throw error instanceof StoreOpenError ? error : explained(error)
    },
  )
  const connection: ForeignConnection = {
    kind,
    async query(statement, parameters) {
      const rows = await sql.unsafe(kind === 'mysql' ? statement : numbered(statement), [...parameters])
      return [...rows]
    },
    quoted: (name) => (kind === 'mysql' ? `\`${name}\`` : `"${name}"`),
    close: () => sql.close({ timeout: 0 }),
  }
  return foreignDatabase(connection, origin, explained)
}

function originOfMysql(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  return url === undefined || url.pathname.length < 2 ? undefined : `${url.host}${url.pathname}`
}

function originOfPostgres(address: string): string | undefined {
  return postgresServer(address).database === undefined ? undefined : describeServer(address)
}

type SqlOptions = ConstructorParameters<typeof SQL>[0] & object

/** Connects as libpq does: with each encryption that the address allows, until the server takes one. */
function beginPostgres<Opened>(
  address: string,
  begin: (options: SqlOptions) => Promise<Opened>,
): Promise<Opened> {
  const target = new PostgresTarget(address)
  return target.connect(() => {
    const { host = '', port = 0, user, password, database, ssl = false } = target.config
    const origin = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { hostname: host, port }
    const account = { username: user, password, database }
    return begin({ adapter: 'postgres', ...origin, ...account, tls: ssl } as SqlOptions)
  })
}

function numbered(statement: string): string {
  let count = 0
  return statement.replaceAll('?', () => `$${++count}`)
}

/** Reasons by the message of the server or the connection. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [
    /access denied|authentication failed|role .* does not exist/i,
    'the server refuses the user name or password',
  ],
  [/unknown database|database .* does not exist/i, 'the server has no such database'],
  [/refused|failed to connect|timeout|ECONN|ENOTFOUND|closed/i, 'no server responds there'],
]

function serverError(error: unknown, origin: string): Error {
  const text = error instanceof Error ? `${error.message} ${'code' in error ? String(error.code) : ''}` : ''
  const reason = encryptionReason(error) ?? reasons.find(([sign]) => sign.test(text))?.[1] ?? text.trim()
  return new StoreOpenError(`The database at ${origin} cannot be read: ${reason}.`, { cause: error })
}

/** Returns the error for an unreadable file; only our own files can be repaired. */
function unreadable(file: string, error: unknown): Error {
  const what = `The database ${file} cannot be read`
  if (!isDamage(error)) return toOpenError(error, what)
  return new StoreOpenError(`${what}: the file is not a SQLite database, or it is damaged.`, { cause: error })
}
