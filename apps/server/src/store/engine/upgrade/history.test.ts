import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../../../../scripts/deadline/deadline.mjs'
import { hasPostgres, type Postgres, startPostgres } from '../../../../../../tests/support/postgres.ts'
import { openBeside } from '../../../../../../tests/support/processes/open-beside.ts'
import { postgresForTests, sqliteForTests, type TestDatabase, type TestStore } from '../../contract/place.ts'
import { rejection } from '../../contract/rejection.ts'
import { postgresDialect } from '../../dialects/postgres-dialect.ts'
import { sqliteDialect } from '../../dialects/sqlite-dialect.ts'
import { StoreOpenError } from '../../errors.ts'
import { migrationNames, statementsOf } from '../../schema/migrate.ts'
import { openStore, type StoreConfig } from '../open/open-store.ts'
import { currentName } from './landed.ts'
import { describeSchema } from './test-support/describe-schema.ts'
import formerSchemas from './test-support/former-schemas.json' with { type: 'json' }
import type { UpgradeReport } from './upgrade-report.ts'

setDefaultTimeout(deadline(30_000))

/** Statements as Kysely's migrator makes them. */
const migrationTable =
  'create table "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null)'
const lockTables = [
  'create table "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null)',
  `insert into kysely_migration_lock values ('migration_lock', 0)`,
]

/** Builds the database that a former program left: its statements, which have not changed since, under its names. */
async function build(
  { sql, config }: TestStore,
  dialect: TestDatabase['dialect'],
  names: readonly string[],
): Promise<void> {
  const words = dialect === 'sqlite' ? sqliteDialect : postgresDialect
  const statements = names.flatMap((name, index) => [
    ...statementsOf(currentName(name), words),
    `insert into kysely_migration values ('${name}', '2026-11-2${index % 10}T00:00:00.000Z')`,
  ])
  const all = [migrationTable, ...lockTables, ...statements].join(';\n')
  if (dialect === 'postgres') await sql(all)
  else runTogether(config.dataDir, all)
}

/** One transaction: each statement by itself would wait for the disk. */
function runTogether(dataDir: string, statements: string): void {
  using database = openBeside(dataDir)
  database.run(`begin;\n${statements};\ncommit`)
}

/** Opens the store as a start does; returns what it recorded and said. */
async function upgrade(config: StoreConfig) {
  const reports: UpgradeReport[] = []
  const warnings: string[] = []
  const store = await openStore({
    ...config,
    recordUpgrade: async (report) => void reports.push(report),
    logger: { warn: (_facts: unknown, text = '') => void warnings.push(text) },
  })
  await store.close()
  return { reports, warnings }
}

type FormerSchema = (typeof formerSchemas)[number]

/**
 * Recognises a schema whose migrations begin the present list: an upgrade then runs what a fresh database runs, in the same order.
 */
const isBeginning = ({ migrations }: FormerSchema) =>
  migrations.every((name, index) => currentName(name) === migrationNames[index])
const beginnings = formerSchemas.filter(isBeginning)
/** Every order of landing; of those that are a beginning of the present one, the shortest and the longest. */
const ordersOfLanding = formerSchemas.filter(
  (former) => !isBeginning(former) || former === beginnings[0] || former === beginnings.at(-1),
)

function historyContract(database: TestDatabase, formers: readonly FormerSchema[]): void {
  describe(`a database of a former commit on ${database.dialect}`, () => {
    const positions: TestStore[] = []
    let fresh: readonly string[]

    const newPosition = async () => {
      const testStore = await database.createTestStore()
      positions.push(testStore)
      return testStore
    }
    beforeAll(async () => {
      const testStore = await newPosition()
      await (await openStore(testStore.config)).close()
      fresh = await describeSchema(testStore)
    })
    afterAll(async () => {
      for (const testStore of positions) await testStore.remove()
    })

    for (const { commit, migrations } of formers)
      it(`of ${commit} (${migrations.at(-1)}) starts, with the schema of a fresh one`, async () => {
        const testStore = await newPosition()
        await build(testStore, database.dialect, migrations)
        const { reports, warnings } = await upgrade(testStore.config)
        expect(await describeSchema(testStore)).toEqual([...fresh])
        const ran = migrationNames.filter((name) => !migrations.map(currentName).includes(name)).toSorted()
        expect(reports).toMatchObject([{ ran }])
        expect(warnings).toHaveLength(1)
        for (const name of ran) expect(warnings[0]).toContain(name)
        // A second start finds nothing to do.
        expect(await upgrade(testStore.config)).toEqual({ reports: [], warnings: [] })
      })

    it('runs what a newer program left out, beside what it added', async () => {
      const testStore = await newPosition()
      await build(testStore, database.dialect, ['0001-initial', '0003-fleet'])
      await testStore.sql(`insert into kysely_migration values ('9999-later', '2030-01-01T00:00:00Z')`)
      await testStore.sql(`update database_identity set oldest_program = '0003-fleet'`)
      expect((await upgrade(testStore.config)).reports).toHaveLength(1)
      expect(await describeSchema(testStore)).toEqual([...fresh])
    })

    it('refuses one from before the first schema, and names the program that reads it', async () => {
      const testStore = await newPosition()
      await testStore.sql(migrationTable)
      await testStore.sql(`insert into kysely_migration values ('0001-first', '2026-11-21T00:00:00Z')`)
      const error = await rejection(openStore(testStore.config))
      expect(error).toBeInstanceOf(StoreOpenError)
      expect(String(error)).toContain('start Tollgate 0.1.0 (commit 6978d31a75b2)')
    })

    it('says which migration failed and why, and leaves the database as it was', async () => {
      const testStore = await newPosition()
      await build(testStore, database.dialect, ['0001-initial', '0002-balance-shares'])
      await testStore.sql('create table attempt_counts (mine integer)')
      const before = await describeSchema(testStore)
      const errors: unknown[] = []
      const error = await rejection(
        openStore({
          ...testStore.config,
          logger: { ...testStore.config.logger, error: (facts: unknown) => void errors.push(facts) },
        }),
      )
      expect(String(error)).toMatch(/migration 0006-attempt-counts: .*attempt_counts.* already exists/)
      expect(errors).toMatchObject([{ err: { migration: '0006-attempt-counts' } }])
      expect(await describeSchema(testStore)).toEqual([...before])
    })
  })
}

historyContract(sqliteForTests, formerSchemas)

if (hasPostgres()) {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.stop())
  historyContract(
    postgresForTests(() => postgres),
    ordersOfLanding,
  )
}
