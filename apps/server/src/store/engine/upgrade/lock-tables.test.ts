import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { SQL } from 'bun'
import { Kysely, PostgresDialect, sql as query, type Transaction } from 'kysely'
import { Pool } from 'pg'
import { deadline } from '../../../../../../scripts/deadline/deadline.mjs'
import { hasPostgres, type Postgres, startPostgres } from '../../../../../../tests/support/postgres.ts'
import { until } from '../../../../../../tests/support/until.ts'
import { rejection } from '../../contract/rejection.ts'
import { postgresDialect } from '../../dialects/postgres-dialect.ts'
import { migrationNames, statementsOf } from '../../schema/migrate.ts'
import type { Tables } from '../../schema/tables.ts'
import { lockTables } from './lock-tables.ts'

setDefaultTimeout(deadline(20_000))

describe.skipIf(!hasPostgres())('a migration beside nodes that serve', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())

  async function over(work: (sql: SQL, db: Kysely<Tables>) => Promise<void>): Promise<void> {
    const url = await postgres.createDatabase()
    await using sql = new SQL(url, { max: 4 })
    const pool = new Pool({ connectionString: url })
    await using db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
    await work(sql, db)
  }

  /** Tables that this transaction has for writing, of those that were there before it. */
  async function held(db: Transaction<Tables>, before: readonly string[]): Promise<readonly string[]> {
    const { rows } = await query<{ name: string }>`
      select distinct relname as name from pg_locks join pg_class on oid = relation
      where pid = pg_backend_pid() and mode <> 'AccessShareLock' and relkind in ('r', 'p')
        and relnamespace = current_schema()::regnamespace`.execute(db)
    return rows.map(({ name }) => name).filter((name) => before.includes(name))
  }

  it.each([1, 3, 7, 12])(
    'takes every table that it will write before it writes (from schema %d)',
    (applied) =>
      over(async (sql, db) => {
        const statements = (names: readonly string[]) =>
          names.flatMap((name) => statementsOf(name, postgresDialect))
        await sql.unsafe(statements(migrationNames.slice(0, applied)).join(';\n'))
        const tables = await sql`select relname as name from pg_class where relkind in ('r', 'p')
        and relnamespace = current_schema()::regnamespace`
        const before: readonly string[] = tables.map(({ name }: { name: string }) => name)
        const pending = statements(migrationNames.slice(applied))
        await db.transaction().execute(async (transaction) => {
          await lockTables(transaction, pending)
          const first = await held(transaction, before)
          for (const statement of pending) await query.raw(statement).execute(transaction)
          expect((await held(transaction, before)).toSorted()).toEqual(first.toSorted())
        })
      }),
  )

  it('gives up before the server ends a transaction that it would deadlock with', () =>
    over(async (sql, db) => {
      await sql.unsafe('create table a (n int); create table m (n int); create table z (n int)')
      await sql.unsafe('insert into a values (1); insert into m values (1); insert into z values (1)')
      const locking = () =>
        db.transaction().execute((transaction) => lockTables(transaction, ['alter table a', 'm', 'z']))
      const waiting = () =>
        until(async () => {
          const [{ n }] = await sql`select count(*)::int as n from pg_locks where not granted`
          return n > 0 || undefined
        })
      // It has the first table and waits for the second; a node has the last and waits for the first. The second is free only when
      // the node has waited for almost as long as the server lets it: then all three are a circle.
      let migration: Promise<unknown> | undefined
      let paid: Promise<unknown> | undefined
      await sql.begin(async (between) => {
        await between`update m set n = n + 1`
        const { promise: hasLast, resolve } = Promise.withResolvers<void>()
        const { promise: goes, resolve: go } = Promise.withResolvers<void>()
        paid = sql.begin(async (node) => {
          await node`update z set n = n + 1`
          resolve()
          await goes
          await node`update a set n = n + 1`
        })
        await hasLast
        migration = rejection(locking())
        await waiting()
        go()
        await Bun.sleep(800)
      })
      expect(await migration).toMatchObject({ code: '57014' })
      await paid
      expect(await sql`select a.n + z.n as n from a, z`).toEqual([{ n: 4 }])
      expect(await locking()).toEqual(['a', 'm', 'z'])
    }))
})
