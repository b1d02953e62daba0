import { afterAll, afterEach, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { get, type IncomingMessage } from 'node:http'
import OpenAI, { type APIError } from 'openai'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { type LogRow, type Operator, operate } from '../../support/operator.ts'
import { startTokenIssuer, type TokenIssuer } from '../../support/protocols/vertex.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import {
  bulkPiece,
  startVideoUpstream,
  type VideoUpstream,
  videoBytes,
  videoKey,
} from '../../support/tasks/video.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(90_000))

const perUnit = 500_000
const veo = 'veo-3.0-generate-001'
const vertexVeo = 'veo-3.1-generate-001'
const hailuo = 'MiniMax-Hailuo-02'
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

let gateway: Tollgate
let issuer: TokenIssuer
let upstream: VideoUpstream
let operator: Operator
let user: Operator
let key: string
let client: OpenAI
let otherUser: OpenAI

beforeAll(async () => {
  issuer = await startTokenIssuer()
  upstream = await startVideoUpstream((token) => issuer.accepts(token))
  gateway = await startTollgate({ env: { TASK_POLL_SECONDS: '1' } })
  operator = await operate(gateway.url)
  const at = { base_url: upstream.url, key: videoKey }
  await operator.addChannel({ ...at, name: 'gemini', type: 24, models: `${veo},gemini-2.5-flash` })
  await operator.addChannel({ ...at, name: 'minimax', type: 35, models: hailuo })
  await operator.addChannel({
    ...at,
    name: 'vertex',
    type: 41,
    key: issuer.key,
    other: 'us-central1',
    models: vertexVeo,
  })
  user = await addUser(gateway, 'director', 20 * perUnit)
  key = (await user.addKey({ unlimited_quota: true })).key
  client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
  const other = await addUser(gateway, 'stranger', 20 * perUnit)
  const otherUsersKey = (await other.addKey({ unlimited_quota: true })).key
  otherUser = new OpenAI({ apiKey: otherUsersKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
})

afterEach(() => upstream.becomes('working'))

afterAll(async () => {
  const { code, output } = await gateway.run('audit')
  await gateway.stop()
  await upstream.stop()
  await issuer.stop()
  expect([code, output]).toEqual([0, expect.any(String)])
})

// The SDK knows the names of its own models alone.
type Order = Parameters<OpenAI['videos']['create']>[0]
const order = (body: Record<string, unknown>) => client.videos.create(body as unknown as Order)
const ended = (id: string) =>
  until(async () => {
    const video = await client.videos.retrieve(id)
    return video.status === 'completed' || video.status === 'failed' ? video : undefined
  })

/** Measures the cost of an act for the director. */
async function cost(act: () => Promise<unknown>): Promise<number> {
  const before = await user.quota()
  await act()
  return Math.round(((before - (await user.quota())) / perUnit) * 1e6) / 1e6
}

function post(path: string, body: unknown, as = key) {
  return fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

const faultOf = (requested: Promise<unknown>): Promise<APIError> =>
  requested.then(
    () => Promise.reject(new Error('it was taken')),
    (error: APIError) => error,
  )

describe('a video', () => {
  it('is ordered with a file, followed and fetched with the official SDK, and paid for by its seconds', async () => {
    let id = ''
    const price = await cost(async () => {
      const video = await order({
        model: veo,
        prompt: 'a cat',
        seconds: '4',
        size: '1280x720',
        input_reference: new File([png], 'cat.png', { type: 'image/png' }),
      })
      expect(video).toMatchObject({
        object: 'video',
        model: veo,
        status: 'queued',
        progress: 0,
        seconds: '4',
        size: '1280x720',
        error: null,
        completed_at: null,
      })
      id = video.id
      upstream.becomes('made')
      const made = await ended(id)
      expect(made).toMatchObject({ id, status: 'completed', progress: 100, error: null })
      expect(made.completed_at).toBeGreaterThanOrEqual(made.created_at)
      // Its address wants the channel's key.
      expect(made).not.toHaveProperty('metadata')
    })
    expect(price).toBe(1.6)
    expect(upstream.orders.at(-1)?.body).toEqual({
      instances: [
        { prompt: 'a cat', image: { bytesBase64Encoded: png.toString('base64'), mimeType: 'image/png' } },
      ],
      parameters: { aspectRatio: '16:9', resolution: '720p', durationSeconds: 4 },
    })
    const content = await client.videos.downloadContent(id)
    expect(content.headers.get('content-type')).toBe('video/mp4')
    expect(Buffer.from(await content.arrayBuffer())).toEqual(videoBytes)
  })

  it('at an address for everybody is fetched from there, without the key', async () => {
    upstream.becomes('made')
    const reply = await post('/v1/video/generations', { model: hailuo, prompt: 'a cat', duration: 6 })
    expect(reply.status).toBe(200)
    const { id } = (await reply.json()) as { id: string }
    expect(await ended(id)).toMatchObject({ metadata: { url: `${upstream.url}/cdn/m.mp4` }, seconds: '6' })
    const visible = await fetch(`${gateway.url}/v1/video/generations/${id}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(await visible.json()).toMatchObject({ id, status: 'completed' })
    const content = await client.videos.downloadContent(id)
    expect(Buffer.from(await content.arrayBuffer())).toEqual(videoBytes)
  })

  it('whose bytes are in its operation is given as bytes', async () => {
    upstream.becomes('made')
    const { id } = await order({ model: vertexVeo, prompt: 'a cat' })
    await ended(id)
    const content = await client.videos.downloadContent(id)
    expect(Buffer.from(await content.arrayBuffer())).toEqual(videoBytes)
  })

  it('that fails is refunded, and says why', async () => {
    upstream.becomes('failed')
    const price = await cost(async () => {
      const { id } = await order({ model: hailuo, prompt: 'a cat' })
      expect(await ended(id)).toMatchObject({
        status: 'failed',
        error: { code: 'generation_failed', message: 'output is sensitive' },
      })
      expect(await faultOf(client.videos.downloadContent(id))).toMatchObject({
        status: 400,
        code: 'video_not_ready',
      })
    })
    expect(price).toBe(0)
  })

  it('is explained in the log row', async () => {
    upstream.becomes('made')
    const { id } = await order({ model: hailuo, prompt: 'a cat', size: '1920x1080' })
    await ended(id)
    const row = await until(async () => {
      const { items: rows } = await operator.api<{ items: LogRow[] }>(
        'GET',
        '/api/log/?p=1&page_size=20&type=2',
      )
      return rows.find(({ other }) => JSON.parse(other).video_resolution === '1080p')
    })
    expect(JSON.parse(row.other)).toMatchObject({
      video_price: 0.056,
      video_unit: 'second',
      video_seconds: 6,
      video_resolution: '1080p',
      video_resolution_ratio: 1.458334,
    })
  })

  it('of another user is not found', async () => {
    const { id } = await order({ model: hailuo, prompt: 'a cat' })
    for (const requested of [otherUser.videos.retrieve(id), otherUser.videos.downloadContent(id)])
      expect(await faultOf(requested)).toMatchObject({
        status: 404,
        code: 'video_not_found',
        param: 'video_id',
      })
    expect(await faultOf(client.videos.retrieve('video_x'))).toMatchObject({ status: 404 })
    expect(await faultOf(client.videos.downloadContent(id))).toMatchObject({
      status: 400,
      code: 'video_not_ready',
    })
  })
})

describe('a video in base64', () => {
  it('of any size is streamed as it arrives, and no user blocks others', async () => {
    const pieces = 2048
    upstream.bulk = pieces * bulkPiece.length
    upstream.becomes('made')
    try {
      const ids = await Promise.all(
        [client, otherUser].map(async (caller) => {
          const { id } = await caller.videos.create({ model: vertexVeo, prompt: 'a cat' } as unknown as Order)
          await until(
            async () => (await caller.videos.retrieve(id)).status === 'completed' || undefined,
            30_000,
          )
          return id
        }),
      )
      const [own = '', foreign = ''] = ids
      const downloaded = await client.videos.downloadContent(own)
      const sum = new Bun.CryptoHasher('sha256')
      for (let index = 0; index < pieces; index += 1) sum.update(bulkPiece)
      const received = new Bun.CryptoHasher('sha256')
      for await (const chunk of downloaded.body ?? []) received.update(chunk)
      expect(received.digest('hex')).toBe(sum.digest('hex'))

      const waiting = await Promise.all(Array.from({ length: 8 }, () => openContent(own)))
      expect(waiting.map(({ statusCode }) => statusCode)).toEqual(waiting.map(() => 200))
      const fault = await faultOf(client.videos.downloadContent(own))
      expect(fault).toMatchObject({ status: 429, message: expect.stringContaining('8 videos at once') })
      const other = await otherUser.videos.downloadContent(foreign)
      expect(other.status).toBe(200)
      await other.body?.cancel()
      for (const response of waiting) response.destroy()
      const again = await until(() => client.videos.downloadContent(own).catch(() => undefined))
      await again.body?.cancel()
    } finally {
      upstream.bulk = 0
    }
  })
})

/** The response to a request for the bytes, which is never read. */
function openContent(id: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${key}` }
  return new Promise((resolve, reject) => {
    get(`${gateway.url}/v1/videos/${id}/content`, { headers, agent: false }, resolve).on('error', reject)
  })
}

describe('an order through a pinned channel', () => {
  it('holds what it costs there, whatever the channels of the group make', async () => {
    const at = { base_url: upstream.url, key: videoKey, models: 'film' }
    const mapped = (model: string) => ({ model_mapping: JSON.stringify({ film: model }) })
    await operator.addChannel({ ...at, ...mapped(hailuo), name: 'six seconds', type: 35 })
    const eight = { ...at, ...mapped(veo), name: 'eight seconds', type: 24, group: 'vip' }
    const { id } = await operator.addChannel(eight)
    await operator.option('ModelPrice', JSON.stringify({ ...(await optionOf('ModelPrice')), film: 0.1 }))
    await operator.option(
      'VideoPrice',
      JSON.stringify({ ...(await optionOf('VideoPrice')), film: { unit: 'second' } }),
    )
    const own = (await operator.addKey({ unlimited_quota: true })).key
    const before = await operator.quota()
    const reply = await post('/v1/videos', { model: 'film', prompt: 'a cat' }, `${own}-${id}`)
    expect(reply.status).toBe(200)
    expect(before - (await operator.quota())).toBe(0.8 * perUnit)
  })

  it('is refused a model that the key may not use, as every other call through one', async () => {
    const at = { base_url: upstream.url, key: videoKey, models: 'film' }
    const { id } = await operator.addChannel({ ...at, name: 'for one caller', type: 24, group: 'vip' })
    const limits = { model_limits_enabled: true, model_limits: 'another' }
    const { key: bound } = await operator.addKey({ unlimited_quota: true, ...limits })
    const calls = [
      ['/v1/videos', { model: 'film', prompt: 'a cat' }],
      ['/v1/chat/completions', { model: 'film', messages: [{ role: 'user', content: 'hi' }] }],
      ['/v1/embeddings', { model: 'film', input: 'hi' }],
    ] as const
    for (const [path, body] of calls) {
      const reply = await post(path, body, `${bound}-${id}`)
      expect([path, reply.status, JSON.stringify(await reply.json())]).toEqual([
        path,
        403,
        expect.stringContaining('This key may not use the model film'),
      ])
    }
  })
})

async function optionOf(name: string): Promise<object> {
  const options = await operator.api<readonly { key: string; value: string }[]>('GET', '/api/option/')
  return JSON.parse(options.find(({ key }) => key === name)?.value ?? '{}')
}

describe('an order that cannot be taken', () => {
  it.each([
    [{ model: veo }, 400, 'prompt', 'missing_required_parameter'],
    [{ model: veo, prompt: 'a cat', seconds: '5' }, 400, 'seconds', 'invalid_value'],
    [{ model: veo, prompt: 'a cat', seconds: 'x' }, 400, 'seconds', 'invalid_value'],
    [{ model: veo, prompt: 'a cat', size: '1x1' }, 400, 'size', 'invalid_value'],
    [{ model: veo, prompt: 'a cat', mode: 'pro' }, 400, 'mode', 'unsupported_parameter'],
    [
      { model: veo, prompt: 'a cat', metadata: { sampleCount: 4 } },
      400,
      'metadata.sampleCount',
      'invalid_value',
    ],
    [
      { model: veo, prompt: 'a cat', metadata: { parameters: { fps: 60 } } },
      400,
      'metadata.fps',
      'unsupported_parameter',
    ],
    [{ model: hailuo, prompt: 'a cat', sound: true }, 400, 'metadata.sound', 'unsupported_parameter'],
    [{ model: veo, prompt: 'a cat', image: 'ftp://x' }, 400, 'image', 'invalid_value'],
    [{ model: 'no-such-model', prompt: 'a cat' }, 404, 'model', 'model_not_found'],
    [{ model: 'gemini-2.5-flash', prompt: 'a cat' }, 400, expect.anything(), expect.anything()],
    ['[]', 400, null, expect.anything()],
    ['{', 400, null, expect.anything()],
  ])('%j is %d, by name, and free', async (body, status, param, code) => {
    const before = upstream.orders.length
    const price = await cost(async () => {
      const reply = await post('/v1/videos', body)
      const { error } = (await reply.json()) as { error: Record<string, unknown> }
      expect([reply.status, error.param, error.code]).toEqual([status, param, code])
      expect(error).toMatchObject({
        message: expect.stringContaining('request id'),
        type: expect.any(String),
      })
    })
    expect([price, upstream.orders.length - before]).toEqual([0, 0])
  })

  it('by its upstream has its reason, and is free', async () => {
    upstream.refuse(200, { task_id: '', base_resp: { status_code: 1026, status_msg: 'prompt is sensitive' } })
    const price = await cost(async () => {
      const fault = await faultOf(order({ model: hailuo, prompt: 'a cat' }))
      expect(fault.status).toBe(400)
      expect(fault.message).toContain('prompt is sensitive')
    })
    expect(price).toBe(0)
  })

  it('with a file that is not an image is refused by name', async () => {
    const file = new File(['<script>'], 'cat.png', { type: 'image/png' })
    const fault = await faultOf(order({ model: veo, prompt: 'a cat', input_reference: file }))
    expect(fault).toMatchObject({ status: 400, param: 'input_reference' })
  })

  it('for want of a key or of money is refused', async () => {
    expect((await post('/v1/videos', { model: veo, prompt: 'a cat' }, 'sk-none')).status).toBe(401)
    const userWithoutQuota = await addUser(gateway, 'poor', 0.5 * perUnit)
    const keyWithoutQuota = (await userWithoutQuota.addKey({ unlimited_quota: true })).key
    const reply = await post('/v1/videos', { model: veo, prompt: 'a cat' }, keyWithoutQuota)
    expect([reply.status, ((await reply.json()) as { error: { code: string } }).error.code]).toEqual([
      403,
      'insufficient_user_quota',
    ])
  })

  it('at a path that is not served says so', async () => {
    const headers = { authorization: `Bearer ${key}` }
    const statusOf = async (method: string, path: string) =>
      (await fetch(gateway.url + path, { method, headers })).status
    expect(await statusOf('GET', '/v1/videos')).toBe(501)
    expect(await statusOf('POST', '/v1/videos/video_x/remix')).toBe(501)
    expect(await statusOf('PUT', '/v1/videos')).toBe(405)
  })
})
