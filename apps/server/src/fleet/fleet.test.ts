import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { tmpdir } from 'node:os'
import { deadline } from '../../../../scripts/deadline/deadline.mjs'
import { startTcpProxy, type TcpProxy } from '../../../../tests/support/network/tcp-proxy.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../../../tests/support/postgres.ts'
import { until } from '../../../../tests/support/until.ts'
import { recordingLogger, silentLogger } from '../billing/test-support/charges.ts'
import { createEventBus } from '../lib/async/event-bus.ts'
import type { ChangeEvents } from '../store/change-events.ts'
import { newUser } from '../store/contract/samples.ts'
import { openStore } from '../store/engine/open/open-store.ts'
import { connectionNameOf, createFleet, type Fleet } from './fleet.ts'

setDefaultTimeout(deadline(30_000))

describe.skipIf(!hasPostgres())('nodes on one PostgreSQL', () => {
  let postgres: Postgres
  let databaseUrl: string
  let proxy: TcpProxy
  const closing: (() => Promise<void>)[] = []

  beforeAll(async () => {
    postgres = await startPostgres()
    databaseUrl = await postgres.createDatabase()
    proxy = await startTcpProxy(postgres.port)
  })
  afterAll(async () => {
    for (const close of closing) await close()
    await proxy?.stop()
    await postgres?.stop()
  })

  /** A node that writes down what it hears. */
  async function join(id: string, listenUrl = databaseUrl, logger = silentLogger) {
    const heard: string[] = []
    const bus = createEventBus<ChangeEvents>(() => undefined)
    bus.subscribe('user-changed', ({ id }) => heard.push(`user ${id}`))
    bus.subscribe('token-changed', ({ id, keyHash }) => heard.push(`token ${id} ${keyHash}`))
    bus.subscribe('options-changed', ({ keys }) => heard.push(`options ${keys}`))
    bus.subscribe('everything-changed', () => heard.push('everything'))
    const store = await openStore({
      databaseUrl,
      dataDir: tmpdir(),
      connectionName: connectionNameOf(id),
      logger: silentLogger,
    })
    const node = { id, version: '1.0.0', address: `${id}:3000` }
    const fleet: Fleet = await createFleet({ node, store, listenUrl, bus, logger })
    await fleet.join(() => ({ journalSeq: 4, journalLag: 0, keyIds: 'a1', drainingCalls: '' }))
    await fleet.listen({
      settings: { reload: async () => undefined },
      accountChanged: (kind, id) => heard.push(`account ${kind} ${id}`),
    })
    const close = async () => {
      await fleet.close()
      await store.close()
    }
    closing.push(close)
    return {
      store,
      fleet,
      heard,
      hears: (text: string) => until(() => (heard.includes(text) ? true : undefined)),
    }
  }

  it('hear of what others change, and not of their own', async () => {
    const a = await join('a')
    const b = await join('b')
    const { id } = await a.store.users.create(newUser())
    await b.hears(`user ${id}`)
    await a.store.options.change(async () => [{ key: 'Notice', value: 'x' }])
    await b.hears('options Notice')
    const entry = { accountKind: 'user', accountId: id, cause: 'top-up', amount: 5 } as const
    await a.store.ledger.credit({ ...entry, createdAt: 1, actorId: 0, note: '' })
    await b.hears(`account user ${id}`)
    await b.store.users.update(id, { displayName: 'other' })
    await a.hears(`user ${id}`)
    expect(a.heard.filter((text) => text.startsWith('options'))).toEqual([])
  })

  it('count one another, and know what each said last', async () => {
    const c = await join('c')
    expect(c.fleet.nodes()).toBe(3)
    expect(c.fleet.shareLease()).toBe(1)
    expect(await c.fleet.list()).toContainEqual(
      expect.objectContaining({ id: 'c', address: 'c:3000', journalSeq: 4, draining: false }),
    )
  })

  it('say at once that they drain, and leave without a word', async () => {
    const { logger, messages } = recordingLogger()
    const { fleet } = await join('leaving', databaseUrl, logger)
    const find = async () => (await fleet.list()).find(({ id }) => id === 'leaving')
    fleet.drain()
    // The next heartbeat would be two seconds later.
    await until(async () => ((await find())?.draining === true ? true : undefined), 1000)
    await fleet.close()
    expect(await find()).toBeUndefined()
    expect(messages).toEqual([])
  })

  it('hear the messages of others, and not their own', async () => {
    const d = await join('d')
    const e = await join('e')
    const seen: unknown[] = []
    for (const [name, { fleet }] of Object.entries({ d, e }))
      fleet.messages.subscribe((message) => seen.push([name, message]))
    await d.fleet.messages.send({ type: 'greeting', text: 'hello' })
    await until(() => (seen.length > 0 ? true : undefined))
    expect(seen).toEqual([['e', { type: 'greeting', text: 'hello' }]])
  })

  it('hear what was changed while their connection was cut', async () => {
    const f = await join('f')
    const writer = await join('writer')
    f.heard.length = 0
    await postgres.terminateBackends()
    const { id } = await until(() => writer.store.users.create(newUser()).catch(() => undefined))
    await f.hears(`user ${id}`)
    expect(f.fleet.hears).toBe(true)
  })

  it('say that they do not hear, and catch up when they do again', async () => {
    const proxied = new URL(databaseUrl)
    proxied.port = String(proxy.port)
    const g = await join('g', proxied.href)
    const writer = await join('late-writer')
    proxy.stall()
    await until(() => (g.fleet.hears ? undefined : true), 15_000)
    const { id } = await writer.store.users.create(newUser())
    expect(g.heard).not.toContain(`user ${id}`)
    proxy.resume()
    await until(() => (g.fleet.hears ? true : undefined), 10_000)
    expect(g.heard).toContain(`user ${id}`)
  })
})
