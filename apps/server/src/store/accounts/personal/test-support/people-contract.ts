import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import type { TestDatabase, TestStore } from '../../../contract/place.ts'
import { flushOf, newToken, newTopUpOrder, newUser, settlement, unique } from '../../../contract/samples.ts'
import { openStore } from '../../../engine/open/open-store.ts'
import { indexing } from '../../../log/contract/log-samples.ts'
import type { Store } from '../../../store.ts'
import { type PersonalRows, personalTables, rewrittenColumns } from '../personal-columns.ts'

interface Column {
  readonly table: string
  readonly name: string
  readonly isText: boolean
}

const columnsOf = {
  sqlite: `select m.name as "table", p.name as name, upper(p.type) = 'TEXT' as text
    from sqlite_master as m join pragma_table_info(m.name) as p where m.type = 'table' and m.name not like 'sqlite_%'`,
  postgres: `select table_name as "table", column_name as name, data_type in ('text', 'character varying', 'json', 'jsonb') as text
    from information_schema.columns where table_schema = current_schema()`,
}

interface Ids {
  readonly user: number
  readonly token: number
}

/** Tables whose rows the store makes, and sums. */
const madeByHand = [
  'user_accounts',
  'token_accounts',
  'users',
  'tokens',
  'logs',
  'usage_hourly',
  'usage_quarters',
  'imported_usage',
]

/** SQL of a value with which the condition finds a row. */
function sqlValueOf(
  column: Column,
  { rows }: PersonalRows,
  personal: readonly string[],
  { user, token }: Ids,
): string | number {
  const { table, name: field, isText } = column
  const literal = new RegExp(`\\b${field} (?:=|like) '([\\w.%-]*)'`).exec(rows)?.[1]
  if (literal !== undefined) return `'${literal}'`
  if (rows.includes(`${field} in (select id from tokens`)) return token
  if (!isText) return rows.includes(`${field} = :user`) ? user : 0
  if (!personal.includes(field)) return `'${unique('x')}'`
  // The filters of an export name the person as JSON does.
  return rows.includes('log.export')
    ? `(select '{"username":"' || username || '"}' from users where id = ${user})`
    : `'marker ${unique(`${table} ${field}`)}'`
}

/** Partitions are the log again. */
const isPartition = (table: string) => /^logs_/.test(table)

export function peopleContract(database: TestDatabase): void {
  describe('PeopleRepository', () => {
    let testStore: TestStore
    let store: Store
    let columns: readonly Column[]

    beforeAll(async () => {
      testStore = await database.createTestStore()
      store = await openStore({ ...testStore.config, ...indexing })
      const rows = await testStore.sql(columnsOf[database.dialect])
      columns = rows
        .map((row) => ({
          table: String(row['table']),
          name: String(row['name']),
          isText: Boolean(row['text']),
        }))
        .filter(({ table }) => !isPartition(table))
    })
    afterAll(async () => {
      await store.close()
      await testStore.remove()
    })

    const texts = () => columns.filter(({ isText }) => isText)
    const personalIn = (table: string, { erase }: PersonalRows) =>
      erase === 'all'
        ? texts().flatMap((column) => (column.table === table ? [column.name] : []))
        : Object.keys(erase)

    it('knows of every text column whether it is personal, and of what is not why', () => {
      const unknown = texts().filter(({ table, name }) => {
        const known = personalTables[table]
        if (known === undefined) return true
        const isPersonal = known.about.some((about) => personalIn(table, about).includes(name))
        const isRewritten = rewrittenColumns[table]?.includes(name) === true
        const isEnding = table === 'log_terms' && name === 'text'
        return !isPersonal && !isRewritten && !isEnding && known.impersonal[name] === undefined
      })
      expect(unknown.map(({ table, name }) => `${table}.${name}`)).toEqual([])
    })

    /** Finds the columns that have a text with these words, in any table. */
    async function positionsOf(words: string): Promise<string[]> {
      const positions: string[] = []
      for (const { table, name } of texts()) {
        const [found] = await testStore.sql(
          `select count(*) as n from ${table} where lower("${name}") like '%${words.toLowerCase()}%'`,
        )
        if (Number(found?.['n']) > 0) positions.push(`${table}.${name}`)
      }
      return positions
    }

    /** Adds a row that the condition finds, with the marker in each of its personal columns. */
    async function insert(table: string, about: PersonalRows, ids: Ids) {
      const filled = columns.filter(
        (column) => column.table === table && (column.name !== 'id' || column.isText),
      )
      const values = filled.map((column) => sqlValueOf(column, about, personalIn(table, about), ids))
      const names = filled.map(({ name }) => `"${name}"`).join(', ')
      await testStore.sql(`insert into ${table} (${names}) values (${values.join(', ')})`)
    }

    /** A person with a marker in every field, in every table. */
    async function markedPerson() {
      const marked = () => `marker ${unique('field')}`
      const user = await store.users.create(
        newUser({
          username: marked(),
          displayName: marked(),
          passwordHash: marked(),
          email: `${unique('marker')}@example.com`,
          githubId: marked(),
          oidcId: marked(),
          oidcIssuer: marked(),
          wechatId: marked(),
          telegramId: marked(),
          linuxDoId: marked(),
          accessTokenHash: marked(),
          affCode: marked(),
          setting: marked(),
        }),
      )
      const token = await store.tokens.create(
        newToken(user.id, {
          name: marked(),
          keyHash: marked(),
          keySealed: marked(),
          keyHead: marked(),
          keyTail: marked(),
          allowIps: marked(),
        }),
      )
      const others = Object.entries(personalTables).filter(([table]) => !madeByHand.includes(table))
      const rows = others.flatMap(([table, { about }]) => about.map((each) => [table, each] as const))
      for (const [table, each] of rows) await insert(table, each, { user: user.id, token: token.id })
      return { user, token }
    }

    it('leaves no field of an erased person in any table, and rows of others as they are', async () => {
      const other = await store.users.create(newUser({ username: 'somebody else', displayName: 'Stays' }))
      const { user } = await markedPerson()
      const before = await positionsOf('marker')
      expect(before).toEqual(
        expect.arrayContaining(['users.username', 'tokens.name', 'audit_log.actor_name', 'sessions.address']),
      )
      await store.users.update(user.id, { deletedAt: 10 })
      await store.people.erase(user.id, 20)
      // Announcements name keys by their hash, for the minutes that nodes need.
      if (database.dialect === 'postgres') await testStore.sql('delete from changes')
      expect(await positionsOf('marker')).toEqual([])
      expect(await store.users.find(other.id)).toEqual(other)
      expect(await store.users.find(user.id)).toMatchObject({ username: `deleted-${user.id}`, erasedAt: 20 })
      expect(await store.people.listErased()).toContainEqual({
        id: user.id,
        createdAt: user.createdAt,
        erasedAt: 20,
      })
    })

    it('finds another name where somebody has the one of an erased account', async () => {
      const user = await store.users.create(newUser())
      await store.users.create(newUser({ username: `deleted-${user.id}` }))
      await store.users.update(user.id, { deletedAt: 10 })
      await store.people.erase(user.id, 20)
      expect((await store.users.find(user.id))?.username).toBe(`deleted-${user.id} `)
    })

    it('erases after the term alone, counted from when the database learned of it', async () => {
      const user = await store.users.create(newUser())
      await store.users.update(user.id, { deletedAt: 10 })
      expect(await store.people.dueForErasure(9)).not.toContain(user.id)
      expect(await store.people.dueForErasure(10)).not.toContain(user.id)
      expect(await store.people.dueForErasure(Math.floor(Date.now() / 1000) + 60)).toContain(user.id)
    })

    it('rewrites rows of the log with their part of the index, sealed or not', async () => {
      const userId = 4711
      const calls = Array.from({ length: 400 }, (_, index) =>
        settlement(index + 1, {
          userId: index % 3 === 0 ? userId : 4712,
          username: index % 3 === 0 ? 'logmarker' : 'ann',
          tokenName: index % 3 === 0 ? 'logmarker key' : 'shared',
        }),
      )
      await store.ledger.flush(flushOf('people', 0, calls))
      while (Number((await testStore.sql('select count(*) as n from log_blocks'))[0]?.['n']) < 1)
        await Bun.sleep(5)
      const { rows, total } = await store.usage.page({ userId }, 1, 1000)
      expect(total).toBe(134)
      const rewritten = rows.map(({ id, createdAt, other }) => ({
        id,
        createdAt,
        username: 'deleted-4711',
        tokenName: '',
        content: '',
        other,
      }))
      await store.people.rewriteLog({ rows: rewritten, tokenNames: [] })
      await store.people.rewriteLog({ rows: [], tokenNames: ['logmarker key', 'shared'] })
      expect(await positionsOf('logmarker')).toEqual([])
      expect((await store.usage.page({ userId }, 1, 1)).total).toBe(134)
      expect((await store.usage.page({ tokenName: 'shared' }, 1, 1)).total).toBe(266)
      expect((await store.usage.page({ userId, tokenName: '' }, 1, 1)).total).toBe(134)
      expect(await store.usage.sumQuota({ userId })).toBe(13_400)
    })

    it('moves what belongs to one account to another, and the books add up', async () => {
      const [from, into] = [await store.users.create(newUser()), await store.users.create(newUser())]
      const token = await store.tokens.create(newToken(from.id))
      const money = { accountKind: 'user', createdAt: 1, actorId: 0 } as const
      const order = await store.topUpOrders.create(newTopUpOrder({ userId: from.id, quota: 700 }))
      await testStore.sql(
        `update top_up_orders set status = 'success', completed_at = 1 where id = ${order.id}`,
      )
      await store.ledger.credit({
        ...money,
        accountId: from.id,
        cause: 'top-up',
        amount: 700,
        note: order.tradeNo,
      })
      await store.ledger.credit({ ...money, accountId: from.id, cause: 'admin-change', amount: 55, note: '' })
      await store.transaction(async (tx) => {
        await tx.people.move(from.id, into.id, 5, 1)
        await tx.ledger.credit({ ...money, accountId: from.id, cause: 'merge', amount: -755, note: '' })
        await tx.ledger.credit({ ...money, accountId: into.id, cause: 'merge', amount: 755, note: '' })
      })
      expect((await store.tokens.find(token.id))?.userId).toBe(into.id)
      expect(await store.ledger.balanceOf('user', from.id)).toBe(0)
      expect(await store.ledger.balanceOf('user', into.id)).toBe(755)
      expect(await store.people.mergedInto(from.id)).toBe(into.id)
      expect(await store.people.mergedFrom(into.id)).toEqual([from.id])
      const about = (await store.audit.findings()).filter(({ what }) =>
        [from.id, into.id].some((id) => what.includes(`user ${id}`)),
      )
      expect(about).toEqual([])
    })

    it('returns what is stored about a person without secrets', async () => {
      const { user } = await markedPerson()
      const records = await store.people.records(user.id)
      expect(records.map(({ table }) => table)).toEqual(
        expect.arrayContaining(['users', 'tokens', 'sessions', 'audit_log', 'tasks', 'top_up_orders']),
      )
      const columnsIn = records.flatMap(({ rows }) => rows.flatMap((row) => Object.keys(row)))
      for (const secret of ['password_hash', 'key_hash', 'key_sealed', 'secret_sealed', 'sealed', 'id_hash'])
        expect(columnsIn).not.toContain(secret)
    })
  })
}
