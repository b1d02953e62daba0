import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../../support/operator.ts'
import { startTokenIssuer, type TokenIssuer } from '../../support/protocols/vertex.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(20_000))

interface Seen {
  readonly path: string
  readonly headers: Headers
  readonly json: Record<string, unknown>
}

/** Counts for nothing, as the vendors do; refuses what the status says. */
function startCounter() {
  const seen: Seen[] = []
  const state = { status: 200, message: '' }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      seen.push({
        path: pathname + search,
        headers: request.headers,
        json: (await request.json()) as Record<string, unknown>,
      })
      const message = state.message || `refused with ${state.status}`
      if (state.status !== 200)
        return Response.json(
          { type: 'error', error: { type: 'api_error', message, status: 'X', code: state.status } },
          { status: state.status },
        )
      if (pathname.endsWith('/count-tokens')) return Response.json({ inputTokens: 44 })
      return pathname.endsWith(':countTokens')
        ? Response.json({ totalTokens: 77, promptTokensDetails: [{ modality: 'TEXT', tokenCount: 77 }] })
        : Response.json({ input_tokens: 55, x_future: true })
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, seen, state, stop: () => server.stop(true) }
}

let gateway: Tollgate
let operator: Operator
let claude: ReturnType<typeof startCounter>
let google: ReturnType<typeof startCounter>
let bedrock: ReturnType<typeof startCounter>
let vertex: ReturnType<typeof startCounter>
let issuer: TokenIssuer
let key: string
let anthropic: Anthropic
let gemini: GoogleGenAI

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  claude = startCounter()
  google = startCounter()
  const mapping = JSON.stringify({ 'house-claude': 'claude-x' })
  await operator.addChannel({
    name: 'a',
    type: 14,
    base_url: claude.url,
    models: 'house-claude',
    model_mapping: mapping,
  })
  await operator.addChannel({ name: 'g', type: 24, base_url: google.url, models: 'house-gemini' })
  await operator.addChannel({ name: 'o', type: 1, base_url: 'http://127.0.0.1:9', models: 'gpt-4o' })
  bedrock = startCounter()
  await operator.addChannel({
    name: 'b',
    type: 33,
    key: 'AKID|secret|eu-west-1',
    base_url: bedrock.url,
    models: 'claude-sonnet-4-0',
  })
  issuer = await startTokenIssuer()
  vertex = startCounter()
  await operator.addChannel({
    name: 'v',
    type: 41,
    key: issuer.key,
    other: 'us-east5',
    base_url: vertex.url,
    models: 'claude-3-5-sonnet-latest',
  })
  key = (await operator.addKey()).key
  anthropic = new Anthropic({ apiKey: key, baseURL: gateway.url, maxRetries: 0 })
  gemini = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: gateway.url } })
})
afterAll(async () => {
  await gateway?.stop()
  await claude?.stop()
  await google?.stop()
  await bedrock?.stop()
  await vertex?.stop()
  await issuer?.stop()
})

const messages = [{ role: 'user', content: 'Hello, how are you?' }] as const

async function unpaid<Reply>(work: () => Promise<Reply>): Promise<Reply> {
  const before = await operator.quota()
  const reply = await work()
  expect(await operator.quota()).toBe(before)
  expect(await operator.consumed()).toBe(0)
  return reply
}

describe('count_tokens of the SDK of Anthropic', () => {
  const count = (model: string) =>
    anthropic.messages.countTokens({ model, system: 'Be brief.', messages: [...messages] })

  it('reaches an upstream that counts, as received, free of charge', async () => {
    claude.seen.length = 0
    expect(await unpaid(() => count('house-claude'))).toEqual({ input_tokens: 55, x_future: true } as never)
    expect(claude.seen).toMatchObject([
      { path: '/v1/messages/count_tokens', json: { model: 'claude-x', system: 'Be brief.', messages } },
    ])
  })

  it('is translated for an upstream of another format that counts', async () => {
    google.seen.length = 0
    expect(await unpaid(() => count('house-gemini'))).toEqual({ input_tokens: 77 })
    const [call] = google.seen
    expect(call?.path).toBe('/v1beta/models/house-gemini:countTokens')
    expect(call?.json).toMatchObject({
      generateContentRequest: {
        model: 'models/house-gemini',
        systemInstruction: { parts: [{ text: 'Be brief.' }] },
      },
    })
  })

  it('reaches Bedrock, which counts the body of the call', async () => {
    bedrock.seen.length = 0
    expect(await unpaid(() => count('claude-sonnet-4-0'))).toEqual({ input_tokens: 44 })
    const [call] = bedrock.seen
    expect(call?.path).toBe('/model/anthropic.claude-sonnet-4-20250514-v1%3A0/count-tokens')
    const input = call?.json.input as { readonly invokeModel: { readonly body: string } } | undefined
    expect(JSON.parse(Buffer.from(input?.invokeModel.body ?? '', 'base64').toString())).toEqual({
      anthropic_version: 'bedrock-2023-05-31',
      max_tokens: 1,
      system: 'Be brief.',
      messages,
    })
  })

  it('reaches Vertex AI, with the model in the body', async () => {
    vertex.seen.length = 0
    expect(await unpaid(() => count('claude-3-5-sonnet-latest'))).toEqual({ input_tokens: 55 })
    expect(vertex.seen).toMatchObject([
      {
        path: expect.stringMatching(
          /^\/v1\/projects\/[\w-]+\/locations\/us-east5\/publishers\/anthropic\/models\/count-tokens:rawPredict$/,
        ),
        json: { model: 'claude-3-5-sonnet-v2@20241022', system: 'Be brief.', messages },
      },
    ])
    expect(vertex.seen[0]?.json).not.toHaveProperty('max_tokens')
  })

  it('is counted here where Bedrock says that it does not count the model', async () => {
    bedrock.state.status = 400
    bedrock.state.message = "The provided model doesn't support counting tokens."
    const { input_tokens } = await count('claude-sonnet-4-0')
    bedrock.state.status = 200
    expect(input_tokens).toBeGreaterThan(8)
  })

  it('is counted here where no upstream counts', async () => {
    const { input_tokens } = await unpaid(() => count('gpt-4o'))
    expect(input_tokens).toBeGreaterThan(8)
    expect(input_tokens).toBeLessThan(30)
  })

  it.each([404, 429, 500])(
    'is counted here where the upstream responds with %i, without effect on calls',
    async (status) => {
      claude.state.status = status
      const { input_tokens } = await count('house-claude')
      claude.state.status = 200
      expect(input_tokens).toBeGreaterThan(8)
      expect(await count('house-claude')).toMatchObject({ input_tokens: 55 })
    },
  )

  it('goes on with the next channel where one fails', async () => {
    const failing = startCounter()
    failing.state.status = 500
    for (const [name, url, priority] of [
      ['first', failing.url, 10],
      ['second', claude.url, 1],
    ] as const)
      await operator.addChannel({ name, type: 14, base_url: url, models: 'house-twice', priority })
    expect(await count('house-twice')).toMatchObject({ input_tokens: 55 })
    expect(failing.seen).toHaveLength(1)
    await failing.stop()
  })

  it('is refused as the upstream refuses the prompt', async () => {
    claude.state.status = 400
    const refusal = await count('house-claude').catch((error: unknown) => error)
    claude.state.status = 200
    expect(refusal).toBeInstanceOf(Anthropic.BadRequestError)
  })

  it('is refused in its own words without a key, a model or messages', async () => {
    const ask = async (body: object, headers: Record<string, string> = { 'x-api-key': key }) => {
      const response = await fetch(`${gateway.url}/v1/messages/count_tokens`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      return [response.status, ((await response.json()) as { error: { type: string } }).error.type]
    }
    expect(await ask({ model: 'gpt-4o', messages }, {})).toEqual([401, 'authentication_error'])
    expect(await ask({ messages })).toEqual([400, 'invalid_request_error'])
    expect(await ask({ model: 'gpt-4o' })).toEqual([400, 'invalid_request_error'])
    expect(await ask({ model: 'nothing', messages })).toEqual([404, 'not_found_error'])
  })
})

describe('countTokens of the SDK of Gemini', () => {
  it('reaches an upstream that counts, as received', async () => {
    google.seen.length = 0
    const reply = await unpaid(() => gemini.models.countTokens({ model: 'house-gemini', contents: 'Hello' }))
    expect(reply).toMatchObject({ totalTokens: 77 })
    expect(google.seen[0]?.json).toEqual({ contents: [{ parts: [{ text: 'Hello' }], role: 'user' }] })
  })

  it('is counted here where no upstream counts', async () => {
    const { totalTokens } = await gemini.models.countTokens({ model: 'gpt-4o', contents: 'Hello there' })
    expect(totalTokens).toBeGreaterThan(1)
    expect(totalTokens).toBeLessThan(15)
  })

  it('takes a whole request, too', async () => {
    const wrapped = {
      generateContentRequest: {
        model: 'models/house-claude',
        systemInstruction: { parts: [{ text: 'Be brief.' }] },
        contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
      },
    }
    const ask = async (model: string) => {
      const response = await fetch(`${gateway.url}/v1beta/models/${model}:countTokens?key=${key}`, {
        method: 'POST',
        body: JSON.stringify(wrapped),
      })
      return response.json()
    }
    claude.seen.length = 0
    google.seen.length = 0
    expect(await ask('house-claude')).toEqual({ totalTokens: 55 })
    expect(claude.seen[0]?.json).toEqual({
      model: 'claude-x',
      system: expect.anything(),
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
    })
    expect(await ask('house-gemini')).toMatchObject({ totalTokens: 77 })
    expect(google.seen[0]?.json).toMatchObject({ generateContentRequest: { model: 'models/house-gemini' } })
  })
})

describe('input_tokens of the SDK of OpenAI', () => {
  it('is counted for every model', async () => {
    const client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
    const count = (model: string) => client.responses.inputTokens.count({ model, input: 'Hello there' })
    expect(await count('gpt-4o')).toMatchObject({
      object: 'response.input_tokens',
      input_tokens: expect.any(Number),
    })
    expect(await count('house-claude')).toMatchObject({ input_tokens: 55 })
  })
})

describe('one channel, key and model', () => {
  const paths: string[] = []
  let vendor: ReturnType<typeof Bun.serve>

  beforeAll(async () => {
    vendor = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch(request) {
        const { pathname } = new URL(request.url)
        paths.push(pathname)
        if (pathname.endsWith(':countTokens')) return Response.json({ totalTokens: 77 })
        if (pathname.endsWith('/count_tokens')) return Response.json({ input_tokens: 55 })
        return Response.json(pathname.endsWith(':generateContent') ? generated : message)
      },
    })
    await operator.option('ModelRatio', JSON.stringify({ 'both-claude': 1, 'both-gemini': 1 }))
    const channel = { base_url: `http://127.0.0.1:${vendor.port}` }
    await operator.addChannel({ ...channel, name: 'both-a', type: 14, models: 'both-claude' })
    await operator.addChannel({ ...channel, name: 'both-g', type: 24, models: 'both-gemini' })
  })
  afterAll(() => vendor?.stop(true))

  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'both-claude',
    content: [{ type: 'text', text: 'Hi' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 5, output_tokens: 2 },
  }
  const generated = {
    candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 },
  }

  const claudeCalls = {
    count: () => anthropic.messages.countTokens({ model: 'both-claude', messages: [...messages] }),
    call: () => anthropic.messages.create({ model: 'both-claude', max_tokens: 9, messages: [...messages] }),
  }
  const geminiCalls = {
    count: () => gemini.models.countTokens({ model: 'both-gemini', contents: 'Hello' }),
    call: () => gemini.models.generateContent({ model: 'both-gemini', contents: 'Hello' }),
  }

  it.each([
    ['claude', claudeCalls, '/v1/messages/count_tokens', '/v1/messages'],
    [
      'gemini',
      geminiCalls,
      '/v1beta/models/both-gemini:countTokens',
      '/v1beta/models/both-gemini:generateContent',
    ],
  ] as const)(
    'of %s is counted, called, counted and called at the right address',
    async (_, calls, counting, calling) => {
      paths.length = 0
      const before = await operator.quota()
      expect(await calls.count()).toBeDefined()
      expect(await operator.quota()).toBe(before)
      await calls.call()
      const charged = await operator.quota()
      expect(charged).toBeLessThan(before)
      await calls.count()
      expect(await operator.quota()).toBe(charged)
      await calls.call()
      expect(paths).toEqual([counting, calling, counting, calling])
    },
  )
})
