import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { SQL } from 'bun'
import { deadline } from '../../../../../../scripts/deadline/deadline.mjs'
import { hasPostgres, type Postgres, startPostgres } from '../../../../../../tests/support/postgres.ts'
import { until } from '../../../../../../tests/support/until.ts'
import { newUser, withAccount } from '../../contract/samples.ts'
import type { Store } from '../../store.ts'
import { openStore } from '../open/open-store.ts'

setDefaultTimeout(deadline(30_000))

const node = {
  version: '0.1.0',
  address: 'host:3000',
  started_ms: 0,
  draining: 0,
  calls_per_second: 0,
  journal_seq: 0,
  journal_lag: 0,
  reclaimed: 0,
}

describe.skipIf(!hasPostgres())('beside a program from before access tokens and key ids', () => {
  let postgres: Postgres
  let databaseUrl: string
  let sql: SQL
  let store: Store
  let userId: number

  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.stop())
  beforeEach(async () => {
    databaseUrl = await postgres.createDatabase()
    store = await openStore({ databaseUrl, dataDir: '', logger: { warn: () => undefined } })
    sql = new SQL(databaseUrl, { max: 1 })
    await sql`update database_identity set oldest_program = '0003-fleet'`
    userId = (await store.users.create(newUser())).id
  })
  afterEach(async () => {
    await sql.close()
    await store.close()
  })

  const add = (name: string, hash: string, scope: 'full' | 'read' = 'full') =>
    withAccount(store, userId, (tx, account) =>
      tx.accessTokens.create(account, { name, scope, hash, createdAt: 1, expiresAt: 0, lastUsedAt: 0 }),
    )
  const column = async () => {
    const [row] = await sql`select access_token_hash as hash from users where id = ${userId}`
    return row.hash
  }
  const known = async (hash: string) => (await store.accessTokens.findByHash(hash)) !== undefined
  const versionOf = async () => (await store.users.find(userId))?.credentialsVersion ?? 0

  it('knows a token that the other one makes, and forgets one that it replaces or clears', async () => {
    await sql`update users set access_token_hash = 'one' where id = ${userId}`
    expect(await store.accessTokens.findByHash('one')).toMatchObject({ userId, name: '', scope: 'full' })
    await sql`update users set access_token_hash = 'two' where id = ${userId}`
    expect([await known('one'), await known('two')]).toEqual([false, true])
    await sql`update users set access_token_hash = '' where id = ${userId}`
    expect(await known('two')).toBe(false)
  })

  it('tells the other one of the token without a name alone, and takes it away there too', async () => {
    await add('named', 'named')
    await add('', 'reads', 'read')
    expect(await column()).toBe('')
    const { id } = await add('', 'plain')
    expect(await column()).toBe('plain')
    await store.accessTokens.deleteOwn(userId, id)
    expect(await column()).toBe('')
  })

  it('ends every token of an account whose password, status or deletion the other one wrote', async () => {
    const writes = [`password_hash = 'another'`, 'status = 2', 'deleted_at = 5']
    for (const [index, write] of writes.entries()) {
      await sql.unsafe(`update users set status = 1, deleted_at = null where id = ${userId}`)
      await add(`named ${index}`, `named ${index}`)
      await sql.unsafe(`update users set ${write} where id = ${userId}`)
      expect(await known(`named ${index}`)).toBe(false)
    }
  })

  it('leaves tokens alone where a password only gets another hash', async () => {
    await add('named', 'named')
    await withAccount(store, userId, (tx, account) => tx.users.rehashPassword(account, 'another hash'))
    expect(await known('named')).toBe(true)
  })

  it('counts a change of an address by either program once', async () => {
    const before = await versionOf()
    await sql`update users set email = 'one@example.com' where id = ${userId}`
    expect(await versionOf()).toBe(before + 1)
    await store.users.update(userId, { email: 'two@example.com' })
    expect(await versionOf()).toBe(before + 2)
  })

  it('writes what the other one cannot read once no node of it lives or is connected', async () => {
    const adopt = () => store.identity.adoptStoredForms('tollgate new')
    const former = (seen: number) =>
      sql`insert into nodes ${sql({ ...node, id: 'old', key_ids: '', seen_ms: Date.now() - seen })}
        on conflict (id) do update set seen_ms = excluded.seen_ms`
    await former(1000)
    expect(await adopt()).toBe(false)
    await former(20_000)
    const connected = new SQL(`${databaseUrl}?application_name=tollgate%20old`, { max: 1 })
    await connected`select 1`
    expect(await adopt()).toBe(false)
    expect((await store.identity.secret()).namesKeys).toBe(false)
    await connected.close()
    // The server ends a connection a moment after its client.
    await until(async () => (await adopt()) || undefined)
    expect((await store.identity.secret()).namesKeys).toBe(true)
    await add('', 'later')
    expect(await column()).toBe('')
  })

  it('does not take a node for a former one that knows keys by their ids', async () => {
    const row = { ...node, id: 'new', key_ids: 'a1', seen_ms: Date.now() }
    await sql`insert into nodes ${sql(row)}`
    expect(await store.identity.adoptStoredForms('tollgate other')).toBe(true)
  })

  it('takes a node whose program went back for a former one', async () => {
    const row = { ...node, id: 'back', key_ids: 'a1', seen_ms: Date.now() }
    await sql`insert into nodes ${sql(row)}`
    await sql`update nodes set started_ms = 1 where id = 'back'`
    expect(await store.identity.adoptStoredForms('tollgate other')).toBe(false)
    await sql`update nodes set key_ids = 'a1' where id = 'back'`
    expect(await store.identity.adoptStoredForms('tollgate other')).toBe(true)
  })
})
