import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { type Redis, startRedis } from '../../support/redis.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(120_000))

const secret = 'the secret of every node of this fleet'
// (20 + 10 × 4) × 1.25
const chargePerCall = 75

/** Balances and limits of three nodes on one PostgreSQL, limits counted by Redis. */
describe.skipIf(!hasPostgres())('the money of three nodes', () => {
  let postgres: Postgres
  let redis: Redis
  let upstream: Upstream
  let nodes: readonly Tollgate[] = []
  let operator: Operator

  beforeAll(async () => {
    ;[postgres, redis] = await Promise.all([startPostgres(), startRedis()])
    const env = {
      DATABASE_URL: await postgres.createDatabase(),
      REDIS_URL: redis.url,
      TOLLGATE_SECRET: secret,
      GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
    }
    upstream = await startUpstream()
    upstream.otherwise(
      respond({ text: 'a short answer', delayMs: 20, usage: { promptTokens: 20, completionTokens: 10 } }),
    )
    const first = await startTollgate({ env })
    nodes = [first, ...(await Promise.all([startTollgate({ env }), startTollgate({ env })]))]
    operator = await operate(first.url)
    await operator.addChannel({ name: 'money', base_url: upstream.url, models: 'gpt-4o,gpt-4o-mini' })
  })
  afterAll(async () => {
    for (const node of nodes) await node.stop()
    await upstream?.stop()
    await redis?.stop()
    await postgres?.stop()
  })

  async function call({ url }: Tollgate, key: string, stream = false, model = 'gpt-4o') {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({
        model,
        stream,
        max_tokens: 10,
        messages: [{ role: 'user', content: 'Question' }],
      }),
    })
    const text = await response.text()
    const isWhole = response.status === 200 && text.includes(stream ? '[DONE]' : '"usage"')
    return { status: response.status, isWhole, requestId: response.headers.get('x-request-id') ?? '' }
  }

  /** Calls of all nodes at once. */
  const callAll = (key: string, perNode: number, model?: string) =>
    Promise.all(
      nodes.flatMap((node) =>
        Array.from({ length: perNode }, (_, index) => call(node, key, index % 2 === 0, model)),
      ),
    )

  const remainOf = async (id: number) =>
    (await operator.api<{ remain_quota: number }>('GET', `/api/token/${id}`)).remain_quota

  it('serve no more than ten of 64 calls at each at once from a balance worth ten, and all ten in the end', async () => {
    // Each node then knows what such a call costs.
    await callAll((await operator.addKey()).key, 1)
    const { id, key } = await operator.addKey({ unlimited_quota: false, remain_quota: 10 * chargePerCall })
    let served = 0
    for (let round = 0; round < 20 && served < 10; round += 1)
      served += (await callAll(key, 64)).filter(({ status }) => status === 200).length
    expect(served).toBe(10)
    await until(async () => ((await remainOf(id)) === 0 ? true : undefined))
  })

  it('serve what a balance covers and one call each of an upstream that reasons beyond the limit', async () => {
    upstream.on(
      'gpt-4o-mini',
      respond({
        delayMs: 50,
        usage: { promptTokens: 10, completionTokens: 20_001, reasoningTokens: 20_000 },
      }),
    )
    const cost = (10 + 20_001 * 4) * 0.075
    const { id, key } = await operator.addKey({ unlimited_quota: false, remain_quota: Math.ceil(3.5 * cost) })
    const replies = await callAll(key, 40, 'gpt-4o-mini')
    const served = replies.filter(({ status }) => status === 200).length
    expect(served).toBeGreaterThan(0)
    expect(served).toBeLessThanOrEqual(3 + nodes.length)
    expect(upstream.calls.filter(({ model }) => model === 'gpt-4o-mini')).toHaveLength(served)
    expect(await remainOf(id)).toBeGreaterThanOrEqual(0)
  })

  it('serve as many requests of a minute as one would', async () => {
    const limit = 120
    const { key } = await operator.addKey({ requests_per_minute: limit })
    const startedAt = Date.now()
    let granted = 0
    // A busy machine serves fewer calls in six seconds than the limit has room for.
    while (Date.now() < startedAt + 6000 || (granted < limit && Date.now() < startedAt + 40_000))
      granted += (await callAll(key, 24)).filter(({ status }) => status === 200).length
    const elapsedMs = Date.now() - startedAt
    expect(granted).toBeGreaterThanOrEqual(limit)
    // The window slides by the time of this test.
    expect(granted).toBeLessThanOrEqual(Math.ceil(limit * (1.02 + elapsedMs / 60_000)))
  })

  it('serve no more calls at once than a key may have', async () => {
    const { key } = await operator.addKey({ concurrency: 4 })
    const calling = callAll(key, 24)
    let upperBound = 0
    let isOver = false
    void calling.then(() => {
      isOver = true
    })
    while (!isOver) {
      upperBound = Math.max(upperBound, upstream.open().length)
      await Bun.sleep(1)
    }
    expect((await calling).filter(({ status }) => status === 429).length).toBeGreaterThan(0)
    expect(upperBound).toBeGreaterThan(0)
    expect(upperBound).toBeLessThanOrEqual(4)
  })

  it('charge each whole response once while nodes are killed under load', async () => {
    const { key } = await operator.addKey({ unlimited_quota: true })
    const received = new Set<string>()
    let isStopping = false
    async function worker(node: Tollgate, lane: number): Promise<void> {
      for (let index = lane; !isStopping; index += 1) {
        const reply = await call(node, key, index % 2 === 0).catch(() => undefined)
        if (reply?.isWhole) received.add(reply.requestId)
        if (reply?.status !== 200) await Bun.sleep(20)
      }
    }
    const workers = nodes.flatMap((node) => Array.from({ length: 4 }, (_, lane) => worker(node, lane)))
    for (let kill = 0; kill < 6; kill += 1) {
      await Bun.sleep(150 + ((kill * 37) % 140))
      const victim = nodes[kill % nodes.length]
      await victim?.kill('SIGKILL')
      await victim?.start()
    }
    await Bun.sleep(200)
    isStopping = true
    await Promise.all(workers)
    for (const node of nodes) await node.kill('SIGTERM')

    const [first] = nodes
    if (first === undefined) throw new Error('no node')
    const audit = await first.run('audit')
    expect(audit.output).toContain('adds up')
    await first.start()
    operator = await operate(first.url)
    const charged = await chargedTimes()
    expect(received.size).toBeGreaterThan(20)
    expect([...received].filter((id) => charged.get(id) !== 1)).toEqual([])
  })

  /** Counts the rows of each request id in the log. */
  async function chargedTimes(): Promise<ReadonlyMap<string, number>> {
    const times = new Map<string, number>()
    for (let page = 1; ; page += 1) {
      const { items } = await operator.api<{ items: { request_id: string }[] }>(
        'GET',
        `/api/log/?p=${page}&page_size=100&type=2`,
      )
      for (const { request_id } of items) times.set(request_id, (times.get(request_id) ?? 0) + 1)
      if (items.length < 100) return times
    }
  }
})
