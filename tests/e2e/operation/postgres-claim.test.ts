import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { SQL } from 'bun'
import {
  createPostgresClaim,
  type PostgresClaim,
} from '../../../apps/server/src/store/engine/connections/postgres-claim.ts'
import { createPool } from '../../../apps/server/src/store/engine/connections/postgres-pool.ts'
import { deadline, slowness } from '../../../scripts/deadline/deadline.mjs'
import { startTcpProxy, type TcpProxy } from '../../support/network/tcp-proxy.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(30_000))

const logger = { info: () => undefined, warn: () => undefined }
const times = { leaseMs: 1000, heartbeatMs: 100, waitMs: 1500, retryMs: 50 }

describe.skipIf(!hasPostgres())('the claim on a node', () => {
  let postgres: Postgres
  let proxy: TcpProxy
  let url: string
  let proxiedUrl: string
  const claims: PostgresClaim[] = []

  beforeAll(async () => {
    postgres = await startPostgres()
  })
  beforeEach(async () => {
    url = await postgres.createDatabase()
    proxy = await startTcpProxy(postgres.port)
    const proxied = new URL(url)
    proxied.port = String(proxy.port)
    proxiedUrl = proxied.href
  })
  afterEach(async () => {
    for (const claim of claims.splice(0)) await claim.release()
    await proxy.stop()
  })
  afterAll(() => postgres?.stop())

  async function claimOf(position: string): Promise<PostgresClaim> {
    const claim = await createPostgresClaim({
      url: position,
      node: 'one',
      connectionName: 'tollgate one',
      logger,
      times,
    })
    claims.push(claim)
    return claim
  }

  it('is had by one process at a time, and by the next as soon as that one lets go', async () => {
    const one = await claimOf(url)
    const other = await claimOf(url)
    expect(await one.acquire()).toBe(true)
    expect(await other.acquire()).toBe(false)
    const waiting = other.acquire()
    await Bun.sleep(300)
    await one.release()
    expect(await waiting).toBe(true)
  })

  it('does not block another database on the same server', async () => {
    expect(await (await claimOf(url)).acquire()).toBe(true)
    expect(await (await claimOf(await postgres.createDatabase())).acquire()).toBe(true)
  })

  it('is kept over heartbeats, and taken again when its connection breaks', async () => {
    const one = await claimOf(url)
    await one.acquire()
    await Bun.sleep(times.leaseMs * 2)
    const other = await claimOf(url)
    expect(await other.acquire()).toBe(false)
    await postgres.terminateBackends()
    await Bun.sleep(500)
    expect(await other.acquire()).toBe(false)
    expect(one.held).toBe(true)
  })

  it('ends what an earlier process had still asked for, and no connection of another', async () => {
    const name = 'tollgate node-1'
    const connect = (application_name: string) => new SQL(url, { max: 1, connection: { application_name } })
    await using holder = connect('psql')
    await using former = connect(name)
    await using other = connect('tollgate node-2')
    await holder`create table things (id int primary key, amount int)`
    await holder`insert into things values (1, 0), (2, 0)`
    const locked = await holder.reserve()
    await locked`begin`
    await locked`select * from things for update`
    const change = (sql: SQL, id: number) =>
      sql`update things set amount = 1 where id = ${id}`.then(
        () => 'written',
        () => 'ended',
      )
    const late = [change(former, 1), change(other, 2)]
    await until(async () => {
      const [{ count }] = await locked`select count(*)::int from pg_locks where not granted`
      return count >= 2 ? true : undefined
    })
    const claim = await createPostgresClaim({ url, node: 'node-1', connectionName: name, logger, times })
    claims.push(claim)
    expect(await claim.acquire()).toBe(true)
    await locked`commit`
    locked.release()
    expect(await Promise.all(late)).toEqual(['ended', 'written'])
    expect(await holder`select amount from things order by id`).toEqual([{ amount: 0 }, { amount: 1 }])
  })

  it('is taken again when the server comes back after a crash', async () => {
    const one = await claimOf(url)
    await one.acquire()
    await postgres.kill()
    await Bun.sleep(300)
    await postgres.start()
    await Bun.sleep(500)
    expect(await (await claimOf(url)).acquire()).toBe(false)
    expect(one.held).toBe(true)
  })

  it('is had on the server that writes alone, and by that one when a standby has taken over', async () => {
    const standby = await postgres.startStandby()
    const there = standby.urlOf(url)
    await expect((await claimOf(there)).acquire()).rejects.toThrow('the server is a standby')
    const pool = await createPool(there, { connections: 1, statementMs: 5000 })
    const process = async () => {
      const connection = await pool.connect()
      const { rows } = await connection.query('select pg_backend_pid() as pid')
      const written = await connection.query('create table written ()').then(
        () => true,
        () => false,
      )
      connection.release()
      return { pid: rows[0]?.pid, written }
    }
    const first = await process()
    const second = await process()
    // A pooler or a name may lead a new connection to another server; the former one would stay where it is.
    expect([first.written, second.written, second.pid === first.pid]).toEqual([false, false, false])
    await standby.promote()
    expect((await process()).written).toBe(true)
    expect(await (await claimOf(there)).acquire()).toBe(true)
    await pool.end()
    await standby.stop()
  })

  it('passes to the next when its process is cut off, which notices when it is back', async () => {
    const one = await claimOf(proxiedUrl)
    await one.acquire()
    let sentence = ''
    one.lost.then(() => {
      sentence = 'lost'
    })
    proxy.stall()
    const other = await claimOf(url)
    const at = performance.now()
    expect(await until(async () => ((await other.acquire()) ? true : undefined), 10_000)).toBe(true)
    expect(performance.now() - at).toBeLessThan(6000 * slowness())
    expect(one.held).toBe(true)
    proxy.resume()
    await until(() => (sentence === 'lost' ? true : undefined), 10_000)
    expect(one.held).toBe(false)
    expect(other.held).toBe(true)
  })
})
