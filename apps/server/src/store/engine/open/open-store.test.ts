import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL, type TransactionSQL } from 'bun'
import { deadline } from '../../../../../../scripts/deadline/deadline.mjs'
import { freePort } from '../../../../../../tests/support/network/free-port.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../../../../../tests/support/postgres.ts'
import { until } from '../../../../../../tests/support/until.ts'
import { rejection } from '../../contract/rejection.ts'
import { flushOf, newUser, settlement } from '../../contract/samples.ts'
import { takeLock } from '../../dialects/postgres-locks.ts'
import { StoreFault, StoreOpenError, toOpenError } from '../../errors.ts'
import { openStore, type StoreConfig } from './open-store.ts'

setDefaultTimeout(deadline(30_000))

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

  it('finds damage that no call has met when it looks at every page', async () => {
    const signal = new AbortController().signal
    const whole = await openStore({ dataDir, logger })
    await whole.checkPages(signal)
    await whole.close()
    const file = join(dataDir, 'tollgate.db')
    {
      using database = new Database(file)
      const [{ rootpage }] = database
        .query(`select rootpage from sqlite_schema where name = 'redemptions'`)
        .all() as [{ rootpage: number }]
      const pages = openSync(file, 'r+')
      writeSync(pages, Buffer.alloc(4096, 0xa5), 0, 4096, (rootpage - 1) * 4096)
      closeSync(pages)
    }
    const store = await openStore({ dataDir, logger })
    expect(store.damage()).toBeUndefined()
    await store.checkPages(AbortSignal.abort())
    expect(store.damage()).toBeUndefined()
    expect(await rejection(store.checkPages(signal))).toMatchObject({ kind: 'damaged' })
    expect(store.damage()?.message).toStartWith('SQLite: ')
    await store.users.findFirstRoot()
    await store.close()
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
    const position = `127.0.0.1:${await freePort()}/tollgate`
    const message = await refusal({ databaseUrl: `postgres://someone:secret@${position}` })
    expect(message).toBe(`The PostgreSQL database at ${position} cannot be used: no server responds there.`)
  })
})

describe.skipIf(!hasPostgres())('openStore with a PostgreSQL server', () => {
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
  })
})

describe.skipIf(!hasPostgres())('a migration of a PostgreSQL database', () => {
  let postgres: Postgres
  let databaseUrl: string
  let sql: SQL

  beforeEach(async () => {
    postgres = await startPostgres()
    databaseUrl = await postgres.createDatabase()
    await openAndClose()
    sql = new SQL(databaseUrl, { max: 2 })
    await sql`drop index users_privileged`
    await sql`delete from kysely_migration where name = '0017-privileged-users'`
  })
  afterEach(async () => {
    await sql.close()
    await postgres.stop()
  })

  async function openAndClose(): Promise<void> {
    await (await openStore({ databaseUrl, dataDir: '', upgradeCopy: 'none', logger })).close()
  }

  async function untilSomethingWaits(): Promise<void> {
    await until(async () => {
      const [{ waiting }] = await sql`select count(*)::int as waiting from pg_locks where not granted`
      return waiting > 0 || undefined
    })
  }

  /** Holds a table that the migration writes, during `work`. */
  async function withLock(work: (transaction: TransactionSQL) => Promise<void>): Promise<void> {
    await sql.begin(async (transaction) => {
      await transaction`lock table kysely_migration in share mode`
      await work(transaction)
    })
  }

  it('lets those pass that wait behind it for a table, and is tried again', async () => {
    let opening: Promise<void> | undefined
    await withLock(async () => {
      opening = openAndClose()
      await untilSomethingWaits()
      await sql.begin(async (behind) => {
        await behind`set local lock_timeout = '10s'`
        await behind`lock table kysely_migration in share mode`
      })
    })
    await opening
    expect(await sql`select * from journal_spans`).toHaveLength(0)
  })

  it('is tried again after a deadlock', async () => {
    let opening: Promise<void> | undefined
    await withLock(async (transaction) => {
      // The server ends the migration, not this transaction.
      await transaction`set local deadlock_timeout = '20s'`
      opening = openAndClose()
      await untilSomethingWaits()
      await transaction.unsafe(takeLock('schema'))
    })
    await opening
    expect(await sql`select * from journal_spans`).toHaveLength(0)
  })

  it('says what to do when its tables stay locked', () => {
    const fault = new StoreFault('busy', 'PostgreSQL: canceled', { cause: { code: '55P03' } })
    expect(toOpenError(fault, 'The database cannot be used').message).toBe(
      'The database cannot be used: its tables stay locked; end what reads or changes them, then start again.',
    )
  })
})
