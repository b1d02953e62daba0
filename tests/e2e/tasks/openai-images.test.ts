import { afterAll, beforeAll, beforeEach, expect, it, setDefaultTimeout } from 'bun:test'
import OpenAI from 'openai'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(20_000))

const model = 'wanx2.1-t2i-turbo'
const png = Buffer.from('89504e470d0a1a0a0000', 'hex')
const output = (task_status: string, more: object = {}) => ({
  request_id: 'r-1',
  output: { task_id: 'task-1', task_status, ...more },
})

let gateway: Tollgate
let operator: Operator
let client: OpenAI
/** Responds as DashScope does; each poll of a task gets the next response, and then the last one again and again. */
let server: ReturnType<typeof Bun.serve>
let replies: (object | number)[]
let requested: { method: string; path: string; headers: Headers; body: string }[]

beforeAll(async () => {
  gateway = await startTollgate({ env: { RELAY_TIMEOUT: '4' } })
  operator = await operate(gateway.url)
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: serve })
  await operator.option('RetryTimes', '2')
  await operator.option('ModelPrice', JSON.stringify({ [model]: 0.02 }))
  for (const name of ['ali', 'ali again'])
    await operator.addChannel({
      name,
      type: 17,
      key: 'sk-dashscope-0001',
      base_url: server.url.origin,
      models: model,
    })
  client = new OpenAI({ apiKey: (await operator.addKey()).key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
})
afterAll(async () => {
  await gateway?.stop()
  await server?.stop(true)
})
beforeEach(() => {
  requested = []
})

async function serve(request: Request): Promise<Response> {
  const { pathname: path } = new URL(request.url)
  if (path === '/made.png') return new Response(png)
  requested.push({ method: request.method, path, headers: request.headers, body: await request.text() })
  const reply = (replies.length > 1 ? replies.shift() : replies[0]) ?? 404
  return typeof reply === 'number' ? new Response('{}', { status: reply }) : Response.json(reply)
}

const submits = () => requested.filter(({ path }) => path.endsWith('/image-synthesis'))
const draw = (more: object = {}) =>
  client.images.generate({ model, prompt: 'a cat', size: '1024x1024', ...more })
const refused = (more: object = {}) => draw(more).catch((error) => error)

/** The charge of a call, beside its response. */
async function charged(more: object = {}) {
  const rows = await operator.consumed()
  const { data } = await draw(more)
  return { data, quota: (await operator.consumption(rows + 1)).quota }
}

const made = (path: string) => `${server.url.origin}${path}`

it('waits for the task, and charges what came of it', async () => {
  const results = [{ url: 'https://img.example/1.png' }, { code: 'InternalError', message: 'no' }]
  replies = [output('PENDING'), 503, output('RUNNING'), output('SUCCEEDED', { results })]
  const { data, quota } = await charged({ n: 2 })
  expect(data).toEqual([{ url: 'https://img.example/1.png' }])
  // One of two: 0.02 × 500000.
  expect(quota).toBe(10_000)
  const [submit, ...questions] = requested
  expect(submit?.headers.get('x-dashscope-async')).toBe('enable')
  expect(JSON.parse(submit?.body ?? '')).toEqual({
    model,
    input: { prompt: 'a cat' },
    parameters: { n: 2, size: '1024*1024' },
  })
  expect(questions.map(({ method, path }) => `${method} ${path}`)).toEqual(
    Array.from({ length: 3 }, () => 'GET /api/v1/tasks/task-1'),
  )
  expect(questions[0]?.headers.get('authorization')).toBe('Bearer sk-dashscope-0001')
})

it('gives the bytes to a caller that wants them', async () => {
  replies = [output('PENDING'), output('SUCCEEDED', { results: [{ url: made('/made.png') }] })]
  const { data } = await charged({ response_format: 'b64_json' })
  expect(data).toEqual([{ b64_json: png.toString('base64') }])
})

it('fetches nothing from inside our networks, charges nothing for it, and does not have it made again', async () => {
  replies = [output('PENDING'), output('SUCCEEDED', { results: [{ url: 'http://127.0.0.1:9/made.png' }] })]
  const before = await operator.quota()
  expect(await refused({ response_format: 'b64_json' })).toMatchObject({ status: 504 })
  expect(submits().length).toBe(1)
  expect(await operator.quota()).toBe(before)
})

it('tells why a task failed', async () => {
  const why = { code: 'DataInspectionFailed', message: 'The prompt may hold what is not allowed.' }
  replies = [output('PENDING'), output('FAILED', why)]
  expect(await refused()).toMatchObject({ status: 400, code: 'content_policy_violation' })
  expect(submits().length).toBe(1)
})

it('has a task that failed at the upstream made elsewhere', async () => {
  const results = [{ url: 'https://img.example/2.png' }]
  const failed = output('FAILED', { code: 'InternalError', message: 'no' })
  replies = [output('PENDING'), failed, output('PENDING'), output('SUCCEEDED', { results })]
  expect((await draw()).data).toEqual(results)
  expect(submits().length).toBe(2)
})

it('tells a refusal of the submission as any other', async () => {
  replies = [400]
  expect(await refused()).toMatchObject({ status: 400 })
})

it('does not pay twice for a task that it can no longer ask for', async () => {
  replies = [output('PENDING'), 404]
  const before = await operator.quota()
  expect(await refused()).toMatchObject({ status: 504 })
  expect(submits().length).toBe(1)
  expect(await operator.quota()).toBe(before)
})

it('waits no longer than it may, and ends the task then', async () => {
  replies = [output('PENDING')]
  expect(await refused()).toMatchObject({ status: 504, message: expect.stringContaining('in time') })
  expect(submits().length).toBe(1)
  await until(() => requested.at(-1)?.path === '/api/v1/tasks/task-1/cancel' || undefined)
})

it('goes on for a caller who hangs up, and is charged when it has ended', async () => {
  replies = [
    output('PENDING'),
    output('RUNNING'),
    output('SUCCEEDED', { results: [{ url: made('/made.png') }] }),
  ]
  const rows = await operator.consumed()
  const controller = new AbortController()
  const drawing = client.images
    .generate({ model, prompt: 'a cat', response_format: 'b64_json' }, { signal: controller.signal })
    .catch((error) => error)
  await until(() => requested.length === 2 || undefined)
  controller.abort()
  expect(await drawing).toBeInstanceOf(OpenAI.APIUserAbortError)
  const row = await operator.consumption(rows + 1)
  expect(row.quota).toBe(10_000)
  expect(JSON.parse(row.other)).toMatchObject({ ended: 'client_gone' })
})
