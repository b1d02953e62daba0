import { afterAll, afterEach, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { deadline, slowness } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { callHead, sendBytes, type Wire } from '../../support/network/raw-connection.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { type Behaviour, respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(30_000))

/*
 * An upstream that sends what no upstream should, and callers that do not read: what one account's calls make of the gateway's
 * memory and processor is bounded, and an ordinary call beside it is served at once.
 */

const messages = [{ role: 'user', content: 'hi' }]
const megabyte = 1024 * 1024
/** Limit of time: without the bounds each of these takes many seconds; the machine of the tests is busy. */
const promptMs = 2500

let gateway: Tollgate
let upstream: Upstream
let operator: Operator
let key: string
const wires: Wire[] = []

beforeAll(async () => {
  upstream = await startUpstream()
  gateway = await startTollgate({ env: { MAX_RESPONSE_MB: '32', MAX_RESPONSE_INFLIGHT_MB: '64' } })
  operator = await operate(gateway.url)
  // The models of these tests have no price.
  await operator.option('SelfUseModeEnabled', 'true')
  await operator.addChannel({
    name: 'hostile',
    base_url: upstream.url,
    models: 'hostile,text-embedding-3-small',
  })
  await operator.addChannel({ name: 'ordinary', base_url: upstream.url, models: 'gpt-4o' })
  key = (await operator.addKey()).key
})
afterEach(() => {
  upstream.forget()
  for (const { socket } of wires.splice(0)) socket.destroy()
})
afterAll(async () => {
  await gateway?.stop()
  await upstream?.stop()
})

function post(path: string, body: object, as = key): Promise<Response> {
  const headers = { authorization: `Bearer ${as}`, 'x-api-key': as, 'anthropic-version': '2023-06-01' }
  return fetch(gateway.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
}

/** Sends a body as it is, as JSON. */
function raw(body: string, headers: Record<string, string> = {}): Behaviour {
  return ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers })
    response.end(body)
  }
}

const event = (data: string): Behaviour => raw(`data: ${data}\n\n`, { 'content-type': 'text/event-stream' })

/** Measures an ordinary call, again and again, while something else runs. */
async function ordinaryMs(meanwhile: Promise<unknown>): Promise<number> {
  let isOver = false
  void meanwhile.finally(() => {
    isOver = true
  })
  let slowestMs = 0
  do {
    const before = performance.now()
    const reply = await post('/v1/chat/completions', { model: 'gpt-4o', messages })
    expect(reply.status).toBe(200)
    await reply.text()
    slowestMs = Math.max(slowestMs, performance.now() - before)
  } while (!isOver)
  return slowestMs
}

function residentMegabytes(): number {
  const pages = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${gateway.pid}/status`, 'latin1'))?.[1]
  return Number(pages) / 1024
}

const members = (count: number) => Array.from({ length: count }, (_, at) => `"k${at}":${at}`).join(',')
const wide = `{${members(120_000)}}`
const shapes = {
  'so deep': (around: string) => around.replace('null', '['.repeat(megabyte)),
  'so wide': (around: string) => around.replace('null', wide),
}
/** An event says no more than that it is none. */
const sentences = {
  'so deep': /nests more than 512 levels deep|event that|instead of a response/,
  'so wide': /too many parts|event that|instead of a response/,
}
const bodies = {
  chat: '{"choices":[{"message":{"role":"assistant","content":"x","y":null}}],"usage":{"prompt_tokens":1,"completion_tokens":1}}',
  embeddings: '{"data":[{"embedding":null}],"usage":{"prompt_tokens":1,"total_tokens":1}}',
}
const chat = { model: 'hostile', messages, max_tokens: 10 }
const roads: Readonly<
  Record<string, readonly [path: string, call: object, around: string, send: (body: string) => Behaviour]>
> = {
  'in its own format': ['/v1/chat/completions', chat, bodies.chat, raw],
  'that is translated': ['/v1/messages', chat, bodies.chat, raw],
  'that is translated for the Responses API': [
    '/v1/responses',
    { model: 'hostile', input: 'hi' },
    bodies.chat,
    raw,
  ],
  'with embeddings': ['/v1/embeddings', { model: 'hostile', input: 'hi' }, bodies.embeddings, raw],
  'in the place of a stream': ['/v1/chat/completions', { ...chat, stream: true }, bodies.chat, raw],
  'as an event of a stream': ['/v1/chat/completions', { ...chat, stream: true }, bodies.chat, event],
  'as an event of a translated stream': ['/v1/messages', { ...chat, stream: true }, bodies.chat, event],
}

describe('a response', () => {
  const cases = Object.keys(roads).flatMap((road) =>
    Object.keys(shapes).map((shape) => [shape, road] as [keyof typeof shapes, string]),
  )
  it.each(cases)('%s, %s, is refused at once and charged to nobody', async (shape, road) => {
    const [path, call, around, send] = roads[road] ?? []
    if (path === undefined || call === undefined || around === undefined || send === undefined)
      throw new Error(road)
    upstream.on('hostile', send(shapes[shape](around)))
    const calling = post(path, call)
    const ordinary = ordinaryMs(calling)
    const reply = await calling
    const text = await reply.text()
    expect([reply.status, text]).toEqual([502, expect.stringMatching(sentences[shape])])
    expect(text.length).toBeLessThan(2000)
    expect(await ordinary).toBeLessThan(promptMs * slowness())
    const charged = await operator.api<{ total: number }>('GET', '/api/log/?model_name=hostile&type=2')
    expect(charged.total).toBe(0)
  })
})

it('a response of events by the hundred thousand is refused at once', async () => {
  upstream.on('hostile', raw('data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n'.repeat(150_000)))
  const calling = post('/v1/chat/completions', chat)
  const ordinary = ordinaryMs(calling)
  expect((await calling).status).toBe(502)
  expect(await ordinary).toBeLessThan(promptMs * slowness())
})

function wholeOrBroken(reply: Response): Promise<'whole' | 'broken'> {
  return reply.text().then(
    () => 'whole',
    () => 'broken',
  )
}

/** Vectors of so many megabytes. */
function vectors(megabytes: number): string {
  const vector = `[${Array(3072).fill('0.0123456789').join(',')}]`
  const count = Math.ceil((megabytes * megabyte) / vector.length)
  const data = Array.from(
    { length: count },
    (_, index) => `{"object":"embedding","index":${index},"embedding":${vector}}`,
  )
  return `{"object":"list","data":[${data.join(',')}],"model":"m","usage":{"prompt_tokens":1234,"total_tokens":1234}}`
}

describe('a large response in the format of its caller', () => {
  const call = { model: 'text-embedding-3-small', input: 'hi' }

  it.each(['with its length', 'in chunks'])(
    'passes byte for byte and is charged by its usage: %s',
    async (how) => {
      const body = vectors(8)
      upstream.on(call.model, raw(body, how === 'in chunks' ? {} : { 'content-length': String(body.length) }))
      const rows = await operator.consumed()
      const calling = post('/v1/embeddings', call).then(
        async (reply) => [reply.status, await reply.text()] as const,
      )
      const ordinary = ordinaryMs(calling)
      const [status, text] = await calling
      expect(status).toBe(200)
      expect(text === body).toBe(true)
      expect(await ordinary).toBeLessThan(promptMs * slowness())
      await until(async () => (await operator.consumed()) > rows || undefined)
      const page = await operator.api<{ items: { model_name: string; prompt_tokens: number }[] }>(
        'GET',
        `/api/log/?model_name=${call.model}&page_size=1`,
      )
      expect(page.items[0]?.prompt_tokens).toBe(1234)
    },
    deadline(20_000),
  )

  it('is held at its upstream while its caller does not read', async () => {
    const stranger = await (await addUser(gateway, 'stranger', 10_000_000)).addKey()
    upstream.on(call.model, raw(vectors(12)))
    const before = residentMegabytes()
    const text = JSON.stringify(call)
    const head = callHead(key, text).replace('/v1/chat/completions', '/v1/embeddings')
    for (let at = 0; at < 16; at += 1) wires.push(sendBytes(gateway.url, head + text, false))
    await until(
      () => upstream.calls.filter(({ model }) => model === call.model).length === 16 || undefined,
      10_000,
    )
    const reply = await post('/v1/chat/completions', { model: 'gpt-4o', messages }, stranger.key)
    expect(reply.status).toBe(200)
    expect(await ordinaryMs(Bun.sleep(500))).toBeLessThan(promptMs * slowness())
    expect(residentMegabytes() - before).toBeLessThan(150)
  })

  it('that breaks off is not taken for the whole', async () => {
    const body = vectors(4)
    let open: ServerResponse | undefined
    upstream.on(call.model, ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(body.length) })
      response.write(body.slice(0, 3 * megabyte))
      open = response
    })
    const reply = await post('/v1/embeddings', call)
    expect(reply.status).toBe(200)
    open?.destroy()
    expect(await wholeOrBroken(reply)).toBe('broken')
  })

  it('that fails in the end breaks off', async () => {
    const body = vectors(4)
    upstream.on(call.model, raw(body.replace('"usage":', '"error":{"message":"out of luck"},"usage":')))
    expect(await wholeOrBroken(await post('/v1/embeddings', call))).toBe('broken')
  })
})

describe('responses that are translated', () => {
  it('wait for room within the share of their account, and are refused in its format where there is none', async () => {
    const neighbour = await (await addUser(gateway, 'neighbour', 100_000_000)).addKey()
    const content = 'word '.repeat(2 * megabyte)
    const open: ServerResponse[] = []
    const body = JSON.stringify({
      choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
    })
    upstream.on('hostile', ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write(body.slice(0, 9 * megabyte), () => open.push(response))
    })
    // Those that do not go on hold the whole share of their account.
    const holding = Array.from({ length: 3 }, () => post('/v1/messages', chat))
    await until(() => open.length === 3 || undefined)
    const refused = await post('/v1/messages', chat)
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } })
    upstream.on('hostile', respond({ text: 'served' }))
    expect((await post('/v1/messages', chat, neighbour.key)).status).toBe(200)
    for (const response of open) response.destroy()
    expect((await Promise.all(holding)).map(({ status }) => status)).toEqual([502, 502, 502])
    expect((await post('/v1/messages', chat)).status).toBe(200)
  })
})

describe('operations on bodies', () => {
  /** Each copy doubles what it copies. */
  const doubling = (count: number) => [
    { mode: 'set', path: 'metadata', value: { a: 'text' } },
    ...Array.from({ length: count }, (_, at) => ({ mode: 'copy', from: 'metadata', to: `metadata.a${at}` })),
  ]

  it('that make too much of any request are refused by name when they are saved', async () => {
    const param_override = JSON.stringify({ operations: doubling(60) })
    const fields = { type: 1, key: 'k', name: 'doubling', base_url: upstream.url, models: 'doubled' }
    const saved = await operator.call('POST', '/api/channel/', { ...fields, param_override })
    expect(saved).toMatchObject({ success: false, code: 'channel_operation_too_large' })
    expect(JSON.stringify(saved)).toMatch(/Operation \d+ of the parameter override \(copy\)/)
  })

  it('that make too much of one request are refused by name when they are done', async () => {
    const operations = Array.from({ length: 16 }, (_, at) => ({
      mode: 'copy',
      from: 'messages',
      to: `metadata.a${at}`,
    }))
    const growing = [...operations, ...doubling(0).slice(1), { mode: 'copy', from: 'metadata', to: 'user.a' }]
    await operator.addChannel({
      name: 'copying',
      base_url: upstream.url,
      models: 'copied',
      param_override: JSON.stringify({ operations: growing }),
    })
    const large = [{ role: 'user', content: 'x'.repeat(2 * megabyte) }]
    const calling = post('/v1/chat/completions', { model: 'copied', messages: large, metadata: {} })
    const ordinary = ordinaryMs(calling)
    const reply = await calling
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringMatching(/Operation \d+ \(copy\)/)])
    expect(await ordinary).toBeLessThan(promptMs * slowness())
    expect((await post('/v1/chat/completions', { model: 'copied', messages, metadata: {} })).status).toBe(200)
  })
})
