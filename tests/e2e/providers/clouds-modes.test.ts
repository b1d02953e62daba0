import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import OpenAI from 'openai'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../../support/operator.ts'
import { type ReceivedCall, receiveCall } from '../../support/protocols/protocol.ts'
import { signatureFault } from '../../support/protocols/sigv4.ts'
import { startTokenIssuer, type TokenIssuer } from '../../support/protocols/vertex.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(20_000))

const awsKey = {
  accessKeyId: 'AKIDEXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const palmKey = 'AIzaPalm0001'
const bedrockKey = 'bedrock-api-key-1'

/** The response of each address, and the credentials it accepts. */
interface Reply {
  readonly path: RegExp
  readonly isAllowed: (call: ReceivedCall) => boolean
  readonly body: object
}

const isSigned = (call: ReceivedCall) =>
  call.headers.authorization === `Bearer ${bedrockKey}` || signatureFault(call, awsKey) === undefined
const isCohere = ({ headers }: ReceivedCall) => headers.authorization === 'Bearer co-upstream-0001'
const isVertex = ({ headers }: ReceivedCall) =>
  issuer.accepts(headers.authorization?.replace(/^Bearer /, '') ?? '')

const replies: readonly Reply[] = [
  {
    path: /^\/v2\/embed$/,
    isAllowed: isCohere,
    body: { embeddings: { float: [[0.5], [1]] }, meta: { billed_units: { input_tokens: 6 } } },
  },
  {
    path: /^\/v2\/rerank$/,
    isAllowed: isCohere,
    body: {
      id: 'k',
      results: [{ index: 1, relevance_score: 0.98 }],
      meta: { billed_units: { search_units: 1 } },
    },
  },
  {
    path: /^\/v1\/models$/,
    isAllowed: isCohere,
    body: {
      models: [
        { name: 'command-a-03-2025', endpoints: ['chat'] },
        { name: 'old', endpoints: ['classify'] },
      ],
    },
  },
  {
    path: /^\/model\/amazon\.titan-embed-text-v2%3A0\/invoke$/,
    isAllowed: isSigned,
    body: { embedding: [0.5], inputTextTokenCount: 6 },
  },
  {
    path: /^\/model\/cohere\.rerank-v3-5%3A0\/invoke$/,
    isAllowed: isSigned,
    body: { results: [{ index: 1, relevance_score: 0.98 }] },
  },
  {
    path: /^\/foundation-models$/,
    isAllowed: isSigned,
    body: { modelSummaries: [{ modelId: 'amazon.nova-pro-v1:0', outputModalities: ['TEXT'] }] },
  },
  {
    path: /\/publishers\/google\/models\/text-embedding-005:predict$/,
    isAllowed: isVertex,
    body: {
      predictions: [0.5, 1].map((value) => ({
        embeddings: { values: [value], statistics: { token_count: 3 } },
      })),
    },
  },
  {
    path: /\/publishers\/google\/models\/imagen-4\.0-generate-001:predict$/,
    isAllowed: isVertex,
    body: { predictions: [{ bytesBase64Encoded: 'aGk=', mimeType: 'image/png' }] },
  },
  {
    path: /^\/v1beta1\/publishers\/google\/models$/,
    isAllowed: (call) => isVertex(call) && call.headers['x-goog-user-project'] === 'house-1',
    body: { publisherModels: [{ name: 'publishers/google/models/gemini-3.5-flash' }] },
  },
  {
    path: /^\/v1beta2\/models\/chat-bison-001:generateMessage$/,
    isAllowed: ({ headers }) => headers['x-goog-api-key'] === palmKey,
    body: { candidates: [{ author: '1', content: 'Grüezi.' }], messages: [{ author: '0', content: 'hi' }] },
  },
]

let gateway: Tollgate
let operator: Operator
let issuer: TokenIssuer
let server: Server
let client: OpenAI
let key: string
const channels = new Map<string, number>()
const calls: ReceivedCall[] = []

beforeAll(async () => {
  issuer = await startTokenIssuer()
  server = createServer(async (request, response) => {
    const call = await receiveCall(request)
    calls.push(call)
    const reply = replies.find(({ path }) => path.test(call.path))
    const status = reply === undefined ? 404 : reply.isAllowed(call) ? 200 : 403
    response.writeHead(status, { 'content-type': 'application/json' })
    // Google formats its responses over many lines.
    response.end(JSON.stringify(status === 200 ? reply?.body : { message: `refused: ${call.path}` }, null, 2))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  const kinds = {
    cohere: { type: 34, key: 'co-upstream-0001', models: 'embed-v4.0,rerank-v3.5' },
    aws: {
      type: 33,
      key: `${awsKey.accessKeyId}|${awsKey.secret}|${awsKey.region}`,
      models: 'amazon.titan-embed-text-v2:0',
    },
    bearer: { type: 33, key: `${bedrockKey}|us-east-1`, models: 'cohere.rerank-v3-5:0' },
    vertex: {
      type: 41,
      key: issuer.key,
      other: 'us-central1',
      models: 'text-embedding-005,imagen-4.0-generate-001',
    },
    palm: { type: 11, key: palmKey, models: 'PaLM-2' },
  }
  for (const [name, kind] of Object.entries(kinds))
    channels.set(name, (await operator.addChannel({ name, base_url, ...kind })).id)
  const models = Object.values(kinds).flatMap((kind) => kind.models.split(','))
  await operator.option('ModelRatio', JSON.stringify(Object.fromEntries(models.map((model) => [model, 2]))))
  key = (await operator.addKey()).key
  client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
})
afterAll(async () => {
  await gateway?.stop()
  await issuer?.stop()
  server?.closeAllConnections()
  server?.close()
})

describe('embeddings', () => {
  it.each([
    ['embed-v4.0', ['hi', 'ho']],
    ['amazon.titan-embed-text-v2:0', 'hi'],
    ['text-embedding-005', ['hi', 'ho']],
  ] as const)('of %s come through the SDK, charged by what the upstream counted', async (model, input) => {
    const rows = await operator.consumed()
    const list = await client.embeddings.create({
      model,
      input: typeof input === 'string' ? input : [...input],
    })
    expect(list.data.map(({ embedding }) => [...embedding])).toEqual(
      typeof input === 'string' ? [[0.5]] : [[0.5], [1]],
    )
    expect(list).toMatchObject({ model, usage: { prompt_tokens: 6, total_tokens: 6 } })
    expect(await operator.consumption(rows + 1)).toMatchObject({ prompt_tokens: 6, quota: 12 })
  })
})

describe('rerank', () => {
  it.each(['rerank-v3.5', 'cohere.rerank-v3-5:0'])('by %s says the best first', async (model) => {
    const reply = await fetch(`${gateway.url}/v1/rerank`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, query: 'q', documents: ['a', 'b'], top_n: 1 }),
    })
    expect(reply.status).toBe(200)
    expect(await reply.json()).toMatchObject({ results: [{ index: 1, relevance_score: 0.98 }] })
  })
})

describe('images', () => {
  it('of Imagen come as base64', async () => {
    const made = await client.images.generate({
      model: 'imagen-4.0-generate-001',
      prompt: 'a cat',
      size: '1024x1024',
    })
    expect(made.data?.map(({ b64_json }) => b64_json)).toEqual(['aGk='])
  })
})

describe('PaLM', () => {
  const requested = { model: 'PaLM-2', messages: [{ role: 'user' as const, content: 'hi' }] }

  it('responds at once, and to a stream in one piece', async () => {
    const buffered = await client.chat.completions.create(requested)
    expect(buffered.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Grüezi.' } })
    expect(buffered.usage?.completion_tokens).toBeGreaterThan(0)
    const streamed = await client.chat.completions.stream(requested).finalChatCompletion()
    expect(streamed.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Grüezi.' } })
    expect(calls.at(-1)?.json).toEqual({
      prompt: { messages: [{ author: '0', content: 'hi' }] },
      candidateCount: 1,
    })
  })

  it('gets no field that it lacks', async () => {
    const tools = [{ type: 'function' as const, function: { name: 'look' } }]
    const refused = await client.chat.completions.create({ ...requested, tools }).catch((error) => error)
    expect(refused).toMatchObject({ status: 400, param: 'tools' })
  })
})

describe('lists of models', () => {
  it.each([
    ['cohere', ['command-a-03-2025']],
    ['aws', ['amazon.nova-pro-v1:0']],
    ['bearer', ['amazon.nova-pro-v1:0']],
    ['vertex', ['gemini-3.5-flash']],
  ])('of %s are fetched', async (name, models) => {
    expect(await operator.api<unknown>('GET', `/api/channel/fetch_models/${channels.get(name)}`)).toEqual(
      models,
    )
  })
})
