import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(20_000))

interface Seen {
  readonly path: string
  readonly text: string
  readonly json: Record<string, unknown>
}

/** Embeds as OpenAI and as Gemini do, by its path: each text as its length and its place. */
function startEmbedder() {
  const seen: Seen[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const text = await request.text()
      const json = JSON.parse(text)
      seen.push({ path: pathname, text, json })
      if (pathname.endsWith(':embedContent'))
        return Response.json({ embedding: { values: [0.5, 1] }, x_future: true })
      if (pathname.endsWith(':batchEmbedContents'))
        return Response.json({
          embeddings: json.requests.map((_: unknown, index: number) => ({ values: [index, 1] })),
          usageMetadata: { promptTokenCount: 22 },
        })
      const inputs: readonly string[] = Array.isArray(json.input) ? json.input : [json.input]
      const data = inputs.map((input, index) => ({
        object: 'embedding',
        index,
        embedding: [input.length, index],
      }))
      return Response.json({
        object: 'list',
        data: data.reverse(),
        model: json.model,
        usage: { prompt_tokens: 12, total_tokens: 12 },
      })
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, seen, stop: () => server.stop(true) }
}

let gateway: Tollgate
let operator: Operator
let upstream: ReturnType<typeof startEmbedder>
let key: string
let gemini: GoogleGenAI

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  upstream = startEmbedder()
  await operator.addChannel({
    name: 'g',
    type: 24,
    base_url: upstream.url,
    models: 'gem-embed,mapped',
    model_mapping: JSON.stringify({ mapped: 'gem-embed' }),
  })
  await operator.addChannel({ name: 'o', type: 1, base_url: upstream.url, models: 'oa-embed' })
  await operator.option('ModelRatio', JSON.stringify({ 'gem-embed': 1, mapped: 1, 'oa-embed': 1 }))
  key = (await operator.addKey()).key
  gemini = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: gateway.url } })
})
afterAll(async () => {
  await gateway?.stop()
  await upstream?.stop()
})

async function ask(path: string, body: object) {
  upstream.seen.length = 0
  const response = await fetch(`${gateway.url}/v1beta/models/${path}?key=${key}`, {
    method: 'POST',
    body: JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, json: await response.json() }
}

const content = (text: string) => ({ parts: [{ text }] })

describe('the SDK of Gemini', () => {
  it('gets embeddings of an upstream that speaks Gemini', async () => {
    const { embeddings } = await gemini.models.embedContent({ model: 'gem-embed', contents: ['a', 'b'] })
    expect(embeddings).toEqual([{ values: [0, 1] }, { values: [1, 1] }])
  })

  it('gets embeddings of an upstream that speaks OpenAI, in the order of its texts', async () => {
    upstream.seen.length = 0
    const rows = await operator.consumed()
    const { embeddings } = await gemini.models.embedContent({
      model: 'oa-embed',
      contents: ['one', 'seven'],
      config: { outputDimensionality: 2, taskType: 'RETRIEVAL_QUERY' },
    })
    expect(embeddings).toEqual([{ values: [3, 0] }, { values: [5, 1] }])
    expect(upstream.seen).toMatchObject([
      { path: '/v1/embeddings', json: { model: 'oa-embed', input: ['one', 'seven'], dimensions: 2 } },
    ])
    expect(upstream.seen[0]?.text).not.toContain('RETRIEVAL_QUERY')
    expect(await operator.consumption(rows + 1)).toMatchObject({ prompt_tokens: 12, completion_tokens: 0 })
  })
})

describe('embedContent', () => {
  it('passes to Gemini as it came, and back', async () => {
    const body = {
      content: content('Hello  there'),
      taskType: 'RETRIEVAL_DOCUMENT',
      title: 'x',
      x_future: [1.5],
    }
    const rows = await operator.consumed()
    const reply = await ask('gem-embed:embedContent', body)
    expect(reply.json).toEqual({ embedding: { values: [0.5, 1] }, x_future: true })
    expect(upstream.seen).toMatchObject([
      { path: '/v1beta/models/gem-embed:embedContent', text: JSON.stringify(body) },
    ])
    expect((await operator.consumption(rows + 1)).prompt_tokens).toBeGreaterThan(1)
  })

  it('names the model as the upstream knows it, in each request of a batch', async () => {
    const requests = ['a', 'b'].map((text) => ({ model: 'models/mapped', content: content(text) }))
    await ask('mapped:batchEmbedContents', { requests })
    expect(upstream.seen).toMatchObject([
      {
        path: '/v1beta/models/gem-embed:batchEmbedContents',
        json: { requests: [{ model: 'models/gem-embed' }, { model: 'models/gem-embed' }] },
      },
    ])
  })

  it('is one embedding of an upstream that speaks OpenAI, with a warning for what that has no word for', async () => {
    const reply = await ask('oa-embed:embedContent', { content: content('four'), task_type: 'CLUSTERING' })
    expect(reply.json).toEqual({ embedding: { values: [4, 0] }, usageMetadata: { promptTokenCount: 12 } })
    expect(reply.headers.get('x-tollgate-warning')).toContain('task_type')
  })

  it.each([
    ['content', 'gem-embed:embedContent', {}],
    ['content', 'oa-embed:embedContent', { content: 7 }],
    ['content.parts', 'gem-embed:embedContent', { content: { parts: [] } }],
    ['requests', 'gem-embed:batchEmbedContents', {}],
    ['requests[0].content', 'oa-embed:batchEmbedContents', { requests: [{}] }],
    ['outputDimensionality', 'gem-embed:embedContent', { content: content('a'), outputDimensionality: -1 }],
    ['content.parts[0]', 'oa-embed:embedContent', { content: { parts: [{ inlineData: {} }] } }],
  ])('is refused with 400 that names %s', async (param, path, body) => {
    const { status, json } = await ask(path, body)
    expect(status).toBe(400)
    expect(json).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } })
    expect((json as { error: { message: string } }).error.message).toContain(param)
    expect(upstream.seen).toEqual([])
  })
})

describe('the SDK of OpenAI', () => {
  it('gets embeddings of an upstream that speaks Gemini, charged by its count', async () => {
    const client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
    const rows = await operator.consumed()
    const { data, usage } = await client.embeddings.create({ model: 'gem-embed', input: ['a', 'b'] })
    expect(data.map(({ embedding }) => embedding)).toEqual([
      [0, 1],
      [1, 1],
    ])
    expect(usage).toEqual({ prompt_tokens: 22, total_tokens: 22 })
    expect(await operator.consumption(rows + 1)).toMatchObject({ prompt_tokens: 22, completion_tokens: 0 })
  })
})
