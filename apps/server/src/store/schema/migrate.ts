import { type Kysely, sql, type Transaction } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { SqlDialect } from '../dialects/sql-dialect.ts'
import { SchemaTooNewError, StoreOpenError } from '../errors.ts'
import { initialSchema } from './0001-initial.ts'
import { balanceShares } from './0002-balance-shares.ts'
import { limitCounts } from './0004-limit-counts.ts'
import type { Tables } from './tables.ts'

/**
 * Migrates the schema to this program's version, in one transaction that excludes other processes: all of it or
 * nothing.
 * @param lock takes the dialect's lock at the start of the transaction
 * @throws SchemaTooNewError when the database has migrations that this program does not know
 */
export async function migrate(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  lock: string | undefined,
): Promise<void> {
  const known = migrations(dialect)
  await db.transaction().execute(async (transaction) => {
    if (lock !== undefined) await sql.raw(lock).execute(transaction)
    await refuseNewerSchema(transaction, Object.keys(known))
    const migrator = new Migrator({ db: transaction, provider: { getMigrations: async () => known } })
    const { error } = await migrator.migrateToLatest()
    if (error !== undefined) throw error
  })
}

async function refuseNewerSchema(db: Transaction<Tables>, known: readonly string[]): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some((table) => table.name === 'kysely_migration')) return
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  refuseUnknown(
    rows.map((row) => row.name),
    known,
  )
}

function refuseUnknown(applied: readonly string[], known: readonly string[]): void {
  const unknown = applied.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new SchemaTooNewError(
      `The database was written by another version of Tollgate (it has migration ${unknown}); start that version, or restore a backup made before it ran.`,
    )
}

/**
 * Whether this program can read the database as it is.
 * @param applied migrations that were applied; `undefined` when there is no record of them
 * @throws SchemaTooNewError, or StoreOpenError when it is not Tollgate's or older than this program
 */
export function requireCurrentSchema(applied: readonly string[] | undefined, dialect: SqlDialect): void {
  if (applied === undefined) throw new StoreOpenError('The database has no tables of Tollgate.')
  const known = Object.keys(migrations(dialect))
  refuseUnknown(applied, known)
  if (known.some((name) => !applied.includes(name)))
    throw new StoreOpenError(
      'The database was written by an older version of Tollgate: start this version once, which carries it over.',
    )
}

/** Every change of the schema, oldest first, forward only. A released one is never edited: add another. */
const schemas: Readonly<Record<string, (dialect: SqlDialect) => string[]>> = {
  '0001-initial': initialSchema,
  '0002-balance-shares': balanceShares,
  '0004-limit-counts': limitCounts,
}

/** The migrations as Kysely runs them. */
export function migrations(dialect: SqlDialect): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, statements]) => [
      name,
      {
        async up(db) {
          for (const statement of statements(dialect)) await sql.raw(statement).execute(db)
        },
      } satisfies Migration,
    ]),
  )
}
