import { afterAll, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import OpenAI from 'openai'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { refuse, respond } from '../../support/upstream/behaviours.ts'
import { cut, openStream, pause, sendJson, write } from '../../support/upstream/sending.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(20_000))

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
  await operator.option('ModelPrice', JSON.stringify({ 'dall-e-3': 0.04, 'dall-e': 0.02, Kolors: 0.01 }))
  const models =
    'text-moderation-stable,dall-e-3,dall-e,gpt-image-1,tts-1,gpt-4o-mini-tts,gpt-4o,gpt-4o-transcribe'
  await operator.option(
    'ModelRatio',
    JSON.stringify({
      'text-moderation-stable': 0.1,
      'gpt-image-1': 2.5,
      'tts-1': 7.5,
      'tts-1-hd': 15,
      'gpt-4o-mini-tts': 0.3,
      'jina-reranker-v3': 1,
      'shared-reranker': 1,
      'gpt-4o': 1.25,
      'whisper-1': 15,
      'whisper-large-v3': 15,
      'speech-02-hd': 1,
      'gemini-image': 1,
      '@cf/openai/whisper': 1,
      '@cf/openai/whisper-large-v3-turbo': 1,
      'gemini-embedding-001': 1,
      'gpt-4o-transcribe': 1.25,
    }),
  )
  await operator.addChannel({ name: 'openai', base_url: upstream.url, models })
  await operator.addChannel({
    name: 'whisper',
    base_url: upstream.url,
    models: 'whisper-1',
    model_mapping: '{"whisper-1":"upstream-whisper"}',
  })
  await operator.addChannel({ name: 'groq', type: 1000, base_url: upstream.url, models: 'whisper-large-v3' })
  await operator.addChannel({ name: 'jina', type: 38, base_url: upstream.url, models: 'jina-reranker-v3' })
  await operator.addChannel({ name: 'siliconflow', type: 40, base_url: upstream.url, models: 'Kolors' })
  await operator.addChannel({
    name: 'cloudflare',
    type: 39,
    other: '0a1b0a1b0a1b0a1b0a1b0a1b0a1b0a1b',
    base_url: upstream.url,
    models: '@cf/openai/whisper,@cf/openai/whisper-large-v3-turbo',
  })
  await operator.addChannel({ name: 'minimax', type: 35, base_url: upstream.url, models: 'speech-02-hd' })
  await operator.addChannel({
    name: 'gemini',
    type: 24,
    base_url: upstream.url,
    models: 'gemini-embedding-001,gemini-image',
  })
  key = (await operator.addKey()).key
  client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
})
beforeEach(() => upstream.forget())
afterAll(async () => {
  await gateway?.stop()
  await upstream?.stop()
})

/** Runs a call and returns its result, its cost to the user and its log row. */
async function metered<Result>(work: () => Promise<Result>) {
  const before = await operator.quota()
  const rows = await operator.consumed()
  const result = await work()
  const row = await operator.consumption(rows + 1)
  const spent = before - (await operator.quota())
  expect(row.quota).toBe(spent)
  return { result, spent, row, other: JSON.parse(row.other) }
}

const replies = (body: object) => upstream.otherwise(({ response }) => sendJson(response, 200, body))

function post(path: string, body: unknown): Promise<Response> {
  return fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

describe('embeddings', () => {
  it('are base64 where that is asked for, also from an upstream that ignores it', async () => {
    replies({ object: 'list', data: [{ index: 0, embedding: [0.5, -2] }], usage: { prompt_tokens: 4 } })
    const order = { model: 'gpt-4o', input: 'a', encoding_format: 'base64' }
    const { result } = await metered(async () => (await post('/v1/embeddings', order)).json())
    const embedding = Buffer.from(new Float32Array([0.5, -2]).buffer).toString('base64')
    expect(result).toMatchObject({ data: [{ index: 0, embedding }] })
  })
})

describe('moderations', () => {
  const verdict = { id: 'modr-1', model: 'text-moderation-stable', results: [{ flagged: false }] }

  it('are asked for by the SDK, and counted where the upstream tells no usage', async () => {
    replies(verdict)
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
  const reply = {
    model: 'jina-reranker-v3',
    usage: { total_tokens: 38 },
    results: [{ index: 1, relevance_score: 0.87 }],
  }
  const call = { model: 'jina-reranker-v3', query: 'q', documents: ['a', { text: 'b' }], top_n: 1 }

  it.each(['/v1/rerank', '/rerank'])('is served at %s and charged by its tokens', async (path) => {
    replies(reply)
    const { result, row } = await metered(() => post(path, call))
    expect(await result.json()).toEqual(reply)
    expect(upstream.calls[0]).toMatchObject({ path: '/v1/rerank', json: call })
    expect(row).toMatchObject({ quota: 38, prompt_tokens: 38 })
  })

  it('is served at /v2/rerank with the response in that form, charged the same', async () => {
    replies(reply)
    const { result, row } = await metered(() => post('/v2/rerank', { ...call, documents: ['a', 'b'] }))
    expect(await result.json()).toEqual({
      id: expect.any(String),
      results: reply.results,
      meta: {
        api_version: { version: '2' },
        billed_units: { search_units: 1 },
        tokens: { input_tokens: 38, output_tokens: 0 },
      },
    })
    expect(upstream.calls[0]).toMatchObject({ path: '/v1/rerank' })
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

  it('is asked of the channel that offers it, whichever comes first', async () => {
    replies(reply)
    const shared = { base_url: upstream.url, models: 'shared-reranker' }
    await operator.addChannel({ name: 'chat alone', type: 25, priority: 100, ...shared })
    await operator.addChannel({ name: 'reranks', type: 38, ...shared })
    const { row, other } = await metered(() => post('/v1/rerank', { ...call, model: 'shared-reranker' }))
    expect([row.quota, other.admin_info.attempts.length]).toEqual([38, 1])
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
  const two = { created: 1, data: [...image.data, ...image.data] }
  const prompt = 'a cat'

  it('are charged by number, size and quality', async () => {
    replies(two)
    const { result, spent, other } = await metered(() =>
      client.images.generate({ model: 'dall-e-3', prompt, n: 2, size: '1024x1792', quality: 'hd' }),
    )
    expect(result).toMatchObject(two)
    expect(spent).toBe(120_000)
    expect(other).toMatchObject({ model_price: 0.24, image_price: 0.04, image_count: 2 })
  })

  it('have a default model', async () => {
    replies(image)
    const { row } = await metered(() => client.images.generate({ prompt }))
    expect(row).toMatchObject({ model_name: 'dall-e', quota: 10_000 })
  })

  it('are charged by the tokens that the upstream counts, else by their model’s ratio', async () => {
    replies({
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
    replies(two)
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

describe('a stream of images', () => {
  it('goes on when its caller hangs up at a first picture, and is charged by its last event', async () => {
    const goOn = Promise.withResolvers<void>()
    upstream.otherwise(async ({ response }) => {
      openStream(response)
      await write(response, 'data: {"type":"image_generation.partial_image","b64_json":"QQ=="}\n\n')
      await goOn.promise
      await write(
        response,
        'data: {"type":"image_generation.completed","usage":{"input_tokens":10,"output_tokens":100}}\n\n',
      )
      response.end()
    })
    const { spent, other } = await metered(async () => {
      const abort = new AbortController()
      const response = await fetch(`${gateway.url}/v1/images/generations`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'gpt-image-1', prompt: 'a cat', stream: true, partial_images: 3 }),
        signal: abort.signal,
      })
      await response.body?.getReader().read()
      abort.abort()
      await Bun.sleep(100)
      goOn.resolve()
    })
    expect([spent, other.ended]).toEqual([(10 + 100 * 8) * 2.5, 'client_gone'])
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
    for (const name of ['first voice', 'second voice'])
      await operator.addChannel({ name, base_url: upstream.url, models: 'tts-1-hd' })
    let calls = 0
    upstream.otherwise(async (exchange) => {
      calls += 1
      if (calls === 1) return refuse(500)(exchange)
      exchange.response.writeHead(200, { 'content-type': 'audio/mpeg' })
      exchange.response.end('ID3')
    })
    const { result, spent, other } = await metered(async () =>
      (await post('/v1/audio/speech', { model: 'tts-1-hd', voice, input })).text(),
    )
    expect([result, spent, other.admin_info.attempts.length]).toEqual(['ID3', 120, 2])
  })

  it('forwards only audio', async () => {
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

  it('is charged once where its caller hangs up', async () => {
    upstream.otherwise(async ({ response }) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' })
      await write(response, 'ID3')
    })
    const { spent, other } = await metered(async () => {
      const abort = new AbortController()
      const response = await fetch(`${gateway.url}/v1/audio/speech`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'tts-1', voice, input }),
        signal: abort.signal,
      })
      await response.body?.getReader().read()
      abort.abort()
    })
    expect([spent, other.ended]).toEqual([60, 'client_gone'])
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

  it('is charged by what its text takes to speak where audio has a price and nothing counts it', async () => {
    audio('audio/mpeg', ['ID3'])
    const order = {
      model: 'gpt-4o-mini-tts',
      voice,
      input: 'Hello world',
      instructions: 'slowly '.repeat(50),
    }
    const speak = async () => (await post('/v1/audio/speech', order)).text()
    const { row, other, spent } = await metered(speak)
    // Two tokens of text; what the instructions say is not spoken.
    const audioTokens = Math.ceil(2 * 6.25)
    expect(row).toMatchObject({ completion_tokens: audioTokens })
    expect(other).toMatchObject({ audio_output: audioTokens, estimated: true })
    expect(spent).toBe(Math.round((row.prompt_tokens + audioTokens * 20) * 0.3))
    await operator.option('AudioRatio', '{}')
    await operator.option('AudioCompletionRatio', '{}')
    const { row: plain } = await metered(speak)
    expect(plain).toMatchObject({ prompt_tokens: row.prompt_tokens, completion_tokens: 0 })
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

describe('transcriptions', () => {
  /** Samples of 8 kHz and 16 bits. */
  function wav(seconds: number): File {
    const data = Buffer.alloc(seconds * 16_000)
    const head = Buffer.alloc(44)
    head.write('RIFF')
    head.writeUInt32LE(36 + data.length, 4)
    head.write('WAVEfmt ', 8)
    head.writeUInt32LE(16, 16)
    head.writeUInt16LE(1, 20)
    head.writeUInt16LE(1, 22)
    head.writeUInt32LE(8000, 24)
    head.writeUInt32LE(16_000, 28)
    head.writeUInt16LE(2, 32)
    head.writeUInt16LE(16, 34)
    head.write('data', 36)
    head.writeUInt32LE(data.length, 40)
    return new File([head, data], 'talk.wav', { type: 'audio/wav' })
  }

  const sends = (type: string, body: string) =>
    upstream.otherwise(({ response }) => {
      response.writeHead(200, { 'content-type': type })
      response.end(body)
    })

  function postForm(path: string, fields: Readonly<Record<string, string | File>>): Promise<Response> {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    return fetch(gateway.url + path, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body })
  }

  it('are asked for by the SDK, and charged by how long the recording is, or was to its upstream', async () => {
    sends('application/json', '{"text":"hi","usage":{"type":"duration","seconds":3}}')
    const { result, spent, row, other } = await metered(() =>
      client.audio.transcriptions.create({ file: wav(2), model: 'whisper-1', language: 'de' }),
    )
    expect(result.text).toBe('hi')
    const [call] = upstream.calls
    expect(call?.path).toBe('/v1/audio/transcriptions')
    expect(call?.body).toMatch(/name="model"\r\n\r\nupstream-whisper\r\n/)
    expect(call?.body).not.toContain('whisper-1')
    expect(call?.body).toMatch(/name="language"\r\n\r\nde\r\n/)
    expect(call?.body).toMatch(/name="file"; filename="talk.wav"\r\nContent-Type: audio\/wav\r\n\r\nRIFF/)
    expect(Number(call?.headers['content-length'])).toBeGreaterThan(32_000)
    // round(3 / 60 × 1000) × 15
    expect(row).toMatchObject({ prompt_tokens: 50, completion_tokens: 0, model_name: 'whisper-1' })
    expect(spent).toBe(750)
    expect(other.estimated).toBeUndefined()
  })

  it.each([
    ['text', 'text/plain; charset=utf-8', 'hi\n'],
    ['srt', 'text/plain', '1\n00:00:00,000 --> 00:00:01,000\nhi\n'],
    ['vtt', 'text/vtt', 'WEBVTT\n'],
    ['verbose_json', 'application/json', '{"task":"transcribe","duration":2,"text":"hi","segments":[]}'],
  ])('pass as %s with its media type', async (format, type, body) => {
    sends(type, body)
    const { result } = await metered(async () => {
      const response = await postForm('/v1/audio/translations', { file: wav(1), response_format: format })
      return [response.headers.get('content-type'), await response.text()]
    })
    expect(result).toEqual([type, body])
  })

  it('pass as texts although their upstream (Groq) names them JSON', async () => {
    sends('application/json', ' Good morning.\n')
    const response = await postForm('/v1/audio/transcriptions', {
      file: wav(1),
      model: 'whisper-large-v3',
      response_format: 'text',
    })
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'text/plain; charset=utf-8',
      ' Good morning.\n',
    ])
  })

  it('pass as events, charged by the tokens of the last', async () => {
    upstream.otherwise(async ({ response }) => {
      openStream(response)
      await write(response, 'data: {"type":"transcript.text.delta","delta":"hi"}\n\n')
      await write(
        response,
        'data: {"type":"transcript.text.done","text":"hi","usage":{"type":"tokens","input_tokens":14,"input_token_details":{"text_tokens":4,"audio_tokens":10},"output_tokens":3,"total_tokens":17}}\n\n',
      )
      response.end()
    })
    const { result, row, other } = await metered(async () => {
      const stream = await client.audio.transcriptions.create({
        file: wav(1),
        model: 'gpt-4o-transcribe',
        stream: true,
      })
      const types: string[] = []
      for await (const event of stream) types.push(event.type)
      return types
    })
    expect(result).toEqual(['transcript.text.delta', 'transcript.text.done'])
    expect(row).toMatchObject({ prompt_tokens: 14, completion_tokens: 3, is_stream: true })
    expect(other).toMatchObject({ audio: true, audio_input: 10 })
  })

  it('send the whole file again where the first upstream fails', async () => {
    const bodies: string[] = []
    upstream.otherwise(({ call, response }) => {
      bodies.push(call.body)
      if (bodies.length === 1) response.socket?.destroy()
      else sendJson(response, 200, { text: 'again' })
    })
    await operator.addChannel({
      name: 'second',
      base_url: upstream.url,
      models: 'whisper-1',
      priority: -1,
      model_mapping: '{"whisper-1":"upstream-whisper"}',
    })
    const { result, other } = await metered(async () => {
      const large = wav(90)
      const response = await postForm('/v1/audio/transcriptions', { file: large, model: 'whisper-1' })
      return response.json()
    })
    expect(result).toEqual({ text: 'again' })
    expect(other.admin_info.attempts).toHaveLength(2)
    expect(bodies[0]?.replace(/tollgate-[\w-]+/g, '')).toBe(bodies[1]?.replace(/tollgate-[\w-]+/g, ''))
    expect(bodies[1]?.length).toBeGreaterThan(90 * 16_000)
  })

  it('name the field that is wrong', async () => {
    for (const [field, fields] of [
      ['file', { model: 'whisper-1' }],
      ['file', { model: 'whisper-1', file: 'no file' }],
      ['response_format', { file: wav(1), response_format: 'doc' }],
      ['temperature', { file: wav(1), temperature: 'hot' }],
      ['model', { file: wav(1), model: ' ' }],
    ] as const) {
      const response = await postForm('/v1/audio/transcriptions', fields)
      expect([field, response.status]).toEqual([field, 400])
      expect(await response.json()).toMatchObject({ error: { param: field } })
    }
  })

  it('refuse a malformed form', async () => {
    const headers = (type: string) => ({ authorization: `Bearer ${key}`, 'content-type': type })
    for (const [type, body] of [
      ['application/json', '{}'],
      ['multipart/form-data', '--b--'],
      [
        'multipart/form-data; boundary=b',
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx',
      ],
    ] as const) {
      const response = await fetch(`${gateway.url}/v1/audio/transcriptions`, {
        method: 'POST',
        headers: headers(type),
        body,
      })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: { code: 'invalid_form' } })
    }
  })

  it('are translated for an upstream that takes no form', async () => {
    replies({ result: { text: 'hi', vtt: 'WEBVTT hi', transcription_info: { duration: 2 } }, success: true })
    const turbo = '@cf/openai/whisper-large-v3-turbo'
    const { result, row } = await metered(async () => {
      const response = await postForm('/v1/audio/transcriptions', {
        file: wav(2),
        model: turbo,
        language: 'de',
      })
      return response.json()
    })
    expect([result, row.prompt_tokens]).toEqual([{ text: 'hi' }, 33])
    const [call] = upstream.calls
    expect(call?.path).toBe(`/client/v4/accounts/0a1b0a1b0a1b0a1b0a1b0a1b0a1b0a1b/ai/run/${turbo}`)
    expect(call?.json).toMatchObject({ task: 'transcribe', language: 'de' })
    expect(Buffer.from(String(call?.json.audio), 'base64')).toEqual(Buffer.from(await wav(2).arrayBuffer()))
    const plain = await postForm('/v1/audio/transcriptions', {
      file: wav(1),
      model: '@cf/openai/whisper',
      response_format: 'vtt',
    })
    expect([plain.headers.get('content-type'), await plain.text()]).toEqual([
      'text/vtt; charset=utf-8',
      'WEBVTT hi',
    ])
    expect(upstream.calls[1]).toMatchObject({
      body: expect.stringMatching(/^RIFF/),
      headers: { 'content-type': 'audio/wav' },
    })
    const refused = await postForm('/v1/audio/transcriptions', {
      file: wav(1),
      model: turbo,
      response_format: 'srt',
    })
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { param: 'response_format' } },
    ])
  })

  it('change images, charged like those that are drawn', async () => {
    const made = (count: number) =>
      sends(
        'application/json',
        JSON.stringify({ created: 1, data: Array(count).fill({ url: 'https://i.example/1' }) }),
      )
    const image = new File(['PNG'], 'a.png', { type: 'image/png' })
    made(2)
    const edited = await metered(() =>
      client.images.edit({ model: 'dall-e', image, prompt: 'a hat', n: 2, size: '512x512' }),
    )
    expect(upstream.calls[0]?.path).toBe('/v1/images/edits')
    // 0.02 × 0.45 × 2
    expect(edited.spent).toBe(9000)
    made(1)
    const varied = await metered(() => client.images.createVariation({ model: 'dall-e', image }))
    expect(upstream.calls[1]?.path).toBe('/v1/images/variations')
    expect(varied.spent).toBe(10_000)
    const response = await postForm('/v1/images/edits', { image, model: 'dall-e' })
    expect(await response.json()).toMatchObject({ error: { param: 'prompt' } })
    const body = { model: 'dall-e', prompt: 'a hat', image: 'https://images.example/0.png' }
    const asJson = await metered(() => post('/v1/images/edits', body))
    expect([asJson.spent, upstream.calls[2]?.json]).toEqual([10_000, body])
  })
})

describe('image edits over an upstream that takes JSON', () => {
  it('carry the files of a form as data URLs', async () => {
    replies({
      candidates: [{ content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'QUJD' } }] } }],
      usageMetadata: { promptTokenCount: 300, candidatesTokenCount: 1290 },
    })
    const { result, row } = await metered(() =>
      client.images.edit({
        model: 'gemini-image',
        prompt: 'a hat',
        image: [
          new File(['PNG1'], '1.png', { type: 'image/png' }),
          new File(['JPEG'], '2.jpg', { type: 'image/jpeg' }),
        ],
      }),
    )
    expect(result.data).toEqual([{ b64_json: 'QUJD' }])
    expect(row).toMatchObject({ prompt_tokens: 300, completion_tokens: 1290 })
    const inline = (mimeType: string, text: string) => ({
      inlineData: { mimeType, data: Buffer.from(text).toString('base64') },
    })
    expect(upstream.calls[0]).toMatchObject({
      path: '/v1beta/models/gemini-image:generateContent',
      json: {
        contents: [{ parts: [inline('image/png', 'PNG1'), inline('image/jpeg', 'JPEG'), { text: 'a hat' }] }],
      },
    })
  })
})

describe('edits', () => {
  it('are sent as chat and returned as edits', async () => {
    upstream.on('gpt-4o', respond({ text: 'Hello', usage: { promptTokens: 20, completionTokens: 1 } }))
    const { result, spent } = await metered(async () =>
      (await post('/v1/edits', { model: 'gpt-4o', instruction: 'Fix it', input: 'Helo' })).json(),
    )
    expect(result).toMatchObject({ object: 'edit', choices: [{ text: 'Hello', index: 0 }] })
    expect(upstream.calls[0]?.path).toBe('/v1/chat/completions')
    expect(spent).toBe(30)
    const response = await post('/v1/edits', { model: 'gpt-4o', input: 'Helo' })
    expect([response.status, await response.json()]).toMatchObject([400, { error: { param: 'instruction' } }])
  })
})

describe('upstreams with a form of their own', () => {
  it('are sent in it, and the caller gets the names of dropped fields', async () => {
    const url = 'https://images.example/1.png'
    replies({ images: [{ url }, { url }] })
    const { result, spent } = await metered(async () => {
      const response = await post('/v1/images/generations', {
        model: 'Kolors',
        prompt: 'a cat',
        n: 2,
        style: 'vivid',
      })
      return [response.headers.get('x-tollgate-warning'), await response.json()]
    })
    expect(result).toMatchObject([expect.stringContaining('style'), { data: [{ url }, { url }] }])
    expect(upstream.calls[0]?.json).toEqual({ model: 'Kolors', prompt: 'a cat', batch_size: 2 })
    expect(spent).toBe(10_000)
  })

  it('speak', async () => {
    replies({ data: { audio: '494433' }, extra_info: { audio_format: 'wav' }, base_resp: { status_code: 0 } })
    const { result, row } = await metered(async () => {
      const response = await client.audio.speech.create({
        model: 'speech-02-hd',
        voice: 'alloy',
        input: 'Hi there',
      })
      return [response.headers.get('content-type'), await response.text()]
    })
    expect(result).toEqual(['audio/wav', 'ID3'])
    expect(row.prompt_tokens).toBe(2)
    replies({ base_resp: { status_code: 1026, status_msg: 'sensitive' } })
    const refused = await post('/v1/audio/speech', {
      model: 'speech-02-hd',
      voice: 'alloy',
      input: 'Hi there',
    })
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { message: expect.stringContaining('sensitive') } },
    ])
  })

  it('embed', async () => {
    replies({ embeddings: [{ values: [0.5, 0.25] }] })
    const { result, row } = await metered(() =>
      client.embeddings.create({ model: 'gemini-embedding-001', input: 'hello there' }),
    )
    expect(result).toMatchObject({ data: [{ embedding: [0.5, 0.25] }], usage: { prompt_tokens: 2 } })
    expect(upstream.calls[0]?.path).toBe('/v1beta/models/gemini-embedding-001:batchEmbedContents')
    expect(row.prompt_tokens).toBe(2)
  })
})
