import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import OpenAI, { type APIError } from 'openai'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import {
  reasonOfVendor,
  startVideoVendor,
  type VendorServer,
  videoVendors,
} from '../../support/tasks/video-vendors.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(20_000))

type Name = keyof typeof videoVendors
const names = Object.keys(videoVendors) as readonly Name[] // Its keys are the names.
const perUnit = 500_000
const film = Buffer.from('\0\0\0\x18ftypmp42 a video', 'latin1')
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
/** Prices by the call of models that have none by default; the others are priced by the second. */
const callPrices = { jimeng_v30: 0.3, viduq2: 0.2, 'google/veo-3': 0.5 }
const costs: Readonly<Record<Name, number>> = {
  kling: 5 * 0.028,
  gateway: 5 * 0.056,
  jimeng: 0.3,
  vidu: 0.2,
  sora: 4 * 0.1,
  replicate: 0.5,
}

let gateway: Tollgate
let operator: Operator
let client: OpenAI
const servers = new Map<Name, VendorServer>()
const serverOf = (name: Name) => servers.get(name) as VendorServer

beforeAll(async () => {
  gateway = await startTollgate({ env: { TASK_POLL_SECONDS: '1' } })
  operator = await operate(gateway.url)
  const { ModelPrice } = Object.fromEntries(
    (await operator.api<readonly { key: string; value: string }[]>('GET', '/api/option/')).map(
      ({ key, value }) => [key, value],
    ),
  )
  await operator.option('ModelPrice', JSON.stringify({ ...JSON.parse(ModelPrice ?? '{}'), ...callPrices }))
  for (const name of names) {
    const { type, key, model } = videoVendors[name]
    const server = startVideoVendor(videoVendors[name], film)
    servers.set(name, server)
    await operator.addChannel({ name, type, key, models: model, base_url: server.url })
  }
  const { key } = await operator.addKey({ unlimited_quota: true })
  client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
})

afterAll(async () => {
  const { code } = await gateway.run('audit')
  await gateway.stop()
  for (const server of servers.values()) await server.stop()
  expect(code).toBe(0)
})

// The SDK knows the names of its own models alone.
type Order = Parameters<OpenAI['videos']['create']>[0]
const order = (name: Name, more: Record<string, unknown> = {}) =>
  client.videos.create({ model: videoVendors[name].model, prompt: 'a cat', ...more } as unknown as Order)

const ended = (id: string) =>
  until(async () => {
    const video = await client.videos.retrieve(id)
    return video.status === 'completed' || video.status === 'failed' ? video : undefined
  })

async function cost(act: () => Promise<unknown>): Promise<number> {
  const before = await operator.quota()
  await act()
  return (before - (await operator.quota())) / perUnit
}

const faultOf = (requested: Promise<unknown>): Promise<APIError> =>
  requested.then(
    () => Promise.reject(new Error('it was taken')),
    (error: APIError) => error,
  )

describe.each(names)('a video of %s', (name) => {
  it('is made of a picture, fetched, and paid for once', async () => {
    const price = await cost(async () => {
      const { id } = await order(name, { input_reference: new File([png], 'cat.png', { type: 'image/png' }) })
      serverOf(name).becomes('made')
      expect(await ended(id)).toMatchObject({ id, status: 'completed', progress: 100, error: null })
      const content = await client.videos.downloadContent(id)
      expect(Buffer.from(await content.arrayBuffer())).toEqual(film)
    })
    expect(price).toBeCloseTo(costs[name], 5)
    expect(JSON.stringify(serverOf(name).orders.at(-1))).toContain(png.toString('base64'))
  })

  it('that fails has its reason, and is refunded', async () => {
    serverOf(name).becomes('failed')
    const price = await cost(async () => {
      const { id } = await order(name, { image: 'https://i.example/1.png' })
      const error = { message: expect.stringContaining(reasonOfVendor) }
      expect(await ended(id)).toMatchObject({ status: 'failed', error })
    })
    expect(price).toBe(0)
  })
})

describe('an order that a vendor cannot take', () => {
  it.each<[Name, Record<string, unknown>, string, string]>([
    ['kling', { seconds: '7' }, 'seconds', '5 or 10'],
    ['kling', { size: '640x480' }, 'size', '16:9, 9:16 or 1:1'],
    ['kling', { metadata: { mode: 'best' } }, 'metadata.mode', 'std or pro'],
    ['jimeng', { negative_prompt: 'dogs' }, 'negative_prompt', 'leave it out'],
    ['vidu', { seconds: 11 }, 'seconds', '1 to 10'],
    ['sora', { size: '1920x1080' }, 'size', '1280x720'],
    ['kling', { metadata: { sound: 'on' } }, 'metadata.sound', 'VideoPrice'],
    ['kling', { metadata: { num_frames: 999 } }, 'metadata.num_frames', 'leave it out'],
    ['gateway', { metadata: { seconds: 60 } }, 'metadata.seconds', 'leave it out'],
    ['jimeng', { metadata: { seconds: 60 } }, 'metadata.seconds', 'leave it out'],
    ['vidu', { metadata: { audio: true } }, 'metadata.audio', 'VideoPrice'],
    ['sora', { metadata: { num_videos: 4 } }, 'metadata.num_videos', 'leave it out'],
    ['replicate', { metadata: { fps: 60 } }, 'metadata.fps', 'leave it out'],
    ['replicate', { metadata: { duration: 'long' } }, 'metadata.duration', 'whole number'],
  ])('is refused by %s: %j', async (name, more, param, takes) => {
    const before = serverOf(name).orders.length
    const fault = await faultOf(order(name, more))
    expect(fault).toMatchObject({ status: 400, param, message: expect.stringContaining(takes) })
    expect(serverOf(name).orders.length).toBe(before)
  })
})

it('sound that has a price is ordered, and charged by it', async () => {
  const options = await operator.api<readonly { key: string; value: string }[]>('GET', '/api/option/')
  const prices = JSON.parse(options.find(({ key }) => key === 'VideoPrice')?.value ?? '{}')
  const { model } = videoVendors.kling
  await operator.option('VideoPrice', JSON.stringify({ ...prices, [model]: { ...prices[model], sound: 2 } }))
  const price = await cost(async () => {
    const image = 'https://i.example/1.png'
    const { id } = await order('kling', { image, metadata: { sound: 'on' } })
    expect(serverOf('kling').orders.at(-1)).toMatchObject({ sound: 'on' })
    serverOf('kling').becomes('made')
    expect(await ended(id)).toMatchObject({ status: 'completed' })
  })
  expect(price).toBeCloseTo(2 * costs.kling, 5)
})

it('keys of another shape are refused when a channel is saved', async () => {
  for (const type of [50, 51]) {
    const channel = { name: 'wrong', type, key: 'plain', models: 'm', base_url: 'https://h.example' }
    const { success, message } = await operator.call('POST', '/api/channel/', channel)
    expect([success, message]).toEqual([false, expect.stringContaining('AccessKey|SecretKey')])
  }
})
