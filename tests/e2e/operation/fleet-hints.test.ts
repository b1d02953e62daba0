import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { SQL } from 'bun'
import OpenAI, { type APIError } from 'openai'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { type Nodes, startNodes } from '../../support/fleet.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import type { Tollgate } from '../../support/server.ts'
import {
  type MidjourneyUpstream,
  proxySecret,
  startMidjourneyUpstream,
} from '../../support/tasks/midjourney.ts'
import { startVideoUpstream, type VideoUpstream, videoBytes, videoKey } from '../../support/tasks/video.ts'
import { until } from '../../support/until.ts'
import { refuse, respond } from '../../support/upstream/behaviours.ts'
import { type RealtimeUpstream, startRealtimeUpstream } from '../../support/upstream/realtime.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

const crossingMs = 2000
/** A node writes its counts every five seconds. */
const writtenMs = 8000
/** The first cooldown, and how much later than the first node another one probes. */
const cooldownMs = 5000
const standbyMs = 1500
const usage = { total_tokens: 30, input_tokens: 20, output_tokens: 10 }
/** Time that a probe takes. */
const probeMs = 1500
const videoModel = 'MiniMax-Hailuo-02'
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

interface Session {
  readonly heard: (type: string) => Promise<unknown>
  readonly closing: Promise<number>
  say(event: object): void
}

function openSession({ url }: Tollgate, model: string, key: string): Promise<Session> {
  const options: Bun.WebSocketOptions = { headers: { authorization: `Bearer ${key}` } }
  const address = `${url.replace('http', 'ws')}/v1/realtime?model=${model}`
  // The types of browsers, which hold here, know no headers.
  const socket = new WebSocket(address, options as unknown as string[])
  const types: unknown[] = []
  socket.addEventListener('message', ({ data }) => types.push(JSON.parse(String(data)).type))
  const closing = new Promise<number>((done) => socket.addEventListener('close', ({ code }) => done(code)))
  const session: Session = {
    heard: (type) => until(() => types.includes(type) || undefined),
    closing,
    say: (event) => socket.send(JSON.stringify(event)),
  }
  return new Promise((done, fail) => {
    socket.addEventListener('open', () => done(session))
    socket.addEventListener('error', () => fail(new Error('the session was refused')))
  })
}

describe.skipIf(!hasPostgres())('three nodes on one PostgreSQL', () => {
  let postgres: Postgres
  let databaseUrl: string
  let upstreams: readonly [Upstream, Upstream, Upstream, Upstream]
  let videos: VideoUpstream
  let drawings: MidjourneyUpstream
  let realtime: RealtimeUpstream
  let nodes: Nodes
  let clients: readonly [OpenAI, OpenAI, OpenAI]
  let operator: Operator
  let key: string

  beforeAll(async () => {
    postgres = await startPostgres()
    databaseUrl = await postgres.createDatabase()
    upstreams = await Promise.all([startUpstream(), startUpstream(), startUpstream(), startUpstream()])
    videos = await startVideoUpstream(() => false)
    drawings = await startMidjourneyUpstream()
    realtime = await startRealtimeUpstream({
      reply: (event, send) => {
        if (event.type === 'response.create') send({ type: 'response.done', response: { usage } })
      },
    })
    nodes = await startNodes({ DATABASE_URL: databaseUrl, TASK_POLL_SECONDS: '1' })
    operator = await operate(nodes[0].url)
    await until(areAcquainted)
    await setUp()
    key = (await operator.addKey()).key
    const clientOf = ({ url }: Tollgate) => new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 })
    const [a, b, c] = nodes
    clients = [clientOf(a), clientOf(b), clientOf(c)]
    for (const client of clients) await until(() => talk(client, 'chat').catch(() => undefined))
  })

  /** Waits until every node has counted the others: each does so every two seconds. */
  async function areAcquainted(): Promise<true | undefined> {
    const list = await operator.api<readonly { started_at: number; seen_at: number }[]>('GET', '/api/nodes')
    const lastStart = Math.max(...list.map((node) => node.started_at))
    return list.every((node) => node.seen_at > lastStart) || undefined
  }

  async function setUp(): Promise<void> {
    const [one, two] = upstreams
    for (const model of ['dead', 'limited', 'revoked']) {
      await operator.addChannel({ name: `${model} first`, base_url: one.url, models: model, priority: 9 })
      await operator.addChannel({ name: `${model} next`, base_url: two.url, models: model })
    }
    for (const [index, { url }] of upstreams.entries())
      await operator.addChannel({ name: `of sessions ${index}`, base_url: url, models: 'shared' })
    await operator.addChannel({ name: 'chat', type: 43, base_url: two.url, models: 'chat' })
    const video = { name: 'videos', type: 35, base_url: videos.url, key: videoKey, models: videoModel }
    await operator.addChannel(video)
    const drawing = { name: 'drawings', type: 2, base_url: drawings.url, key: proxySecret }
    await operator.addChannel({ ...drawing, models: 'mj_imagine' })
    await operator.addChannel({ name: 'realtime', base_url: realtime.url, models: 'spoken' })
    const ratios = Object.fromEntries(
      ['dead', 'limited', 'revoked', 'shared', 'chat', 'spoken'].map((name) => [name, 1]),
    )
    await operator.option('ModelRatio', JSON.stringify(ratios))
    await operator.option('ServerAddress', operator.url)
    await operator.option('MjNotifyEnabled', 'true')
    await operator.option('AutomaticDisableChannelEnabled', 'true')
  }

  afterAll(async () => {
    const audited = await nodes?.[0].run('audit')
    for (const node of nodes ?? []) await node.stop()
    for (const upstream of [...(upstreams ?? []), videos, drawings, realtime]) await upstream?.stop()
    await postgres?.stop()
    expect(audited).toMatchObject({ code: 0 })
  })

  const messages = [{ role: 'user' as const, content: 'Hi.' }]
  const talk = (client: OpenAI, model: string, more: { readonly prompt_cache_key?: string } = {}) =>
    client.chat.completions.create({ model, messages, ...more })
  const calls = (model: string) => upstreams[0].calls.filter((call) => call.model === model).length

  /** Reads the health of a channel at each node. */
  function healthOf(name: string): Promise<readonly ChannelHealth[]> {
    return Promise.all(
      nodes.map(async ({ url }) => {
        const response = await fetch(`${url}/api/channel/?p=0&page_size=50`, {
          headers: { cookie: operator.cookie, 'New-Api-User': String(operator.userId) },
        })
        const { data } = (await response.json()) as { data: readonly Listed[] }
        const found = data.find((channel) => channel.name === name)
        if (found === undefined) throw new Error(`no channel ${name}`)
        return found.health
      }),
    )
  }
  const everywhere = (name: string, fits: (health: ChannelHealth) => boolean) =>
    until(async () => ((await healthOf(name)).every(fits) ? true : undefined), crossingMs)

  it('call no channel that one of them found dead, probe it once, and use it again when it lives', async () => {
    const [a, b, c] = clients
    upstreams[0].on('dead', refuse(500))
    for (let failures = 0; failures < 5; failures += 1) await talk(a, 'dead')
    await everywhere('dead first', ({ state }) => state === 'open')
    for (const client of [b, c, b, c]) await talk(client, 'dead')
    expect(calls('dead')).toBe(5)

    upstreams[0].on('dead', respond({ delayMs: probeMs }))
    const callers = clients.map((client) => callFor(client, 'dead', () => calls('dead') > 5))
    await until(() => calls('dead') > 5 || undefined, cooldownMs + standbyMs)
    for (const end = performance.now() + probeMs / 2; performance.now() < end; )
      for (const client of clients) await talk(client, 'dead')
    expect(calls('dead')).toBe(6)
    await Promise.all(callers)

    await everywhere('dead first', ({ state }) => state === 'closed')
    for (const client of clients) await talk(client, 'dead')
    expect(calls('dead')).toBe(9)
  })

  async function callFor(client: OpenAI, model: string, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await talk(client, model)
      await Bun.sleep(20)
    }
  }

  it('leave a limited key alone until it is replaced', async () => {
    const [a, b, c] = clients
    upstreams[0].on('limited', refuse(429, { headers: { 'retry-after': '600' } }))
    await talk(a, 'limited')
    await everywhere('limited first', ({ keys }) => keys[0]?.status === 'resting')
    for (const client of [b, c]) await talk(client, 'limited')
    expect(calls('limited')).toBe(1)
    upstreams[0].on('limited', respond())
    const listed = await operator.api<readonly (Listed & { id: number })[]>(
      'GET',
      '/api/channel/?p=0&page_size=50',
    )
    const id = listed.find(({ name }) => name === 'limited first')?.id
    await operator.api('PUT', '/api/channel/', { id, key: 'sk-upstream-secret-0002' })
    await everywhere('limited first', ({ keys }) => keys[0]?.status === 'enabled')
    for (const client of clients) await talk(client, 'limited')
    expect(calls('limited')).toBe(4)
  })

  it('use no key that was refused on another', async () => {
    upstreams[0].on('revoked', refuse(401, { code: 'invalid_api_key' }))
    await talk(clients[0], 'revoked')
    for (const client of clients)
      await until(async () => {
        const before = calls('revoked')
        await talk(client, 'revoked')
        return calls('revoked') === before || undefined
      }, crossingMs)
  })

  it('send a session to one channel, whichever of them it calls', async () => {
    const received = () =>
      upstreams.map((upstream) => upstream.calls.filter(({ model }) => model === 'shared').length)
    for (let session = 0; session < 8; session += 1) {
      const before = received()
      for (const client of clients) await talk(client, 'shared', { prompt_cache_key: `session ${session}` })
      const added = received().map((count, index) => count - (before[index] ?? 0))
      expect(added.toSorted()).toEqual([0, 0, 0, 3])
    }
    expect(received().filter((count) => count > 0).length).toBeGreaterThan(1)
  })

  it('continue, show and delete responses of one another, the moment they are there', async () => {
    let previous: string | null = null
    for (let turn = 0; turn < 9; turn += 1) {
      const client = clients[turn % 3] ?? clients[0]
      const { id }: OpenAI.Responses.Response = await client.responses.create({
        model: 'chat',
        input: `Turn ${turn}`,
        previous_response_id: previous,
      })
      previous = id
    }
    const id = previous ?? ''
    const [a, b, c] = clients
    expect((await b.responses.retrieve(id)).id).toBe(id)
    expect((await c.responses.inputItems.list(id, { limit: 100 })).data).toHaveLength(17)
    await a.responses.delete(id)
    expect(await b.responses.retrieve(id).catch((error: APIError) => error.status)).toBe(404)
  })

  it('wait for a response that another is about to write', async () => {
    await using sql = new SQL(databaseUrl, { max: 1 })
    const [a, b] = clients
    await using lock = await sql.reserve()
    await lock`begin`
    await lock`lock table stored_responses in exclusive mode`
    const { id } = await a.responses.create({ model: 'chat', input: 'First' })
    const reading = b.responses.retrieve(id)
    await Bun.sleep(200)
    await lock`commit`
    expect((await reading).id).toBe(id)
  })

  it('show a video that was ordered from another, and fetch its bytes', async () => {
    const [a, b, c] = clients
    videos.becomes('made')
    // The SDK knows the names of its own models alone.
    const { id } = await a.videos.create({ model: videoModel as never, prompt: 'a cat' })
    await until(async () => (await b.videos.retrieve(id)).status === 'completed' || undefined)
    const content = await c.videos.downloadContent(id)
    expect(Buffer.from(await content.arrayBuffer())).toEqual(videoBytes)
  })

  it('add up the attempts of all, and show the same sum and condition on each', async () => {
    for (const client of clients) await talk(client, 'chat')
    const sent = upstreams[1].calls.filter((call) => call.model === 'chat').length
    const isSum = ({ last_hour: { ok, failed }, condition }: ChannelHealth) =>
      condition === 'healthy' && ok === sent && failed === 0
    const agree = async () => (await healthOf('chat')).every(isSum) || undefined
    expect(await until(agree, writtenMs)).toBe(true)
  })

  it('end a Realtime session when its user is banned on another, and show its charge', async () => {
    const [a, , c] = nodes
    const ann = await addUser(a, 'ann', 1_000_000)
    const { key: hers } = await ann.addKey()
    const spoken = async () => {
      const { items } = await operator.api<{ items: object[] }>('GET', '/api/log/?type=2&model_name=spoken')
      return items.length > 0 || undefined
    }
    const session = await openSession(c, 'spoken', hers)
    session.say({ type: 'response.create' })
    await session.heard('response.done')
    await operator.api('POST', '/api/user/manage', { id: ann.userId, action: 'disable' })
    expect(await session.closing).toBe(1008)
    expect(await until(spoken)).toBe(true)
  })

  it('take notice of a drawing that was ordered from another, and show it', async () => {
    const [a, b, c] = nodes
    const ordered = await fetch(`${a.url}/mj/submit/imagine`, {
      method: 'POST',
      headers: { 'mj-api-secret': key },
      body: JSON.stringify({ prompt: 'cat' }),
    })
    const { result: id } = (await ordered.json()) as { result: string }
    const { notifyHook } = JSON.parse(drawings.calls.at(-1)?.body ?? '{}') as { notifyHook: string }
    const imageUrl = drawings.show(
      '/made.png',
      () => new Response(png, { headers: { 'content-type': 'image/png' } }),
    )
    const reported = await fetch(notifyHook.replace(a.url, b.url), {
      method: 'POST',
      body: JSON.stringify({ id, status: 'SUCCESS', progress: '100%', imageUrl }),
    })
    expect(reported.status).toBe(200)
    const visible = await fetch(`${c.url}/mj/task/${id}/fetch`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(await visible.json()).toMatchObject({ status: 'SUCCESS', progress: '100%' })
    const image = await fetch(`${c.url}/mj/image/${id}`)
    expect(Buffer.from(await image.arrayBuffer())).toEqual(png)
  })
})

interface ChannelHealth {
  readonly state: string
  readonly condition: string
  readonly last_hour: { readonly ok: number; readonly failed: number }
  readonly keys: readonly { readonly status: string }[]
}

interface Listed {
  readonly name: string
  readonly health: ChannelHealth
}
