import { rmSync } from 'node:fs'
import type { Kysely } from 'kysely'
import type { SqlDialect } from '../../dialects/sql-dialect.ts'
import { migrationNames } from '../../schema/migrate.ts'
import type { Tables } from '../../schema/tables.ts'
import { runOver } from '../transaction-connection.ts'
import { copyFile, writeCopy } from './copy-before.ts'
import { type Migrated, type MigrateOptions, migrate } from './migrate.ts'
import { planUpgrade } from './plan.ts'
import { requireUsableSchema } from './require-current.ts'
import { readSchemaState } from './schema-state.ts'
import type { CopyChoice, UpgradeReport } from './upgrade-report.ts'

/** Options of upgrading a database of an older version. */
export interface UpgradeOptions {
  readonly dataDir: string
  readonly copyChoice: CopyChoice
  /** Writes the record of it, in the transaction of the migrations. */
  readonly record?: MigrateOptions['record']
}

interface Upgrading extends MigrateOptions {
  readonly dataDir: string
  readonly copyChoice: CopyChoice
  /** Writes a file with what is in the database. */
  copy(into: string, choice: Exclude<CopyChoice, 'none'>): Promise<void> | void
  /** Runs the migrations, again where others are in the way. */
  attempt?(work: () => Promise<Migrated>): Promise<Migrated>
}

/**
 * Brings the schema of a database up to this program, and copies what an older version has in it before.
 * @returns `undefined` for a new database, and for one that is of this version
 * @throws what `migrate` throws, and StoreOpenError when the copy cannot be written; the database is as it was then
 */
export async function upgradeSchema(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  { dataDir, copyChoice, copy, attempt = (work) => work(), ...options }: Upgrading,
): Promise<UpgradeReport | undefined> {
  const [pending] = await pendingOf(db, dialect)
  const file =
    copyChoice === 'none' || pending === undefined ? undefined : copyFile(dataDir, pending, new Date())
  if (file !== undefined && copyChoice !== 'none')
    await writeCopy(file, (partial) => copy(partial, copyChoice))
  const made = file === undefined ? undefined : { file, hasLog: copyChoice === 'all' }
  const { report } = await attempt(() => migrate(db, dialect, { ...options, copy: made }))
  // Another node was first, with a copy of its own.
  if (report === undefined && file !== undefined) rmSync(file, { force: true })
  return report
}

/** The migrations that a database of an older version lacks; none for an empty one. */
async function pendingOf(db: Kysely<Tables>, dialect: SqlDialect): Promise<readonly string[]> {
  const state = await runOver(db, dialect, readSchemaState(dialect.kind))
  if (state === undefined || state.applied.length === 0) return []
  requireUsableSchema(state)
  return planUpgrade(state.applied, migrationNames).pending
}
