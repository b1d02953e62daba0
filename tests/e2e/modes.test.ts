import { afterAll, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import OpenAI from 'openai'
import { type Operator, operate } from '../support/operator.ts'
import { startTollgate, type Tollgate } from '../support/server.ts'
import { startUpstream, type Upstream } from '../support/upstream.ts'
import { refuse } from '../support/upstream-behaviours.ts'
import { cut, openStream, pause, sendJson, write } from '../support/upstream-sending.ts'

setDefaultTimeout(20_000)

let gateway: Tollgate
let upstream: Upstream
let operator: Operator
let key: string
let client: OpenAI

beforeAll(async () => {
  upstream = await startUpstream()
  gateway = await startTollgate()
  operator = await operate(gateway.url)
  await operator.option('RetryTimes', '2')
  await operator.option('ModelPrice', JSON.stringify({ 'dall-e-3': 0.04, 'dall-e': 0.02 }))
  const models = 'text-moderation-stable,dall-e-3,dall-e,gpt-image-1,tts-1,gpt-4o-mini-tts,gpt-4o'
  await operator.option(
    'ModelRatio',
    JSON.stringify({
      'text-moderation-stable': 0.1,
      'gpt-image-1': 2.5,
      'tts-1': 7.5,
      'gpt-4o-mini-tts': 0.3,
      'jina-reranker-v3': 1,
      'gpt-4o': 1.25,
    }),
  )
  await operator.addChannel({ name: 'openai', base_url: upstream.url, models })
  await operator.addChannel({ name: 'jina', type: 38, base_url: upstream.url, models: 'jina-reranker-v3' })
  key = (await operator.addKey()).key
  client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
})
beforeEach(() => upstream.forget())
afterAll(async () => {
  await gateway?.stop()
  await upstream?.stop()
})

/** Runs a call and answers what came of it, what it cost the user and what its log row says. */
async function metered<Result>(work: () => Promise<Result>) {
  const before = await operator.quota()
  const rows = await operator.consumed()
  const result = await work()
  const row = await operator.consumption(rows + 1)
  const spent = before - (await operator.quota())
  expect(row.quota).toBe(spent)
  return { result, spent, row, other: JSON.parse(row.other) }
}

const answers = (body: object) => upstream.otherwise(({ response }) => sendJson(response, 200, body))

function post(path: string, body: unknown): Promise<Response> {
  return fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

describe('moderations', () => {
  const verdict = { id: 'modr-1', model: 'text-moderation-stable', results: [{ flagged: false }] }

  it('are asked for by the SDK, and counted where the upstream tells no usage', async () => {
    answers(verdict)
    const input = 'word '.repeat(100)
    const { result, row } = await metered(() => client.moderations.create({ input }))
    expect(result).toMatchObject(verdict)
    expect(upstream.calls[0]).toMatchObject({
      path: '/v1/moderations',
      json: { model: 'text-moderation-stable', input },
    })
    expect(row).toMatchObject({ model_name: 'text-moderation-stable', completion_tokens: 0 })
    expect(row.quota).toBe(Math.round(row.prompt_tokens * 0.1))
    expect(row.prompt_tokens).toBeGreaterThan(90)
  })
})

describe('rerank', () => {
  const answer = {
    model: 'jina-reranker-v3',
    usage: { total_tokens: 38 },
    results: [{ index: 1, relevance_score: 0.87 }],
  }
  const call = { model: 'jina-reranker-v3', query: 'q', documents: ['a', { text: 'b' }], top_n: 1 }

  it.each(['/v1/rerank', '/rerank'])('is served at %s and charged by its tokens', async (path) => {
    answers(answer)
    const { result, row } = await metered(() => post(path, call))
    expect(await result.json()).toEqual(answer)
    expect(upstream.calls[0]).toMatchObject({ path: '/v1/rerank', json: call })
    expect(row).toMatchObject({ quota: 38, prompt_tokens: 38 })
  })

  it('names the field that is missing', async () => {
    for (const [field, body] of [
      ['query', { ...call, query: '' }],
      ['documents', { ...call, documents: [] }],
      ['documents[1]', { ...call, documents: ['a', 5] }],
      ['top_n', { ...call, top_n: -1 }],
    ] as const) {
      const response = await post('/v1/rerank', body)
      expect([field, response.status]).toEqual([field, 400])
      expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error', param: field } })
    }
  })

  it('says which channels do not offer it', async () => {
    const response = await post('/v1/rerank', { ...call, model: 'gpt-4o' })
    expect(response.status).toBe(400)
    const { error } = (await response.json()) as { error: Record<string, string> }
    expect(error).toMatchObject({ type: 'invalid_request_error', code: 'unsupported_endpoint' })
    expect(error.message).toMatch(/rerank.*OpenAI/)
    expect(upstream.calls).toHaveLength(0)
  })
})

describe('images', () => {
  const image = { created: 1, data: [{ url: 'https://images.example/1.png' }] }
  const prompt = 'a cat'

  it('are charged by number, size and quality', async () => {
    answers(image)
    const { result, spent, other } = await metered(() =>
      client.images.generate({ model: 'dall-e-3', prompt, n: 2, size: '1024x1792', quality: 'hd' }),
    )
    expect(result).toMatchObject(image)
    expect(spent).toBe(120_000)
    expect(other).toMatchObject({ model_price: 0.24, image_price: 0.04, image_count: 2 })
  })

  it('have a default model', async () => {
    answers(image)
    const { row } = await metered(() => client.images.generate({ prompt }))
    expect(row).toMatchObject({ model_name: 'dall-e', quota: 10_000 })
  })

  it('are charged by the tokens that the upstream counts, else by their model’s ratio', async () => {
    answers({
      ...image,
      usage: {
        input_tokens: 44,
        output_tokens: 1056,
        total_tokens: 1100,
        input_tokens_details: { text_tokens: 44, image_tokens: 0 },
      },
    })
    const counted = await metered(() => client.images.generate({ model: 'gpt-image-1', prompt }))
    // An image token is 2 × 4 text tokens.
    expect(counted.spent).toBe((44 + 1056 * 8) * 2.5)
    expect(counted.other).toMatchObject({ image: true, image_output: 1056, text_input: 44 })
    answers(image)
    const uncounted = await metered(() => client.images.generate({ model: 'gpt-image-1', prompt, n: 2 }))
    expect(uncounted.spent).toBe(0.0025 * 2.5 * 2 * 500_000)
  })

  it('name the field that is wrong', async () => {
    for (const [field, body] of [
      ['prompt', { model: 'dall-e-3' }],
      ['size', { model: 'dall-e-3', prompt, size: '1024×1024' }],
      ['size', { model: 'dall-e-3', prompt, size: '256x256' }],
      ['n', { model: 'dall-e-3', prompt, n: 0 }],
    ] as const) {
      const response = await post('/v1/images/generations', body)
      expect([field, response.status]).toEqual([field, 400])
      expect(await response.json()).toMatchObject({ error: { param: field } })
    }
  })

  it('stream as events, charged by the usage of the last', async () => {
    const usage = { input_tokens: 10, output_tokens: 100, total_tokens: 110 }
    upstream.otherwise(async ({ response }) => {
      openStream(response)
      await write(
        response,
        'event: image_generation.partial_image\ndata: {"type":"image_generation.partial_image","b64_json":"QQ==","partial_image_index":0}\n\n',
      )
      await write(
        response,
        `event: image_generation.completed\ndata: ${JSON.stringify({ type: 'image_generation.completed', b64_json: 'QUE=', usage })}\n\n`,
      )
      response.end()
    })
    const { result, spent } = await metered(async () => {
      const stream = await client.images.generate({ model: 'gpt-image-1', prompt, stream: true })
      const types: string[] = []
      for await (const event of stream) types.push(event.type)
      return types
    })
    expect(result).toEqual(['image_generation.partial_image', 'image_generation.completed'])
    expect(spent).toBe((10 + 100 * 8) * 2.5)
  })
})

describe('speech', () => {
  const input = 'Grüße 👋🏽'
  const voice = 'alloy'
  const audio = (type: string, pieces: readonly string[], end: 'end' | 'cut' = 'end') =>
    upstream.otherwise(async ({ response }) => {
      response.writeHead(200, { 'content-type': type })
      for (const piece of pieces) {
        await write(response, piece)
        await pause(5)
      }
      if (end === 'cut') await cut(response)
      else response.end()
    })

  it('passes the audio on as it comes, charged by characters', async () => {
    audio('audio/mpeg', ['ID3', 'abc', 'def'])
    const { result, spent, row, other } = await metered(async () => {
      const response = await client.audio.speech.create({ model: 'tts-1', voice, input })
      expect(response.headers.get('content-type')).toBe('audio/mpeg')
      return response.text()
    })
    expect(result).toBe('ID3abcdef')
    expect(row).toMatchObject({ prompt_tokens: 8, completion_tokens: 0 })
    expect(spent).toBe(60)
    expect(other.estimated).toBeUndefined()
  })

  it('fails over before the first byte', async () => {
    let calls = 0
    upstream.otherwise((exchange) => {
      calls += 1
      return refuse(500)(exchange)
    })
    const failed = await post('/v1/audio/speech', { model: 'tts-1', voice, input })
    expect([failed.status, calls]).toEqual([500, 1])
    upstream.forget()
    audio('text/html', ['<script>'])
    const page = await post('/v1/audio/speech', { model: 'tts-1', voice, input })
    expect(page.status).toBeGreaterThanOrEqual(500)
    expect(page.headers.get('content-type')).toContain('application/json')
  })

  it('breaks off where its upstream does, and charges what it was asked for once', async () => {
    audio('audio/mpeg', ['ID3'], 'cut')
    const { result, spent, other } = await metered(async () => {
      const response = await post('/v1/audio/speech', { model: 'tts-1', voice, input })
      expect(response.status).toBe(200)
      return response.arrayBuffer().then(
        () => 'whole',
        () => 'broken',
      )
    })
    expect([result, spent, other.ended]).toEqual(['broken', 60, 'upstream_cut'])
  })

  it('sends events where they are asked for, charged by their usage', async () => {
    upstream.otherwise(async ({ response }) => {
      openStream(response)
      await write(response, 'data: {"type":"speech.audio.delta","audio":"QUJD"}\n\n')
      await write(
        response,
        'data: {"type":"speech.audio.done","usage":{"input_tokens":14,"output_tokens":101,"total_tokens":115}}\n\n',
      )
      response.end()
    })
    const { result, row } = await metered(async () => {
      const response = await post('/v1/audio/speech', {
        model: 'gpt-4o-mini-tts',
        voice,
        input,
        stream_format: 'sse',
      })
      expect(response.headers.get('content-type')).toContain('text/event-stream')
      return response.text()
    })
    expect(result).toMatch(/speech\.audio\.delta.*speech\.audio\.done/s)
    expect(row).toMatchObject({ prompt_tokens: 14, completion_tokens: 101 })
  })

  it('names the field that is wrong', async () => {
    for (const [field, body] of [
      ['input', { model: 'tts-1', voice }],
      ['speed', { model: 'tts-1', voice, input, speed: 9 }],
      ['stream_format', { model: 'tts-1', voice, input, stream_format: 'x' }],
    ] as const) {
      const response = await post('/v1/audio/speech', body)
      expect([field, response.status]).toEqual([field, 400])
      expect(await response.json()).toMatchObject({ error: { param: field } })
    }
  })
})
