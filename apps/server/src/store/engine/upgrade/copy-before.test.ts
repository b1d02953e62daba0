import { Database } from 'bun:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deadline } from '../../../../../../scripts/deadline/deadline.mjs'
import { hasPostgres, type Postgres, startPostgres } from '../../../../../../tests/support/postgres.ts'
import { postgresForTests, sqliteForTests, type TestDatabase, type TestStore } from '../../contract/place.ts'
import { rejection } from '../../contract/rejection.ts'
import { flushOf, newUser, settlement } from '../../contract/samples.ts'
import { openStore } from '../open/open-store.ts'
import { type CopyChoice, copyFolder, type UpgradeReport } from './upgrade-report.ts'

setDefaultTimeout(deadline(30_000))

function copyContract(database: TestDatabase): void {
  describe(`the copy before an upgrade on ${database.dialect}`, () => {
    let testStore: TestStore
    let dataDir: string

    beforeEach(async () => {
      testStore = await database.createTestStore()
      dataDir =
        database.dialect === 'sqlite'
          ? testStore.config.dataDir
          : mkdtempSync(join(tmpdir(), 'tollgate-copy-'))
      const store = await openStore(testStore.config)
      const { id: userId } = await store.users.create(newUser({ username: 'ann' }))
      await store.ledger.flush(flushOf('one', 0, [settlement(1, { userId }), settlement(2, { userId })]))
      await store.close()
      await testStore.sql('drop index users_privileged')
      await testStore.sql(`delete from kysely_migration where name = '0017-privileged-users'`)
    })
    afterEach(async () => {
      await testStore.remove()
      rmSync(dataDir, { recursive: true, force: true })
    })

    async function upgrade(upgradeCopy?: CopyChoice): Promise<UpgradeReport['copy']> {
      let copy: UpgradeReport['copy']
      const store = await openStore({
        ...testStore.config,
        dataDir,
        ...(upgradeCopy !== undefined && { upgradeCopy }),
        recordUpgrade: async (report) => {
          copy = report.copy
        },
        logger: { warn: () => undefined },
      })
      await store.close()
      return copy
    }

    const countIn = (file: string, table: string) => {
      using copy = new Database(file, { readonly: true })
      return copy.query<{ n: number }, []>(`select count(*) as n from ${table}`).get()?.n
    }

    it('has every table but the log, as it was, in a file for its owner alone', async () => {
      const copy = await upgrade()
      const file = copy?.file ?? ''
      expect(copy?.hasLog).toBe(false)
      expect(readdirSync(join(dataDir, copyFolder))).toEqual([file.slice(file.lastIndexOf('/') + 1)])
      expect(file).toContain('before-0017-privileged-users.db')
      expect(countIn(file, `users where username = 'ann'`)).toBe(1)
      expect(countIn(file, 'user_accounts where used_quota > 0')).toBe(1)
      expect(countIn(file, `kysely_migration where name = '0017-privileged-users'`)).toBe(0)
      if (database.dialect === 'sqlite') expect(countIn(file, 'logs')).toBe(0)
      expect(statSync(join(dataDir, copyFolder)).mode & 0o077).toBe(0)
    })

    it('has the log too where all is wanted, and is not made where none is', async () => {
      const all = await upgrade('all')
      expect(countIn(all?.file ?? '', 'logs')).toBe(2)
      await testStore.sql('drop index users_privileged')
      await testStore.sql(`delete from kysely_migration where name = '0017-privileged-users'`)
      expect(await upgrade('none')).toBeUndefined()
      expect(readdirSync(join(dataDir, copyFolder))).toHaveLength(1)
    })

    it('is needed: without room for it nothing is changed, and the sentence says what to do', async () => {
      writeFileSync(join(dataDir, copyFolder), 'in the way')
      const { message } = (await rejection(upgrade())) as Error
      expect(message).toMatch(
        /^The copy before the upgrade cannot be written to [^\n]+: nothing was changed\. .*UPGRADE_COPY=none/,
      )
      const [left] = await testStore.sql(
        `select count(*) as n from kysely_migration where name = '0017-privileged-users'`,
      )
      expect(Number(left?.['n'])).toBe(0)
    })
  })
}

copyContract(sqliteForTests)

if (hasPostgres()) {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.stop())
  copyContract(postgresForTests(() => postgres))
}
