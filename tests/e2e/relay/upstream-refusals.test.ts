import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { ApiError as GoogleError, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import {
  accountMarkers,
  type Refusal,
  refusals,
} from '../../../packages/formats/src/test-support/refusals/index.ts'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type DialectCall, dialectCalls, send } from '../../support/dialects/dialect-calls.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(60_000))

/** Returns the response of the upstream: one for every path. */
let reply: () => Response
let requested = 0
const upstream = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    await request.arrayBuffer()
    requested += 1
    return reply()
  },
})

/** Channel types by the upstream of a refusal; others speak as OpenAI does. */
const channelTypes: Readonly<Record<string, number>> = {
  anthropic: 14,
  gemini: 24,
  vertex: 24,
  google: 24,
  zhipu: 26,
  siliconflow: 40,
  minimax: 35,
}
const typeOf = ({ of }: Pick<Refusal, 'of'>) => channelTypes[of.split(/[ ,]/)[0] ?? ''] ?? 1
const modelOf = (type: number) => `refused-${type}`
const types = [...new Set([1, ...Object.values(channelTypes)])]

let gateway: Tollgate
let operator: Operator
let key: string

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  await operator.option('RetryTimes', '2')
  const names = [...types.map(modelOf), 'refused-other', 'refused-many']
  await operator.option('ModelRatio', JSON.stringify(Object.fromEntries(names.map((name) => [name, 1]))))
  for (const type of types)
    await operator.addChannel({ name: `t${type}`, type, base_url: upstream.url.href, models: modelOf(type) })
  key = (await operator.addKey()).key
})
afterAll(async () => {
  await gateway?.stop()
  await upstream.stop(true)
})

const refuse =
  ({ status, body, headers = {} }: Refusal) =>
  () =>
    new Response(JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    })

const failedChat = (error: unknown) => [
  { choices: [{ index: 0, delta: { role: 'assistant', content: 'one' } }] },
  { error },
]
const response = { id: 'resp_1', object: 'response', status: 'in_progress', output: [] }
const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] }
const position = { item_id: 'msg_1', output_index: 0, content_index: 0 }
const failedResponse = (error: unknown) => [
  { type: 'response.created', sequence_number: 0, response },
  { type: 'response.output_item.added', sequence_number: 1, output_index: 0, item },
  { type: 'response.output_text.delta', sequence_number: 2, ...position, delta: 'one' },
  { type: 'response.failed', sequence_number: 3, response: { ...response, status: 'failed', error } },
]

const errorIn = ({ body }: Refusal) => (body as { error?: unknown }).error
/** The event that ends a stream of the Responses API has the code too, for clients that look there alone. */
const streamedOverflow = ({ name }: DialectCall) =>
  name === 'responses'
    ? /"type":"response.failed".*"error":\{"code":"context_length_exceeded"/
    : overflowSigns[name]

const operatorKinds = new Set(['quota', 'suspended', 'account_limited', 'forbidden', 'unauthorized'])
const ownAccount =
  /quota|credit|balance|billing|budget|spend|recharge|subscri|organi[sz]ation|suspend|api[ _-]?key|余额|额度|分组|令牌|账户/i

const ofHolder = /\b(your|in) (account|organi[sz]ation)\b|pricing tier|"quota"|data policy|for account/i

/** Signs by which clients of each format know that a prompt is too long. */
const overflowSigns: Readonly<Record<DialectCall['name'], RegExp>> = {
  openai:
    /"message":"[^"]*(maximum context length is|context window|configured limit)[^"]*".*"type":"invalid_request_error".*"code":"context_length_exceeded"/,
  responses: /"code":"context_length_exceeded"/,
  anthropic:
    /"type":"invalid_request_error","message":"[^"]*(prompt is too long|input length and `max_tokens` exceed context limit)/,
  gemini:
    /"code":400,"message":"[^"]*input token count[^"]*exceeds the maximum number of tokens allowed[^"]*","status":"INVALID_ARGUMENT"/,
}

const statuses: Readonly<Record<string, number>> = {
  context_overflow: 400,
  output_limit: 400,
  content_policy: 400,
  bad_request: 400,
  rate_limited: 429,
  model_not_found: 404,
}

function check(refusal: Refusal, dialect: DialectCall, response: Response, text: string): void {
  for (const marker of accountMarkers) expect(text).not.toContain(marker)
  expect(text).toContain(response.headers.get('x-request-id') ?? 'an id')
  expect(response.headers.get('request-id')).toBe(response.headers.get('x-request-id'))
  const expected = statuses[refusal.kind]
  if (expected !== undefined) expect(response.status).toBe(expected)
  if (operatorKinds.has(refusal.kind)) {
    expect(response.status).toBe(refusal.kind === 'unauthorized' ? 502 : 503)
    expect(text).not.toMatch(ownAccount)
    expect(response.headers.get('retry-after')).toBeNull()
  }
  if (refusal.kind === 'rate_limited' || refusal.kind === 'model_not_found')
    expect(text).not.toMatch(ofHolder)
  if (refusal.kind === 'context_overflow') expect(text).toMatch(overflowSigns[dialect.name])
}

describe.each(dialectCalls.map((dialect) => [dialect.name, dialect] as const))(
  'a caller who speaks as %s does',
  (_name, dialect) => {
    it.each(refusals.map((refusal) => [refusal.of, refusal.kind, refusal] as const))(
      'is told of a refusal of %s (%s) what concerns the call alone',
      async (_of, _kind, refusal) => {
        reply = refuse(refusal)
        for (const stream of [false, true]) {
          const response = await send(gateway, dialect, modelOf(typeOf(refusal)), key, { stream })
          check(refusal, dialect, response, await response.text())
        }
      },
    )

    const begun = refusals.filter((refusal) => typeOf(refusal) === 1 && typeof errorIn(refusal) === 'object')
    it.each(begun.map((refusal) => [refusal.of, refusal.kind, refusal] as const))(
      'reads the same of %s (%s) inside a stream that has begun',
      async (_of, _kind, refusal) => {
        const error = errorIn(refusal)
        const events = dialect.name === 'responses' ? failedResponse(error) : failedChat(error)
        const bytes = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
        reply = () => new Response(bytes, { headers: { 'content-type': 'text/event-stream' } })
        const text = await (await send(gateway, dialect, modelOf(1), key, { stream: true })).text()
        expect(text).toContain('one')
        for (const marker of accountMarkers) expect(text).not.toContain(marker)
        if (operatorKinds.has(refusal.kind)) expect(text).not.toMatch(ownAccount)
        if (refusal.kind === 'context_overflow') expect(text).toMatch(streamedOverflow(dialect))
      },
    )
  },
)

const outOfCredit = refusals.find(({ of }) => of === 'new-api, by the call') as Refusal

describe('an account out of credit', () => {
  const recording = () => {
    const form = new FormData()
    form.set('model', modelOf(1))
    form.set('file', new File([new Uint8Array(4000)], 'a.wav', { type: 'audio/wav' }))
    return form
  }
  const json = (body: object) => JSON.stringify({ model: modelOf(1), ...body })
  it.each<[string, () => string | FormData]>([
    ['/v1/embeddings', () => json({ input: 'a' })],
    ['/v1/completions', () => json({ prompt: 'a' })],
    ['/v1/moderations', () => json({ input: 'a' })],
    ['/v1/images/generations', () => json({ prompt: 'a' })],
    ['/v1/audio/speech', () => json({ input: 'a', voice: 'alloy' })],
    ['/v1/audio/transcriptions', recording],
    ['/v1/audio/translations', recording],
    ['/v1/rerank', () => json({ query: 'a', documents: ['b'] })],
    ['/v1/videos', () => json({ prompt: 'a' })],
    [
      `/v1beta/models/${modelOf(1)}:embedContent`,
      () => JSON.stringify({ content: { parts: [{ text: 'a' }] } }),
    ],
    ['/pg/chat/completions', () => json({ messages: [{ role: 'user', content: 'a' }] })],
  ])('is none of the business of a caller of %s', async (path, body) => {
    reply = refuse(outOfCredit)
    const sent = body()
    const response = await fetch(gateway.url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        ...(typeof sent === 'string' && { 'content-type': 'application/json' }),
      },
      body: sent,
    })
    const text = await response.text()
    expect(text).not.toMatch(ownAccount)
    for (const marker of accountMarkers) expect(text).not.toContain(marker)
    expect([401, 403, 404, 503, 400]).toContain(response.status)
  })

  it('is told to the operator in the words of the upstream', async () => {
    reply = refuse(outOfCredit)
    const [dialect] = dialectCalls
    const id = (await send(gateway, dialect, modelOf(1), key)).headers.get('x-request-id')
    const row = await until(async () => {
      const page = await operator.api<{ items: { request_id: string; other: string; content: string }[] }>(
        'GET',
        '/api/log/?p=1&page_size=10',
      )
      return page.items.find(({ request_id }) => request_id === id)
    })
    expect(row.content).not.toMatch(ownAccount)
    expect(row.other).toContain('用户剩余额度')
  })
})

describe('a key that an upstream calls dead', () => {
  const dead = new Set(['quota', 'suspended', 'unauthorized'])
  const statusOf = async (id: number) =>
    (await operator.api<{ status: number }>('GET', `/api/channel/${id}`)).status

  it('is taken out, and the call goes on elsewhere; what is not dead stays', async () => {
    await operator.option('AutomaticDisableChannelEnabled', 'true')
    await operator.option('AutomaticDisableKeywords', 'a phrase that no upstream says')
    const chat = {
      choices: [{ index: 0, message: { role: 'assistant', content: 'saved' }, finish_reason: 'stop' }],
    }
    const healthy = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => Response.json(chat) })
    await operator.addChannel({ name: 'healthy', base_url: healthy.url.href, models: 'refused-other' })
    for (const refusal of refusals) {
      reply = refuse(refusal)
      const channel = {
        type: typeOf(refusal),
        base_url: upstream.url.href,
        models: 'refused-other',
        priority: 9,
      }
      const { id } = await operator.addChannel({ name: refusal.of, ...channel })
      const before = requested
      const response = await send(gateway, dialectCalls[0], 'refused-other', key)
      expect([refusal.of, refusal.kind, requested - before > 0]).toEqual([refusal.of, refusal.kind, true])
      const ownFault = ['context_overflow', 'output_limit', 'content_policy', 'bad_request'].includes(
        refusal.kind,
      )
      expect([refusal.of, response.status]).toEqual([refusal.of, ownFault ? 400 : 200])
      // 401 and `permission_error` take a key out by the operator's option, whatever else the upstream says.
      const byOption =
        refusal.status === 401 ||
        JSON.stringify(refusal.body).includes('permission_error') ||
        (typeOf(refusal) === 24 && refusal.status === 403)
      const expected = dead.has(refusal.kind) || byOption ? 3 : 1
      if (expected === 3) await until(async () => ((await statusOf(id)) === 3 ? true : undefined))
      expect([refusal.of, refusal.kind, await statusOf(id)]).toEqual([refusal.of, refusal.kind, expected])
      await operator.api('DELETE', `/api/channel/${id}`)
    }
    await healthy.stop(true)
  })

  it('is the only one that a channel of several keys loses', async () => {
    const { id } = await operator.addChannel({
      name: 'many',
      base_url: upstream.url.href,
      models: 'refused-many',
      key: 'sk-first-0001\nsk-second-0002\nsk-third-0003',
    })
    let first = true
    reply = () => {
      const isFirst = first
      first = false
      if (isFirst) return refuse(refusals.find(({ of }) => of === 'deepseek') as Refusal)()
      return Response.json({
        choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
      })
    }
    expect((await send(gateway, dialectCalls[0], 'refused-many', key)).status).toBe(200)
    await until(async () => {
      const { auto_disabled_keys, ...rest } = await operator.api<Record<string, unknown>>(
        'GET',
        `/api/channel/${id}`,
      )
      return JSON.stringify({ auto_disabled_keys, ...rest }).includes('auto') ? true : undefined
    })
    expect(await statusOf(id)).toBe(1)
  })
})

describe('the SDKs raise what they raise at the vendor', () => {
  const of = (name: string, kind: string) =>
    refusals.find((refusal) => refusal.of === name && refusal.kind === kind) as Refusal
  const openAi = () => new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
  const anthropic = () => new Anthropic({ apiKey: key, baseURL: gateway.url, maxRetries: 0 })
  const google = () => new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: gateway.url } })
  const raised = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    )

  it('a prompt that is too long, whoever refused it', async () => {
    await operator.option('AutomaticDisableChannelEnabled', 'false')
    reply = refuse(of('anthropic', 'context_overflow'))
    const chat = await raised(
      openAi().chat.completions.create({ model: modelOf(14), messages: [{ role: 'user', content: 'a' }] }),
    )
    expect(chat).toBeInstanceOf(OpenAI.BadRequestError)
    expect(chat).toMatchObject({ code: 'context_length_exceeded', type: 'invalid_request_error' })
    expect(String(chat)).toContain(
      "This model's maximum context length is 200000 tokens. However, your messages resulted in 208310 tokens.",
    )
    const responses = await raised(openAi().responses.create({ model: modelOf(14), input: 'a' }))
    expect(responses).toMatchObject({ status: 400, code: 'context_length_exceeded', param: 'input' })
    reply = refuse(of('vllm', 'context_overflow'))
    const messages = await raised(
      anthropic().messages.create({
        model: modelOf(1),
        max_tokens: 9,
        messages: [{ role: 'user', content: 'a' }],
      }),
    )
    expect(messages).toBeInstanceOf(Anthropic.BadRequestError)
    expect(String(messages)).toContain('prompt is too long: 5000 tokens > 4096 maximum')
    const gemini = await raised(google().models.generateContent({ model: modelOf(1), contents: 'a' }))
    expect(gemini).toBeInstanceOf(GoogleError)
    expect(String(gemini)).toContain('exceeds the maximum number of tokens allowed (4096).')
  })

  it('a rate limit with its wait, and an account out of credit as a server in trouble', async () => {
    reply = refuse(of('openai', 'rate_limited'))
    const limited = await raised(
      anthropic().messages.create({
        model: modelOf(1),
        max_tokens: 9,
        messages: [{ role: 'user', content: 'a' }],
      }),
    )
    expect(limited).toBeInstanceOf(Anthropic.RateLimitError)
    expect((limited as { headers: Headers }).headers.get('retry-after')).toBe('7')
    reply = refuse(outOfCredit)
    const poor = await raised(
      openAi().chat.completions.create({ model: modelOf(1), messages: [{ role: 'user', content: 'a' }] }),
    )
    expect(poor).toBeInstanceOf(OpenAI.InternalServerError)
    expect(poor).toMatchObject({ status: 503, code: 'upstream_unavailable' })
  })
})

describe('a response that is none', () => {
  const ask = async (path = '/v1/chat/completions', stream = false) => {
    const body = JSON.stringify({ model: modelOf(1), stream, messages: [{ role: 'user', content: 'a' }] })
    const response = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body,
    })
    return { status: response.status, text: await response.text() }
  }
  it.each([false, true])('is said to be a web page, with its first words (stream: %p)', async (stream) => {
    const page = '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>x</body></html>'
    reply = () => new Response(page, { headers: { 'content-type': 'text/html' } })
    const { status, text } = await ask(undefined, stream)
    expect(status).toBe(502)
    expect(text).toContain(
      'The upstream returned 200 with a web page instead of a response: \\"Just a moment...\\"',
    )
    expect(text).not.toMatch(/returned 502|responded with (status )?502|status code 200/)
    // Whoever runs the gateway sees the upstream's own status, not the caller's.
    const { items } = await operator.api<{ items: { other: string }[] }>('GET', '/api/log/?p=1&type=5')
    const { admin_info } = JSON.parse(items[0]?.other ?? '') as {
      admin_info: { attempts: { status: number; said: string }[] }
    }
    const [attempt] = admin_info.attempts
    expect(attempt?.status).toBe(200)
    expect(attempt?.said).toContain('with a web page instead of a response: "Just a moment..."')
  })

  it('is said to be JSON of an unknown form, for a transcription', async () => {
    reply = () => Response.json({ result: { words: [] } })
    const form = new FormData()
    form.set('model', modelOf(1))
    form.set('file', new File([new Uint8Array(4000)], 'a.wav', { type: 'audio/wav' }))
    const response = await fetch(`${gateway.url}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: form,
    })
    const text = await response.text()
    expect(text).toContain('The upstream returned 200 with JSON of an unknown form instead of a response')
    expect(text).not.toContain('status code 200')
  })
})
