import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { createHash, createHmac } from 'node:crypto'
import {
  type OpenTask,
  providerFor,
  type TaskReport,
  type VideoOrder,
  type VideoService,
} from '@tollgate/providers'
import { readSmall } from './query.ts'
import { channelOf, startUpstreamWorld, type UpstreamWorld } from './test-support/upstream-world.ts'
import { channelTarget, type UpstreamChannel } from './upstream-channel.ts'

/** A vendor that finishes every task the second time it is asked about it. */
interface Vendor {
  readonly type: number
  readonly key: string
  readonly model: string
  isProven(request: Request, body: string): boolean
  /** @param isDone the task has been asked about before */
  answer(request: Request, body: unknown, isDone: boolean): unknown
}

const video = 'https://cdn.example/v.mp4'
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** A JSON Web Token of this key that is good now. */
function isKlingToken(authorization: string | null): boolean {
  const [header = '', claims = '', signature] = authorization?.replace(/^Bearer /, '').split('.') ?? []
  const { iss, exp, nbf } = JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}')
  const now = Date.now() / 1000
  const expected = hmac('kling-secret', `${header}.${claims}`).toString('base64url')
  return signature === expected && iss === 'kling-access' && nbf < now && now < exp
}

/** As Volcengine checks it: of the bytes that came, for the host that they came to. */
function isVolcengineSignature({ headers, url }: Request, body: string): boolean {
  const date = headers.get('x-date') ?? ''
  const query = [...new URL(url).searchParams].map(([name, value]) => `${name}=${value}`).sort()
  const fields = ['content-type', 'host', 'x-content-sha256', 'x-date']
  const canonical = [
    'POST',
    '/',
    query.join('&'),
    ...fields.map((name) => `${name}:${headers.get(name)}`),
    '',
    fields.join(';'),
    sha256(body),
  ].join('\n')
  const day = date.slice(0, 8)
  const scope = `${day}/cn-north-1/cv/request`
  const key = ['cn-north-1', 'cv', 'request'].reduce(hmac, hmac('volc-secret==', day))
  const signature = hmac(key, ['HMAC-SHA256', date, scope, sha256(canonical)].join('\n')).toString('hex')
  return (
    headers.get('x-content-sha256') === sha256(body) &&
    headers.get('authorization') ===
      `HMAC-SHA256 Credential=volc-access/${scope}, SignedHeaders=${fields.join(';')}, Signature=${signature}`
  )
}

const hasHeader = (value: string) => (request: Request) => request.headers.get('authorization') === value

const vendors: Readonly<Record<string, Vendor>> = {
  kling: {
    type: 50,
    key: 'kling-access|kling-secret',
    model: 'kling-v1',
    isProven: ({ headers }) => isKlingToken(headers.get('authorization')),
    answer({ method, url }, _body, isDone) {
      const data = { task_id: 'kt1', task_status: 'submitted' }
      if (method === 'GET' && !url.endsWith('/v1/videos/image2video/kt1'))
        return { code: 1203, message: 'no task' }
      const done = { task_id: 'kt1', task_status: 'succeed', task_result: { videos: [{ url: video }] } }
      return { code: 0, message: 'SUCCEED', data: isDone ? done : data }
    },
  },
  jimeng: {
    type: 51,
    key: 'volc-access|volc-secret==',
    model: 'jimeng_v30',
    isProven: isVolcengineSignature,
    answer({ url }, body, isDone) {
      const data = isDone ? { status: 'done', video_url: video } : { status: 'generating' }
      if (url.includes('Action=CVSync2AsyncSubmitTask')) return { code: 10000, data: { task_id: 'jt1' } }
      const { req_key, task_id } = body as Record<string, unknown>
      const isKnown = req_key === 'jimeng_i2v_first_v30' && task_id === 'jt1'
      return isKnown ? { code: 10000, data } : { code: 50215, message: 'Input invalid' }
    },
  },
  vidu: {
    type: 52,
    key: 'vda_1',
    model: 'viduq2',
    isProven: hasHeader('Token vda_1'),
    answer({ method }, _body, isDone) {
      if (method === 'POST') return { task_id: 'vt1', state: 'created' }
      return isDone
        ? { state: 'success', creations: [{ url: video }] }
        : { state: 'processing', creations: [] }
    },
  },
  sora: {
    type: 55,
    key: 'sk-1',
    model: 'sora-2',
    isProven: hasHeader('Bearer sk-1'),
    answer: ({ url }, _body, isDone) =>
      url.endsWith('/content') ? 'the bytes' : { id: 'video_1', status: isDone ? 'completed' : 'queued' },
  },
  replicate: {
    type: 56,
    key: 'r8_1',
    model: 'google/veo-3',
    isProven: (request) =>
      request.headers.get('authorization') === 'Bearer r8_1' && !request.headers.has('prefer'),
    answer: ({ method }, _body, isDone) => ({
      id: 'p1',
      status: method === 'POST' ? 'starting' : isDone ? 'succeeded' : 'processing',
      output: isDone ? video : null,
    }),
  },
}

const order: VideoOrder = { prompt: 'a cat', images: ['https://i.example/1.png'], metadata: {} }

let world: UpstreamWorld
beforeAll(() => {
  world = startUpstreamWorld()
})
afterAll(() => world.close())

function start(vendor: Vendor) {
  let questions = 0
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const text = await request.text()
      if (!vendor.isProven(request, text)) return Response.json({ message: 'who are you?' }, { status: 401 })
      const body = text === '' ? undefined : JSON.parse(text)
      const isQuestion = request.method === 'GET' || request.url.includes('GetResult')
      const answer = vendor.answer(request, body, isQuestion && ++questions > 1)
      return typeof answer === 'string' ? new Response(answer) : Response.json(answer)
    },
  })
}

async function ask(
  channel: UpstreamChannel,
  endpoint: { readonly url: string; readonly headers: Record<string, string> },
  body = '',
) {
  const question = { channel, keyIndex: 0, endpoint, body }
  const { status, body: text } = await readSmall(() => world.upstreams.ask(question), {
    timeoutMs: 5000,
    maxBytes: 9999,
  })
  expect(status).toBe(200)
  return text
}

describe.each(Object.keys(vendors))('%s, over a socket', (id) => {
  const vendor = vendors[id] as Vendor
  const provider = providerFor(vendor.type)
  if (provider === undefined) throw new Error(`no provider of type ${vendor.type}`)

  it('takes an order, and says when it is done', async () => {
    const server = start(vendor)
    const channel = channelOf(provider, { baseUrl: server.url.origin, key: vendor.key })
    const service = provider.tasks?.video?.(vendor.model) as VideoService
    const target = { ...channelTarget(channel, 0), upstreamModel: vendor.model }
    const send = ({ body, ...endpoint }: ReturnType<VideoService['submit']>) => ask(channel, endpoint, body)

    const sent = service.submit(order, target)
    const reference = service.reference(JSON.parse(await send(sent)), sent) ?? 'none'
    const task: OpenTask = { reference, model: vendor.model }
    const report = async (): Promise<TaskReport | undefined> => {
      const answer = await send(service.polling.question([task], target))
      const read = service.polling.read(JSON.parse(answer), [task], target)
      return read && 'reports' in read ? read.reports.get(reference) : undefined
    }
    expect(['SUBMITTED', 'QUEUED', 'IN_PROGRESS']).toContain((await report())?.state as string)
    const last = await report()
    expect(last).toMatchObject({ state: 'SUCCESS', progress: 100 })
    const url = String(last?.properties?.url)
    const content = service.content?.(task, url, target)
    if (content === undefined) expect(url).toBe(video)
    else expect(await ask(channel, content)).toBe('the bytes')
    await server.stop(true)
  })
})
