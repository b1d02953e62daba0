import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import OpenAI, { APIError, toFile } from 'openai'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(20_000))

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
/** Quota units of one image: 0.002 dollars. */
const imageQuota = 1000

/** Responses of a vendor that made so many images, and of one whose filter stopped all. */
interface Vendor {
  readonly type: number
  made(count: number, url: string): object
  readonly filtered: object
  /** It gives addresses, whatever is asked. */
  readonly addresses?: true
}

const urls = (count: number, url: string) => Array.from({ length: count }, () => ({ url }))
const bytes = (count: number) => Array.from({ length: count }, () => ({ b64_json: png }))
const sensitive = { code: 'OutputImageSensitiveContentDetected', message: 'the image may be sensitive' }

const vendors: Readonly<Record<string, Vendor>> = {
  'an OpenAI-compatible one': {
    type: 1,
    made: (count) => ({ created: 1, data: bytes(count) }),
    filtered: { created: 1, data: [{ error: sensitive }] },
  },
  'an OpenAI-compatible one that gives addresses': {
    type: 8,
    addresses: true,
    made: (count, url) => ({ created: 1, data: urls(count, url) }),
    filtered: { created: 1, data: [{ error: sensitive }] },
  },
  xAI: {
    type: 48,
    made: (count) => ({ data: bytes(count) }),
    filtered: { data: [{ url: '', respect_moderation: false }] },
  },
  SiliconFlow: {
    type: 40,
    addresses: true,
    made: (count, url) => ({ images: urls(count, url) }),
    filtered: { images: [{ error: sensitive }] },
  },
  Together: {
    type: 1001,
    made: (count) => ({ data: bytes(count) }),
    filtered: { data: [{ error: { code: 'content_policy_violation', message: 'no' } }] },
  },
  MiniMax: {
    type: 35,
    made: (count) => ({
      data: { image_base64: Array.from({ length: count }, () => png) },
      metadata: { failed_count: '3', success_count: '1' },
      base_resp: { status_code: 0 },
    }),
    filtered: {
      data: {},
      metadata: { failed_count: '4', success_count: '0' },
      base_resp: { status_code: 0 },
    },
  },
  Seedream: {
    type: 45,
    addresses: true,
    made: (count, url) => ({ data: [...urls(count, url), { error: sensitive }] }),
    filtered: { data: [{ error: sensitive }] },
  },
  Imagen: {
    type: 24,
    made: (count) => ({
      predictions: [
        ...Array.from({ length: count }, () => ({ bytesBase64Encoded: png })),
        { raiFilteredReason: 'person' },
      ],
    }),
    filtered: { predictions: [{ raiFilteredReason: 'person' }] },
  },
}

let gateway: Tollgate
let operator: Operator
let client: OpenAI
const upstreams: { stop(): void }[] = []
const replies = new Map<string, object>()

const modelOf = (name: string) => (name === 'Imagen' ? 'imagen-made' : `image of ${name}`)

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  await operator.option('OutboundAllowedRanges', '127.0.0.0/8')
  await operator.option('RetryTimes', '2')
  await operator.option(
    'ModelPrice',
    JSON.stringify(Object.fromEntries(Object.keys(vendors).map((name) => [modelOf(name), 0.002]))),
  )
  for (const [name, { type }] of Object.entries(vendors))
    for (const position of ['first', 'second']) {
      const upstream = startUpstream(name)
      upstreams.push(upstream)
      const path = type === 8 ? '/v1' : ''
      await operator.addChannel({
        name: `${name} ${position}`,
        type,
        base_url: upstream.url + path,
        models: modelOf(name),
      })
    }
  client = new OpenAI({
    baseURL: `${gateway.url}/v1`,
    apiKey: (await operator.addKey()).key,
    maxRetries: 0,
  })
})
afterAll(async () => {
  await gateway?.stop()
  for (const upstream of upstreams) upstream.stop()
})

let requested = 0

function startUpstream(name: string) {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      if (request.method === 'GET')
        return new Response(Buffer.from(png, 'base64'), { headers: { 'content-type': 'image/png' } })
      requested += 1
      await request.arrayBuffer()
      return Response.json(replies.get(name))
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, stop: () => void server.stop(true) }
}

async function costOf<T>(work: () => Promise<T>): Promise<{ result: T; cost: number }> {
  const before = await operator.quota()
  const result = await work()
  return { result, cost: before - (await operator.quota()) }
}

const pictureUrl = () => `${(upstreams[0] as { url?: string }).url}/image.png`

describe.each(Object.entries(vendors))('images of %s', (name, vendor) => {
  const order = { model: modelOf(name), prompt: 'a cat', n: 4 } as const

  it('are charged as made: one of four costs one', async () => {
    replies.set(name, vendor.made(1, pictureUrl()))
    const { result, cost } = await costOf(() => client.images.generate(order))
    expect(result.data).toHaveLength(1)
    expect(cost).toBe(imageQuota)
  })

  it('come as bytes where bytes are asked for', async () => {
    replies.set(name, vendor.made(2, pictureUrl()))
    const { result, cost } = await costOf(() =>
      client.images.generate({ ...order, response_format: 'b64_json' }),
    )
    expect(result.data?.map(({ b64_json }) => b64_json)).toEqual([png, png])
    expect(cost).toBe(2 * imageQuota)
  })

  it('that a filter stopped completely are refused, uncharged, and not retried elsewhere', async () => {
    replies.set(name, vendor.filtered)
    requested = 0
    const { result, cost } = await costOf(() =>
      client.images.generate(order).catch((error: unknown) => error),
    )
    expect(result).toBeInstanceOf(APIError)
    expect(result).toMatchObject({ status: 400, code: 'content_policy_violation' })
    expect(requested).toBe(1)
    expect(cost).toBe(0)
  })
})

describe('images that are changed by a form', () => {
  it.each(['an OpenAI-compatible one', 'an OpenAI-compatible one that gives addresses', 'xAI'])(
    'are charged as made, and come as bytes where those are asked for (%s)',
    async (name) => {
      replies.set(name, vendors[name]?.made(1, pictureUrl()) ?? {})
      const image = await toFile(Buffer.from(png, 'base64'), 'cat.png', { type: 'image/png' })
      const { result, cost } = await costOf(() =>
        client.images.edit({
          model: modelOf(name),
          prompt: 'a hat',
          n: 3,
          image,
          response_format: 'b64_json',
        }),
      )
      expect(result.data?.map(({ b64_json }) => b64_json)).toEqual([png])
      expect(cost).toBe(imageQuota)
    },
  )
})
