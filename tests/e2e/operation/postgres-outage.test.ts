import { afterAll, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { rejection } from '../../../apps/server/src/store/contract/rejection.ts'
import { flushOf, newUser, settlement } from '../../../apps/server/src/store/contract/samples.ts'
import { openStore } from '../../../apps/server/src/store/engine/open/open-store.ts'
import { StoreFault } from '../../../apps/server/src/store/errors.ts'
import type { Store } from '../../../apps/server/src/store/store.ts'
import { deadline, slowness } from '../../../scripts/deadline/deadline.mjs'
import { startTcpProxy } from '../../support/network/tcp-proxy.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(30_000))

const logger = { warn: () => undefined }

describe.skipIf(!hasPostgres())('a PostgreSQL server that fails', () => {
  let postgres: Postgres
  let databaseUrl: string

  beforeAll(async () => {
    postgres = await startPostgres()
  })
  beforeEach(async () => {
    databaseUrl = await postgres.createDatabase()
  })
  afterAll(() => postgres?.stop())

  /** Calls of every kind, one after the other, until stopped; `onHeld` hears of each transaction that was committed. */
  async function work(
    store: Store,
    userId: number,
    stopped: () => boolean,
    onHeld: () => void,
  ): Promise<void> {
    const attempts = [
      () => store.users.find(userId),
      () => store.usage.page({ userId }, 1, 10),
      () =>
        store
          .transaction(async (tx) => {
            await tx.users.update(userId, { displayName: 'held' })
            await Bun.sleep(5)
            await tx.users.find(userId)
          })
          .then(onHeld),
      () => store.audit.findings(),
    ]
    for (let turn = 0; !stopped(); turn += 1) {
      await attempts[turn % attempts.length]?.().catch((error: unknown) => {
        expect(error).toBeInstanceOf(Error)
      })
      await Bun.sleep(1)
    }
  }

  it('breaks connections in the middle of their work, and nothing but those calls fails', async () => {
    const store = await openStore({ databaseUrl, dataDir: '', logger })
    const { id: userId } = await store.users.create(newUser())
    let [stopped, held] = [false, 0]
    const onHeld = () => {
      held += 1
    }
    const workers = Array.from({ length: 12 }, () => work(store, userId, () => stopped, onHeld))
    for (let round = 0; round < 8; round += 1) {
      // Work goes on when it breaks, and has gone on since it broke before.
      const before = held
      await until(() => held > before || undefined)
      await postgres.terminateBackends()
    }
    await postgres.kill()
    await Bun.sleep(60)
    await postgres.start()
    stopped = true
    await Promise.all(workers)
    await store.ping()
    await store.ledger.flush(flushOf('one', 0, [settlement(1, { userId })]))
    expect((await store.usage.page({ userId }, 1, 10)).total).toBe(1)
    expect(await store.users.find(userId)).toMatchObject({ usedQuota: 100, displayName: 'held' })
    await store.close()
  })

  it('fails the ping within two seconds when it hangs, and is used again when it recovers', async () => {
    const proxy = await startTcpProxy(postgres.port)
    const url = new URL(databaseUrl)
    url.port = String(proxy.port)
    const store = await openStore({ databaseUrl: url.href, dataDir: '', logger })
    await Promise.all(Array.from({ length: 10 }, () => store.ping()))
    proxy.stall()
    const calls = Array.from({ length: 30 }, (_, id) => rejection(store.users.find(id)))
    const at = performance.now()
    const faults = await Promise.all([rejection(store.ping()), rejection(store.ping())])
    expect(performance.now() - at).toBeLessThan(2000 * slowness())
    for (const fault of faults) expect((fault as StoreFault).kind).toBe('unavailable')
    proxy.resume()
    await store.ping()
    await Promise.all(calls)
    proxy.stall()
    const closing = performance.now()
    await store.close()
    expect(performance.now() - closing).toBeLessThan(8000 * slowness())
    await proxy.stop()
  })

  it('ends a statement that takes too long', async () => {
    const store = await openStore({ databaseUrl, dataDir: '', logger, statementMs: 300 })
    const blocker = await openStore({ databaseUrl, dataDir: '', logger })
    const { id } = await store.users.create(newUser())
    const blocked = Promise.withResolvers<void>()
    const holding = blocker.transaction(async (tx) => {
      await tx.users.update(id, { displayName: 'mine' })
      await blocked.promise
    })
    await Bun.sleep(100)
    const fault = await rejection(store.users.update(id, { displayName: 'yours' }))
    expect(fault).toBeInstanceOf(StoreFault)
    expect((fault as StoreFault).kind).toBe('busy')
    blocked.resolve()
    await holding
    expect((await store.users.find(id))?.displayName).toBe('mine')
    await store.close()
    await blocker.close()
  })

  it('frees what a transaction holds within seconds after its client is cut off', async () => {
    const proxy = await startTcpProxy(postgres.port)
    const url = new URL(databaseUrl)
    url.port = String(proxy.port)
    const cutOff = await openStore({ databaseUrl: url.href, dataDir: '', logger })
    const other = await openStore({ databaseUrl, dataDir: '', logger })
    const { id } = await other.users.create(newUser())
    const [stalled, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = rejection(
      cutOff.transaction(async (tx) => {
        await tx.users.update(id, { displayName: 'mine' })
        proxy.stall()
        stalled.resolve()
        await held.promise
        await tx.users.find(id)
      }),
    )
    await stalled.promise
    const at = performance.now()
    await other.users.update(id, { displayName: 'yours' })
    expect(performance.now() - at).toBeLessThan(8000 * slowness())
    proxy.cut()
    held.resolve()
    expect(await holding).toBeInstanceOf(StoreFault)
    expect((await other.users.find(id))?.displayName).toBe('yours')
    proxy.resume()
    await cutOff.close()
    await other.close()
    await proxy.stop()
  })

  it('writes nothing late that was given up on before', async () => {
    const proxy = await startTcpProxy(postgres.port)
    const url = new URL(databaseUrl)
    url.port = String(proxy.port)
    const store = await openStore({ databaseUrl: url.href, dataDir: '', logger, statementMs: 300 })
    const { shares } = store.ledger
    if (shares === undefined) throw new Error('no shares')
    const { id } = await store.users.create(newUser())
    const money = { cause: 'initial', amount: 1000, createdAt: 1, actorId: 0, note: '' } as const
    await store.ledger.credit({ ...money, accountKind: 'user', accountId: id })
    proxy.delay()
    const request = { id, needed: 100, wanted: 100, usual: 100 }
    expect(await rejection(shares.acquire('one', 'user', 1, [request]))).toBeInstanceOf(StoreFault)
    const known = await shares.readLocked('one', 'user', id)
    proxy.resume()
    await Bun.sleep(300)
    expect(known).toMatchObject({ quota: 1000, granted: 0 })
    expect(await shares.readLocked('one', 'user', id)).toEqual(known)
    await store.close()
    await proxy.stop()
  })

  it('gives up on a statement that a hanging server never completes', async () => {
    const proxy = await startTcpProxy(postgres.port)
    const url = new URL(databaseUrl)
    url.port = String(proxy.port)
    const store = await openStore({ databaseUrl: url.href, dataDir: '', logger, statementMs: 500 })
    const { id } = await store.users.create(newUser())
    const page = store.usage.page({}, 1, 10)
    await page
    proxy.stall()
    const at = performance.now()
    const faults = await Promise.all([
      rejection(store.users.find(id)),
      rejection(store.usage.page({}, 1, 10)),
      rejection(store.transaction((tx) => tx.users.find(id))),
    ])
    expect(performance.now() - at).toBeLessThan(9000 * slowness())
    for (const fault of faults) expect((fault as StoreFault).kind).toBe('unavailable')
    proxy.resume()
    expect((await store.users.find(id))?.id).toBe(id)
    await store.close()
    await proxy.stop()
  })
})
