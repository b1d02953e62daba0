import { type Kysely, sql, type Transaction } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { SqlDialect } from '../dialects/sql-dialect.ts'
import { SchemaTooNewError, StoreOpenError } from '../errors.ts'
import { initialSchema } from './0001-initial.ts'
import { balanceShares } from './0002-balance-shares.ts'
import { fleetSchema } from './0003-fleet.ts'
import { limitCounts } from './0004-limit-counts.ts'
import { logPartitions } from './0005-log-partitions.ts'
import { attemptCounts } from './0006-attempt-counts.ts'
import { logSpans } from './0007-log-spans.ts'
import { costs } from './0008-costs.ts'
import { paymentReversals } from './0009-payment-reversals.ts'
import { secretRotation } from './0010-secret-rotation.ts'
import { imports } from './0011-imports.ts'
import { usageExport } from './0012-usage-export.ts'
import { securityEvents } from './0013-security-events.ts'
import { failedCalls } from './0014-failed-calls.ts'
import { journalIdentity } from './0015-journal-identity.ts'
import { paymentIdentity } from './0016-payment-identity.ts'
import { privilegedUsers } from './0017-privileged-users.ts'
import { credentialVersions } from './0018-credentials.ts'
import { moves } from './0021-moves.ts'
import type { Tables } from './tables.ts'

/**
 * Migrates the schema to this program's version, in one transaction that excludes other processes: all of it or
 * nothing.
 * @param preparations statements at the start of the transaction; the first takes the dialect's lock
 * @throws SchemaTooNewError when a newer program wrote the database, and says that this one is too old for it
 */
export async function migrate(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  preparations: readonly string[],
): Promise<void> {
  const known = migrations(dialect)
  await db.transaction().execute(async (transaction) => {
    for (const statement of preparations) await sql.raw(statement).execute(transaction)
    if (await isNewer(transaction, Object.keys(known))) return
    const migrator = new Migrator({ db: transaction, provider: { getMigrations: async () => known } })
    const { error } = await migrator.migrateToLatest()
    if (error !== undefined) throw error
    await sql`update database_identity set oldest_program = ${oldestProgram}`.execute(transaction)
  })
}

/** Whether a newer program brought the schema up, which this one works on: nothing is left to do. */
async function isNewer(db: Transaction<Tables>, known: readonly string[]): Promise<boolean> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some((table) => table.name === 'kysely_migration')) return false
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  const unknown = rows.find(({ name }) => !known.includes(name))
  if (unknown === undefined) return false
  const identity = tables.find((table) => table.name === 'database_identity')
  const saysOldest = identity?.columns.some((column) => column.name === 'oldest_program')
  if (!saysOldest || !(await worksWith(db, known))) throw tooNew(unknown.name)
  return true
}

async function worksWith(db: Transaction<Tables>, known: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{
    oldest: string
  }>`select oldest_program as oldest from database_identity`.execute(db)
  return rows.every(({ oldest }) => known.includes(oldest))
}

function tooNew(migration: string): SchemaTooNewError {
  return new SchemaTooNewError(
    `The database was written by another version of Tollgate (it has migration ${migration}); start that version, or restore a backup made before it ran.`,
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
  const unknown = applied.find((name) => !known.includes(name))
  if (unknown !== undefined) throw tooNew(unknown)
  if (known.some((name) => !applied.includes(name)))
    throw new StoreOpenError(
      'The database was written by an older version of Tollgate: start this version once, which carries it over.',
    )
}

/** Every change of the schema, oldest first, forward only. A released one is never edited: add another. */
const schemas: Readonly<Record<string, (dialect: SqlDialect) => string[]>> = {
  '0001-initial': initialSchema,
  '0002-balance-shares': balanceShares,
  '0003-fleet': fleetSchema,
  '0004-limit-counts': limitCounts,
  '0005-log-partitions': logPartitions,
  '0006-attempt-counts': attemptCounts,
  '0007-log-spans': logSpans,
  '0008-costs': costs,
  '0009-payment-reversals': paymentReversals,
  '0010-secret-rotation': secretRotation,
  '0011-imports': imports,
  '0012-usage-export': usageExport,
  '0013-security-events': securityEvents,
  '0014-failed-calls': failedCalls,
  '0015-journal-identity': journalIdentity,
  '0016-payment-identity': paymentIdentity,
  '0017-privileged-users': privilegedUsers,
  '0018-credentials': credentialVersions,
  '0021-moves': moves,
}

/**
 * The last migration that the oldest program knows which works on this schema. A migration that only adds leaves it, so that
 * nodes of both versions run side by side during an upgrade; one that removes raises it to a version which needs what it
 * removes no more.
 */
const oldestProgram = '0003-fleet'

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
