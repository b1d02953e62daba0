import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deadline } from '../../../../../../scripts/deadline/deadline.mjs'
import { hasPostgres, type Postgres, startPostgres } from '../../../../../../tests/support/postgres.ts'
import { postgresForTests, sqliteForTests, type TestDatabase, type TestStore } from '../../contract/place.ts'
import { rejection } from '../../contract/rejection.ts'
import { flushOf, newUser, settlement } from '../../contract/samples.ts'
import { SchemaTooNewError, StoreOpenError } from '../../errors.ts'
import { openStoreForAudit } from './open-audit.ts'
import { openStore } from './open-store.ts'

setDefaultTimeout(deadline(30_000))

async function refusal(testStore: Partial<TestStore['config']>): Promise<string> {
  const error = await rejection(openStoreForAudit({ dataDir: tmpdir(), ...testStore }))
  expect(error).toBeInstanceOf(StoreOpenError)
  return (error as Error).message
}

function auditContract(database: TestDatabase): void {
  describe(`openStoreForAudit on ${database.dialect}`, () => {
    let testStore: TestStore

    beforeEach(async () => {
      testStore = await database.createTestStore()
    })
    afterEach(() => testStore.remove())

    async function fill(): Promise<void> {
      const store = await openStore(testStore.config)
      const { id: userId } = await store.users.create(newUser())
      await store.ledger.flush(flushOf('one', 0, [settlement(1, { userId }), settlement(2, { userId })]))
      await store.close()
    }

    it('reads the database of a stopped gateway', async () => {
      await fill()
      await testStore.sql('update user_accounts set quota = quota + 1')
      const { audit, ledger, close } = await openStoreForAudit(testStore.config)
      expect(await audit.findings()).toMatchObject([{ expected: -200, found: -199 }])
      expect(await ledger.journalPosition('one')).toBe(2)
      expect(await ledger.journalPosition('nobody')).toBe(0)
      expect(await ledger.databaseId()).toMatch(/^[0-9a-f]{32}$/)
      await close()
    })

    it('reads the current state while the gateway runs', async () => {
      const store = await openStore(testStore.config)
      const books = await openStoreForAudit(testStore.config)
      const { id: userId } = await store.users.create(newUser())
      await store.ledger.flush(flushOf('one', 0, [settlement(1, { userId })]))
      expect(await books.ledger.journalPosition('one')).toBe(1)
      expect(await books.audit.findings()).toEqual([])
      await books.close()
      await store.close()
    })

    it('creates no table in an empty database', async () => {
      if (database.dialect === 'sqlite') await testStore.sql('create table other (id integer)')
      expect(await refusal(testStore.config)).toBe('The database has no tables of Tollgate.')
      expect(await rejection(testStore.sql('select * from kysely_migration'))).toBeInstanceOf(Error)
    })

    it('refuses the database of an older or a newer version, and leaves it as it was', async () => {
      await testStore.sql('create table kysely_migration (name text primary key, timestamp text not null)')
      expect(await refusal(testStore.config)).toContain('older version')
      expect(await testStore.sql('select name from kysely_migration')).toEqual([])
      await testStore.sql(`insert into kysely_migration values ('9999-later', '2030-01-01T00:00:00Z')`)
      expect(await rejection(openStoreForAudit(testStore.config))).toBeInstanceOf(SchemaTooNewError)
    })
  })
}

auditContract(sqliteForTests)

describe('openStoreForAudit', () => {
  let dataDir: string
  const logger = { warn: () => undefined }

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'tollgate-audit-'))
  })
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

  it('fails without a database, and creates nothing', async () => {
    expect(await refusal({ dataDir: join(dataDir, 'mistyped') })).toBe(
      `There is no data directory ${join(dataDir, 'mistyped')}.`,
    )
    expect(await refusal({ dataDir })).toBe(`There is no database ${join(dataDir, 'tollgate.db')}.`)
    expect(readdirSync(dataDir)).toEqual([])
  })

  it('leaves the folder of a stopped gateway byte for byte as it was', async () => {
    await (await openStore({ dataDir, logger })).close()
    const before = readFileSync(join(dataDir, 'tollgate.db'))
    const { audit, close } = await openStoreForAudit({ dataDir })
    expect(readdirSync(dataDir)).toEqual(['tollgate.db'])
    expect(await audit.findings()).toEqual([])
    await close()
    expect(readdirSync(dataDir)).toEqual(['tollgate.db'])
    expect(readFileSync(join(dataDir, 'tollgate.db')).equals(before)).toBe(true)
  })

  it('reports that the gateway was started meanwhile', async () => {
    await (await openStore({ dataDir, logger })).close()
    const { audit, close } = await openStoreForAudit({ dataDir })
    const gateway = await openStore({ dataDir, logger })
    await gateway.users.create(newUser())
    expect(String(await rejection(audit.findings()))).toContain('audit it again')
    await close()
    await gateway.close()
  })

  it('reports a file that is not a database', async () => {
    writeFileSync(join(dataDir, 'tollgate.db'), 'x'.repeat(8192))
    expect(await refusal({ dataDir })).toContain('not a SQLite database')
  })
})

if (hasPostgres()) {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.stop())
  auditContract(postgresForTests(() => postgres))

  it('reports a database that the server does not have', async () => {
    const url = new URL(await postgres.createDatabase())
    url.pathname = '/mistyped'
    expect(await refusal({ databaseUrl: url.href })).toContain('the server has no such database')
  })
}
