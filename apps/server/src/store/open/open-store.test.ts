import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { freePort } from '../../../../../tests/support/network/free-port.ts'
import { hasPostgres, startPostgres } from '../../../../../tests/support/postgres.ts'
import { until } from '../../../../../tests/support/until.ts'
import { rejection } from '../contract/rejection.ts'
import { flushOf, newUser, settlement } from '../contract/samples.ts'
import { StoreFault, StoreOpenError } from '../errors.ts'
import { openStore, type StoreConfig } from './open-store.ts'

const logger: StoreConfig['logger'] = { warn: () => undefined }

describe('openStore', () => {
  let dataDir: string

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'tollgate-open-'))
  })
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

  /** The message for the operator. */
  async function refusal(config: Partial<StoreConfig>): Promise<string> {
    const error = await rejection(openStore({ dataDir, logger, ...config }))
    expect(error).toBeInstanceOf(StoreOpenError)
    const { message } = error as StoreOpenError
    expect(message).not.toContain('\n')
    expect(message).not.toContain('secret')
    return message
  }

  it('creates the data directory, and leaves one file in it when it is closed', async () => {
    const inner = join(dataDir, 'a', 'b')
    const store = await openStore({ dataDir: inner, logger })
    await store.usage.page({}, 1, 10)
    await store.close()
    await store.close()
    expect(readdirSync(inner)).toEqual(['tollgate.db'])
  })

  it('reports a file in the place of the data directory', async () => {
    const file = join(dataDir, 'file')
    writeFileSync(file, '')
    expect(await refusal({ dataDir: file })).toEndWith('a file stands where the data directory should be.')
  })

  it('reports a directory in the place of the database, and a file that is not a database', async () => {
    mkdirSync(join(dataDir, 'tollgate.db'))
    expect(await refusal({})).toContain('cannot be opened')
    rmSync(join(dataDir, 'tollgate.db'), { recursive: true })
    writeFileSync(join(dataDir, 'tollgate.db'), 'x'.repeat(8192))
    expect(await refusal({})).toContain('not a SQLite database')
  })

  it("reports a URL that is not PostgreSQL's", async () => {
    for (const databaseUrl of ['nonsense secret', 'mysql://root:secret@localhost/x', 'postgres//secret'])
      expect(await refusal({ databaseUrl })).toStartWith('DATABASE_URL is not a PostgreSQL URL')
  })

  it('reports a server that does not respond, with its address and without the password', async () => {
    const place = `127.0.0.1:${await freePort()}/tollgate`
    const message = await refusal({ databaseUrl: `postgres://someone:secret@${place}` })
    expect(message).toBe(`The PostgreSQL database at ${place} cannot be used: no server responds there.`)
  })
})

describe.skipIf(!hasPostgres())('openStore with a PostgreSQL server', () => {
  it('gives way, while a table is locked that it migrates, to who waits behind it, and migrates afterwards', async () => {
    const postgres = await startPostgres()
    const databaseUrl = await postgres.createDatabase()
    const open = () => openStore({ databaseUrl, dataDir: '', logger })
    await (await open()).close()
    await using sql = new SQL(databaseUrl, { max: 2 })
    await sql`drop table failed_calls`
    await sql`delete from kysely_migration where name = '0014-failed-calls'`
    const { promise: ended, resolve: endReader } = Promise.withResolvers<void>()
    const { promise: began, resolve: begin } = Promise.withResolvers<void>()
    const reader = sql.begin(async (transaction) => {
      await transaction`lock table kysely_migration in share mode`
      begin()
      await ended
    })
    await began
    const opening = open()
    await until(async () => {
      const [{ waiting }] = await sql`select count(*)::int as waiting from pg_locks where not granted`
      return waiting > 0 || undefined
    })
    await sql.begin(async (transaction) => {
      await transaction`set local lock_timeout = '10s'`
      await transaction`lock table kysely_migration in share mode`
    })
    endReader()
    await reader
    await (await opening).close()
    expect(await sql`select * from failed_calls`).toHaveLength(0)
    await postgres.stop()
  }, 30_000)

  it('reports a missing database, and recovers when the server does', async () => {
    const postgres = await startPostgres()
    const databaseUrl = await postgres.createDatabase()
    const missing = new URL(databaseUrl)
    missing.pathname = '/missing'
    const error = await rejection(openStore({ databaseUrl: missing.href, dataDir: '', logger }))
    expect(String(error)).toContain('the server has no such database')

    const store = await openStore({ databaseUrl, dataDir: '', logger })
    const { id: userId } = await store.users.create(newUser())
    await store.usage.page({}, 1, 10)
    await postgres.kill()
    const fault = await rejection(store.ping())
    expect(fault).toBeInstanceOf(StoreFault)
    expect((fault as StoreFault).kind).toBe('unavailable')
    const batch = flushOf('one', 0, [settlement(1, { userId })])
    expect(await rejection(store.ledger.flush(batch))).toBeInstanceOf(StoreFault)
    expect(await rejection(store.usage.page({}, 1, 10))).toBeInstanceOf(Error)
    await postgres.start()
    await store.ping()
    await store.ledger.flush(batch)
    expect((await store.usage.page({ userId }, 1, 10)).total).toBe(1)
    await store.close()
    await postgres.stop()
  }, 30_000)
})
