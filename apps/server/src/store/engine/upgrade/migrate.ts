import { type Kysely, sql, type Transaction } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { thisProgram } from '../../../lib/program.ts'
import type { SqlDialect } from '../../dialects/sql-dialect.ts'
import { MigrationError } from '../../errors.ts'
import { migrationNames, migrations, statementsOf } from '../../schema/migrate.ts'
import { adoptStoredForms } from '../../schema/stored-forms.ts'
import type { Tables } from '../../schema/tables.ts'
import { runOver } from '../transaction-connection.ts'
import { planUpgrade, type UpgradePlan } from './plan.ts'
import { requireUsableSchema } from './require-current.ts'
import { readSchemaState } from './schema-state.ts'
import type { UpgradeReport } from './upgrade-report.ts'

export interface MigrateOptions {
  /** Statements at the start of the transaction; the first takes the dialect's lock. */
  readonly statements: readonly string[]
  /** Takes the tables that the statements of migrations change, where others write to them meanwhile. */
  readonly lockTables?:
    | ((db: Transaction<Tables>, statements: readonly string[]) => Promise<unknown>)
    | undefined
  /** Name of the connections of this node; absent for a command. */
  readonly ownConnection?: string | undefined
  /** Writes the record of an upgrade, in the transaction of the migrations. */
  readonly record?: ((report: UpgradeReport, db: Transaction<Tables>) => Promise<void>) | undefined
}

/** Changes of a start to a schema. */
export interface Migrated {
  /** `undefined` for a new database, and for one that was of this version. */
  readonly report: UpgradeReport | undefined
}

/**
 * Brings the schema up to this program, in one transaction that excludes other processes: all of it or nothing. The migrations
 * run that the database lacks, whichever order those came in that it has; what a newer program added stays, where that program
 * lets this one run.
 * @throws SchemaTooNewError or StoreOpenError when this program may not run on it
 * @throws MigrationError with the cause
 */
export async function migrate(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  { statements, lockTables, ownConnection, record, copy }: MigrateOptions & Pick<UpgradeReport, 'copy'>,
): Promise<Migrated> {
  return db.transaction().execute(async (transaction) => {
    for (const statement of statements) await sql.raw(statement).execute(transaction)
    const found = await runOver(transaction, dialect, readSchemaState(dialect.kind))
    const before = found !== undefined && found.applied.length > 0 ? found : undefined
    const plan = planUpgrade(before?.applied ?? [], migrationNames)
    if (before !== undefined) {
      requireUsableSchema(before)
      await lockTables?.(
        transaction,
        plan.pending.flatMap((name) => statementsOf(name, dialect)),
      )
    }
    await bringUp(transaction, dialect, plan, before?.applied ?? [])
    const ran = plan.pending
    const isAlone = await adoptStoredForms(transaction, dialect, ownConnection)
    if (before === undefined || ran.length === 0) return { report: undefined }
    const report = { before, ran, copy, waitsForNodes: !isAlone }
    await record?.(report, transaction)
    return { report }
  })
}

/** Runs the migrations that are not applied. */
async function bringUp(
  db: Transaction<Tables>,
  dialect: SqlDialect,
  plan: UpgradePlan,
  applied: readonly string[],
): Promise<void> {
  await recordNames(db, plan)
  await runPending(db, dialect, [...applied, ...plan.renamed.map(({ name }) => name)])
  if (plan.unknown.length === 0) await recordProgram(db)
}

/** Records migrations that the database has under a former name under the one of now. */
async function recordNames(db: Transaction<Tables>, { renamed }: UpgradePlan): Promise<void> {
  for (const { former, name } of renamed)
    await sql`insert into kysely_migration (name, timestamp)
      select ${name}, timestamp from kysely_migration where name = ${former}`.execute(db)
}

/** @param applied what the database has: names that this program does not know do nothing */
async function runPending(
  db: Transaction<Tables>,
  dialect: SqlDialect,
  applied: readonly string[],
): Promise<void> {
  const nothing: Migration = { async up() {} }
  const others = Object.fromEntries(applied.map((name) => [name, nothing]))
  const provider = { getMigrations: async () => ({ ...others, ...migrations(dialect) }) }
  const migrator = new Migrator({ db, provider, allowUnorderedMigrations: true })
  const { error, results } = await migrator.migrateToLatest()
  if (error === undefined) return
  const failed = results?.find(({ status }) => status === 'Error')
  throw failed === undefined ? error : new MigrationError(failed.migrationName, error)
}

/** A refusal of an older program names it. */
async function recordProgram(db: Transaction<Tables>): Promise<void> {
  const { version, commit } = thisProgram
  await sql`update database_identity set program_version = ${version}, program_commit = ${commit}`.execute(db)
}
