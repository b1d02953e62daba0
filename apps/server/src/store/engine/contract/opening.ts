import { afterEach, describe, expect, it } from 'bun:test'
import type { TestDatabase, TestStore } from '../../contract/place.ts'
import { rejection } from '../../contract/rejection.ts'
import { flushOf, newUser, settlement } from '../../contract/samples.ts'
import { sqliteDialect } from '../../dialects/sqlite-dialect.ts'
import { SchemaTooNewError } from '../../errors.ts'
import { migrations } from '../../schema/migrate.ts'
import type { Store } from '../../store.ts'
import { openStore } from '../open/open-store.ts'

/** Number of migrations, the same for both databases. */
const migrationCount = Object.keys(migrations(sqliteDialect)).length

export function openingContract(database: TestDatabase): void {
  describe('openStore', () => {
    const opened: Store[] = []
    const positions: TestStore[] = []

    async function createTestStore(): Promise<TestStore> {
      const testStore = await database.createTestStore()
      positions.push(testStore)
      return testStore
    }
    async function open({ config }: TestStore): Promise<Store> {
      const store = await openStore(config)
      opened.push(store)
      return store
    }
    afterEach(async () => {
      for (const store of opened.splice(0)) await store.close()
      for (const testStore of positions.splice(0)) await testStore.remove()
    })

    it('finds again what it kept', async () => {
      const testStore = await createTestStore()
      const first = await open(testStore)
      expect(first.kind).toBe(database.dialect)
      const user = await first.users.create(newUser())
      await first.ledger.flush(flushOf('one', 0, [settlement(1, { userId: 0 })]))
      await first.close()
      const again = await open(testStore)
      expect(await again.users.find(user.id)).toEqual(user)
      expect(await again.ledger.journalPosition('one')).toBe(1)
    })

    it('brings the schema up once when several start at the same time', async () => {
      const testStore = await createTestStore()
      const stores = await Promise.all([open(testStore), open(testStore), open(testStore)])
      const users = await Promise.all(stores.map((store) => store.users.create(newUser())))
      expect(new Set(users.map((user) => user.id)).size).toBe(3)
      const [applied] = await testStore.sql('select count(*) as n from kysely_migration')
      expect(Number(applied?.['n'])).toBe(migrationCount)
    })

    it('refuses a database that a newer program wrote, and leaves it as it was', async () => {
      const testStore = await createTestStore()
      await (await open(testStore)).close()
      await testStore.sql(
        `insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01T00:00:00Z')`,
      )
      await testStore.sql(`update database_identity set oldest_program = '9999-later'`)
      const error = await rejection(openStore(testStore.config))
      expect(error).toBeInstanceOf(SchemaTooNewError)
      expect(String(error)).toContain('9999-later')
      const [left] = await testStore.sql('select count(*) as n from kysely_migration')
      expect(Number(left?.['n'])).toBe(migrationCount + 1)
    })

    it('works beside a newer program that says so, and leaves its schema alone', async () => {
      const testStore = await createTestStore()
      await (await open(testStore)).close()
      await testStore.sql(
        `insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01T00:00:00Z')`,
      )
      const store = await open(testStore)
      expect(await store.users.create(newUser())).toMatchObject({ id: 1 })
      const [left] = await testStore.sql('select count(*) as n from kysely_migration')
      expect(Number(left?.['n'])).toBe(migrationCount + 1)
    })

    it('answers a ping until it is closed, and refuses every call afterwards', async () => {
      const store = await open(await createTestStore())
      await store.ping()
      await store.close()
      expect(await rejection(store.ping())).toBeInstanceOf(Error)
      expect(await rejection(store.usage.page({}, 1, 10))).toBeInstanceOf(Error)
      expect(await rejection(store.users.find(1))).toBeInstanceOf(Error)
    })

    it('lets programs flush into one database at once, each by its own testStore', async () => {
      const testStore = await createTestStore()
      const small = { ...testStore, config: { ...testStore.config, logBlockRows: 16 } }
      const stores = [await open(small), await open(small), await open(small)] as const
      const { id: userId } = await stores[0].users.create(newUser())
      const paid = (seq: number) => settlement(seq, { userId, channelId: seq % 3, model: `model-${seq % 5}` })
      await Promise.all(
        stores.map(async (store, index) => {
          for (let after = 0; after < 200; after += 10) {
            const settlements = Array.from({ length: 10 }, (_, index) => paid(after + index + 1))
            await store.ledger.flush(flushOf(`node-${index}`, after, settlements))
            const { total } = await store.usage.page({ userId, model: 'model-3' }, 1, 5)
            expect(total).toBeGreaterThanOrEqual((after + 10) / 5)
          }
        }),
      )
      expect(await stores[1].users.find(userId)).toMatchObject({ usedQuota: 60_000, requestCount: 600 })
      expect((await stores[2].usage.page({ userId, channelId: 1, model: 'model-3' }, 1, 10)).total).toBe(39)
      expect(await stores[0].audit.findings()).toEqual([])
    })
  })
}
