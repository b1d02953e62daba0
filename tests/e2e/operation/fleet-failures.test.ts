import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { SQL } from 'bun'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { findTool } from '../../../scripts/lib/tools.mjs'
import { addUser } from '../../support/add-user.ts'
import { chargedCalls, clockOffBy, type Nodes, startNodes } from '../../support/fleet.ts'
import { startTcpProxy, type TcpProxy } from '../../support/network/tcp-proxy.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import type { Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(400_000))

/**
 * After a minute of silence others may spend what a node held. `FLEET_KILLS=20 FLEET_PARTITION_SECONDS=30 npm test --
 * operation/fleet-failures` takes a minute and a half.
 */
const { FLEET_KILLS = '8', FLEET_PARTITION_SECONDS = '16' } = process.env
const kills = Number(FLEET_KILLS)
const partitionMs = Number(FLEET_PARTITION_SECONDS) * 1000
const outageMs = 10_000
const clockSeconds = 90
// (20 + 10 × 4) × 1.25
const chargePerCall = 75
/** Budget of the key that runs out before the end. */
const shortBudget = 60 * chargePerCall

/** Node B reaches PostgreSQL through a proxy, and the clock of node C is ahead. */
describe.skipIf(!hasPostgres() || findTool('faketime') === undefined)('three nodes and what breaks', () => {
  let postgres: Postgres
  let proxy: TcpProxy
  let upstream: Upstream
  let databaseUrl: string
  let nodes: Nodes
  let operator: Operator

  beforeAll(async () => {
    postgres = await startPostgres()
    proxy = await startTcpProxy(postgres.port)
    upstream = await startUpstream()
    upstream.otherwise(
      respond({ text: 'a short answer', delayMs: 20, usage: { promptTokens: 20, completionTokens: 10 } }),
    )
    databaseUrl = await postgres.createDatabase()
    const throughProxy = databaseUrl.replace(`:${postgres.port}/`, `:${proxy.port}/`)
    nodes = await startNodes({ DATABASE_URL: databaseUrl }, [
      {},
      { DATABASE_URL: throughProxy },
      clockOffBy(clockSeconds),
    ])
    operator = await operate(nodes[0].url)
    await operator.addChannel({ name: 'chat', base_url: upstream.url, models: 'gpt-4o' })
  })
  afterAll(async () => {
    proxy?.resume()
    for (const node of nodes ?? []) await node.stop()
    await Promise.all([upstream?.stop(), proxy?.stop()])
    await postgres?.stop()
  })

  async function call({ url }: Tollgate, key: string, stream = false) {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({
        model: 'gpt-4o',
        stream,
        max_tokens: 10,
        messages: [{ role: 'user', content: 'Question' }],
      }),
      signal: AbortSignal.timeout(deadline(30_000)),
    })
    const text = await response.text()
    const isWhole = response.status === 200 && text.includes(stream ? '[DONE]' : '"usage"')
    return { status: response.status, isWhole, requestId: response.headers.get('x-request-id') ?? '' }
  }

  /** Calls of every node until it is stopped; returns the ids of the whole responses. */
  function startLoad(key: string, lanes: number, pauseMs: number): () => Promise<ReadonlySet<string>> {
    const received = new Set<string>()
    let isStopping = false
    async function work(node: Tollgate, lane: number): Promise<void> {
      for (let index = lane; !isStopping; index += 1) {
        const reply = await call(node, key, index % 2 === 0).catch(() => undefined)
        if (reply?.isWhole) received.add(reply.requestId)
        await Bun.sleep(reply?.isWhole ? pauseMs : 100)
      }
    }
    const working = nodes.flatMap((node) => Array.from({ length: lanes }, (_, lane) => work(node, lane)))
    return async () => {
      isStopping = true
      await Promise.all(working)
      return received
    }
  }

  async function killInTurn(victims: readonly Tollgate[], times: number): Promise<void> {
    for (let kill = 0; kill < times; kill += 1) {
      await Bun.sleep(150 + ((kill * 37) % 140))
      const victim = victims[kill % victims.length]
      await victim?.kill('SIGKILL')
      await victim?.start()
    }
  }

  const untilReady = (node: Tollgate) =>
    until(
      async () =>
        (await fetch(`${node.url}/readyz`).catch(() => undefined))?.status === 200 ? true : undefined,
      20_000,
    )

  /** Node B is cut off while the others are killed; a key that is disabled meanwhile is never served by B afterwards. */
  async function partitionB(): Promise<void> {
    const [a, b, c] = nodes
    const { id, key } = await operator.addKey()
    await until(async () => ((await call(b, key)).status === 200 ? true : undefined))
    const heals = performance.now() + partitionMs
    proxy.stall()
    await operator.api('PUT', '/api/token/?status_only=true', { id, status: 2 })
    await killInTurn([c, a], Math.floor(kills / 2))
    await until(async () => ((await call(b, key)).status === 503 ? true : undefined), 15_000)
    while (performance.now() < heals) {
      expect((await call(b, key)).status).toBe(503)
      await Bun.sleep(250)
    }
    proxy.resume()
    const status = await until(async () => {
      const seen = (await call(b, key)).status
      return seen === 503 ? undefined : seen
    }, 20_000)
    expect(status).toBe(401)
  }

  /** PostgreSQL is away, and a node that dies meanwhile starts over what it had settled. */
  async function outage(): Promise<void> {
    const [, , c] = nodes
    const ends = performance.now() + outageMs
    await postgres.kill()
    await Bun.sleep(outageMs / 3)
    await c.kill('SIGKILL')
    await Bun.sleep(ends - performance.now())
    await postgres.start()
    await c.start()
  }

  const remainOf = async (id: number) =>
    (await operator.api<{ remain_quota: number }>('GET', `/api/token/${id}`)).remain_quota

  it('hold nothing of a balance that a killed process had asked for', async () => {
    const [a] = nodes
    const person = await addUser(a, 'late', 10_000_000)
    const { key } = await person.addKey()
    await using sql = new SQL(databaseUrl, { max: 1 })
    const waiting = async () => {
      const [row] = await sql`select count(*)::int as count from pg_locks where not granted`
      return Number(row.count)
    }
    await sql`begin`
    await sql`select id from user_accounts where id = ${person.userId} for update`
    const calling = call(a, key).catch(() => undefined)
    await until(async () => ((await waiting()) > 0 ? true : undefined))
    await a.restart('SIGKILL')
    expect(await waiting()).toBe(0)
    await sql`commit`
    expect((await calling)?.isWhole ?? false).toBe(false)
    expect(await sql`select granted from user_accounts where id = ${person.userId}`).toEqual([
      { granted: '0' },
    ])
    expect((await call(a, key)).isWhole).toBe(true)
  })

  it('charge each whole response once, and spend no more than there is', async () => {
    const short = await operator.addKey({ name: 'short', unlimited_quota: false, remain_quota: shortBudget })
    const ample = await operator.addKey({ name: 'ample' })
    const before = await operator.quota()
    const stops = [startLoad(ample.key, 3, 60), startLoad(short.key, 1, 400)]
    await killInTurn(nodes, Math.ceil(kills / 2))
    await partitionB()
    await outage()
    for (let cut = 0; cut < 3; cut += 1) {
      await Bun.sleep(300)
      await postgres.terminateBackends()
    }
    await Promise.all(nodes.map(untilReady))
    // No share is lost with a node that died or was cut off: all of it is spent in the end.
    operator = await operate(nodes[0].url)
    await until(async () => ((await remainOf(short.id)) < chargePerCall ? true : undefined), 20_000)
    const received = (await Promise.all(stops.map((stop) => stop()))).flatMap((ids) => [...ids])
    await Promise.all(nodes.map((node) => node.kill('SIGTERM')))
    for (const node of nodes) expect((await node.run('audit')).output).toContain('adds up')

    await Promise.all(nodes.map((node) => node.start()))
    operator = await operate(nodes[0].url)
    const charged = await chargedCalls(operator)
    expect(received.length).toBeGreaterThan(100)
    expect(received.filter((id) => charged.get(id)?.length !== 1)).toEqual([])
    const rows = [...charged.values()].flat().filter(({ username }) => username === 'root')
    const spentBy = (name: string) =>
      rows.filter((row) => row.token_name === name).reduce((sum, { quota }) => sum + quota, 0)
    const remains = await remainOf(short.id)
    expect(remains).toBeGreaterThanOrEqual(0)
    expect(spentBy('short')).toBe(shortBudget - remains)
    const total = rows.reduce((sum, { quota }) => sum + quota, 0)
    expect(before - (await operator.quota())).toBe(total)
    const ahead = rows.filter(({ created_at }) => created_at > Date.now() / 1000 + clockSeconds / 2)
    expect(ahead.length).toBeGreaterThan(0)
  })
})
