import { Database } from 'bun:sqlite'
import type { Logger } from '../../../lib/logger.ts'
import { sqliteDialect } from '../../dialects/sqlite-dialect.ts'
import { statementsOf } from '../../schema/migrate.ts'
import { copyUntouched } from '../copy-database.ts'
import { databaseFile } from '../open/database-file.ts'
import { openStore } from '../open/open-store.ts'
import { currentName } from '../upgrade/landed.ts'
import type { CopySource } from './copy-source.ts'
import { copyRowsInto } from './fill-file.ts'

/** Directory into which a database of an older version is copied, to be read as one of this version. */
interface Stage {
  /** A directory of its own. */
  readonly directory: string
  readonly logger: Pick<Logger, 'warn'>
}

/** Copies a SQLite database and brings the schema of the copy up to this program. The original stays as it is. */
export async function stageOlderFile(file: string, stage: Stage): Promise<void> {
  copyUntouched(file, databaseFile(stage.directory))
  await bringUp(stage)
}

/**
 * Does the same with a database of PostgreSQL: its rows go into a SQLite file of its own version first.
 * @param applied the migrations that it has
 */
export async function stageOlderServer(
  source: CopySource,
  applied: readonly string[],
  stage: Stage,
): Promise<void> {
  const database = new Database(databaseFile(stage.directory), { create: true, readwrite: true })
  try {
    // Nobody reads the file before it is whole.
    database.run('pragma journal_mode = off')
    database.run('pragma synchronous = off')
    for (const statement of schemaOf(applied)) database.run(statement)
    await copyRowsInto(database, source, () => undefined)
  } finally {
    database.close()
  }
  await bringUp(stage)
}

/** Upgrades the copy, which is of no use to anybody afterwards: nothing is set aside before. */
async function bringUp({ directory, logger }: Stage): Promise<void> {
  const store = await openStore({
    dataDir: directory,
    upgradeCopy: 'none',
    announceUpgrade: () => undefined,
    logger,
  })
  await store.close()
}

/** The statements of these migrations, with the record that they ran, as Kysely's migrator leaves it. */
function schemaOf(applied: readonly string[]): readonly string[] {
  return [
    'create table "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null)',
    'create table "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null)',
    `insert into kysely_migration_lock values ('migration_lock', 0)`,
    ...applied.flatMap((name) => [
      ...statementsOf(currentName(name), sqliteDialect),
      `insert into kysely_migration values ('${name}', '1970-01-01T00:00:00.000Z')`,
    ]),
  ]
}
