import { type Kysely, sql, type Transaction } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { SqlWords } from './dialects/words.ts'
import { migrations } from './migrations/index.ts'
import { SchemaTooNewError } from './store.ts'
import type { Tables } from './tables.ts'

/**
 * Brings the schema up to this program, in one transaction that no other process can enter meanwhile: what it did is
 * there whole or not at all.
 * @param lock takes the dialect's lock at the start of the transaction
 * @throws SchemaTooNewError when the database has migrations that this program does not know
 */
export async function migrate(db: Kysely<Tables>, words: SqlWords, lock: string | undefined): Promise<void> {
  const known = migrations(words)
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
  const unknown = rows.find((row) => !known.includes(row.name))
  if (unknown !== undefined)
    throw new SchemaTooNewError(
      `The database was written by a newer version of Tollgate (it has migration ${unknown.name}); start that version, or restore a backup made before it ran.`,
    )
}
