import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI, { AzureOpenAI, toFile } from 'openai'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { refuse, respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

let gateway: Tollgate
let upstream: Upstream
let operator: Operator
let key: string
let client: OpenAI

beforeAll(async () => {
  upstream = await startUpstream()
  gateway = await startTollgate()
  operator = await operate(gateway.url)
  await operator.addChannel({
    name: 'sdk',
    base_url: upstream.url,
    models: 'gpt-4o,gpt-3.5-turbo-instruct,text-embedding-3-small,whisper-1',
  })
  key = (await operator.addKey()).key
  client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
})
beforeEach(() => upstream.forget())
afterAll(async () => {
  await gateway?.stop()
  await upstream?.stop()
})

const messages = [{ role: 'user', content: 'Say hello.' }] as const

/** Runs a call and returns its cost to the user and its log row. */
async function metered(work: () => Promise<unknown>) {
  const before = await operator.quota()
  const rows = await operator.consumed()
  await work()
  const row = await operator.consumption(rows + 1)
  return { spent: before - (await operator.quota()), row }
}

describe('the official OpenAI SDK', () => {
  it('gets a whole chat completion, charged to the unit', async () => {
    upstream.on(
      'gpt-4o',
      respond({ text: 'Hello there.', usage: { promptTokens: 1000, completionTokens: 200 } }),
    )
    let text: string | null | undefined
    const { spent, row } = await metered(async () => {
      const completion = await client.chat.completions.create({ model: 'gpt-4o', messages: [...messages] })
      text = completion.choices[0]?.message.content
    })
    expect(text).toBe('Hello there.')
    // (1000 + 200 × 4) × 1.25
    expect(spent).toBe(2250)
    expect(row).toMatchObject({
      quota: 2250,
      prompt_tokens: 1000,
      completion_tokens: 200,
      is_stream: false,
      model_name: 'gpt-4o',
    })
  })

  it('charges cached prompt tokens at their ratio', async () => {
    upstream.on(
      'gpt-4o',
      respond({ usage: { promptTokens: 1000, completionTokens: 200, cachedTokens: 600 } }),
    )
    const { spent, row } = await metered(() =>
      client.chat.completions.create({ model: 'gpt-4o', messages: [...messages] }),
    )
    // (400 + 600 × 0.5 + 200 × 4) × 1.25
    expect(spent).toBe(1875)
    expect(row).toMatchObject({ quota: 1875, prompt_tokens: 1000 })
    expect(JSON.parse(row.other)).toMatchObject({ cache_tokens: 600, cache_ratio: 0.5 })
  })

  it('streams, hides the usage that the gateway requested, and charges it', async () => {
    upstream.on(
      'gpt-4o',
      respond({ text: 'one two three', usage: { promptTokens: 24, completionTokens: 3 } }),
    )
    let text = ''
    let usageSeen = false
    const { spent, row } = await metered(async () => {
      const stream = await client.chat.completions.create({
        model: 'gpt-4o',
        messages: [...messages],
        stream: true,
      })
      for await (const chunk of stream) {
        text += chunk.choices[0]?.delta.content ?? ''
        usageSeen ||= chunk.usage !== undefined && chunk.usage !== null
      }
    })
    expect(text).toBe('one two three')
    expect(usageSeen).toBe(false)
    expect(upstream.calls[0]?.json['stream_options']).toEqual({ include_usage: true })
    // (24 + 3 × 4) × 1.25
    expect(spent).toBe(45)
    expect(row).toMatchObject({ quota: 45, prompt_tokens: 24, completion_tokens: 3, is_stream: true })
  })

  it('passes usage on to a caller who asked for it', async () => {
    upstream.on('gpt-4o', respond({ usage: { promptTokens: 24, completionTokens: 3 } }))
    const stream = await client.chat.completions.create({
      model: 'gpt-4o',
      messages: [...messages],
      stream: true,
      stream_options: { include_usage: true },
    })
    const usages = []
    for await (const chunk of stream) if (chunk.usage) usages.push(chunk.usage)
    expect(usages).toHaveLength(1)
    expect(usages[0]).toMatchObject({ prompt_tokens: 24, completion_tokens: 3 })
  })

  it('completes text and embeds', async () => {
    upstream.on(
      'gpt-3.5-turbo-instruct',
      respond({ text: 'and so on', usage: { promptTokens: 8, completionTokens: 4 } }),
    )
    upstream.on('text-embedding-3-small', respond({ usage: { promptTokens: 50, completionTokens: 0 } }))
    const completion = await client.completions.create({ model: 'gpt-3.5-turbo-instruct', prompt: 'Once' })
    expect(completion.choices[0]?.text).toBe('and so on')
    const { spent } = await metered(async () => {
      const embedding = await client.embeddings.create({ model: 'text-embedding-3-small', input: 'hello' })
      expect(embedding.data[0]?.embedding.length).toBeGreaterThan(0)
    })
    // 50 × 0.01 = 0.5, half away from zero
    expect(spent).toBe(1)
  })

  it('lists the models of the key, and tells of one that does not exist', async () => {
    const ids = (await client.models.list()).data.map((model) => model.id)
    expect(ids).toEqual(['gpt-3.5-turbo-instruct', 'gpt-4o', 'text-embedding-3-small', 'whisper-1'])
    expect((await client.models.retrieve('gpt-4o')).id).toBe('gpt-4o')
    const missing = await client.models.retrieve('no-such-model').catch((error) => error)
    expect(missing).toBeInstanceOf(OpenAI.NotFoundError)
  })

  it('raises the error class that fits, with the request id', async () => {
    upstream.on('gpt-4o', refuse(429, { message: 'slow down', code: 'rate_limit_exceeded' }))
    const limited = await client.chat.completions
      .create({ model: 'gpt-4o', messages: [...messages] })
      .catch((error) => error)
    expect(limited).toBeInstanceOf(OpenAI.RateLimitError)
    expect(limited.message).toContain('request id: ')
    expect(limited.requestID).toBeString()
    const otherUser = new OpenAI({
      apiKey: `sk-${'x'.repeat(48)}`,
      baseURL: `${gateway.url}/v1`,
      maxRetries: 0,
    })
    const refused = await otherUser.chat.completions
      .create({ model: 'gpt-4o', messages: [...messages] })
      .catch((error) => error)
    expect(refused).toBeInstanceOf(OpenAI.AuthenticationError)
    const unknown = await client.chat.completions
      .create({ model: 'nobody-has-this', messages: [...messages] })
      .catch((error) => error)
    expect(unknown).toBeInstanceOf(OpenAI.NotFoundError)
  })

  it('forwards the body as received, unknown fields, big numbers and spacing included', async () => {
    const body = `{ "model":"gpt-4o", "seed": 12345678901234567890 ,"messages":[{"role":"user","content":"h\\u00e9 \\ud83d\\ude00"}],\n "x_future": {"a":[1.0,2e0]} }`
    await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body,
    })
    expect(upstream.calls[0]?.headers['content-type']).toBe('application/json')
    expect(upstream.calls[0]?.body).toBe(body)
    expect(upstream.calls[0]?.headers['authorization']).toBe('Bearer sk-upstream-secret-0001')
  })
})

/** Clients that know the paths of another server: their users can change the address and the key alone. */
describe('a client of another server', () => {
  const azure = (deployment?: string) =>
    new AzureOpenAI({
      apiKey: key,
      endpoint: gateway.url,
      apiVersion: '2025-04-01-preview',
      maxRetries: 0,
      ...(deployment !== undefined && { deployment }),
    })

  it('of Azure reaches the model that its deployment is, whatever the body says', async () => {
    upstream.on('gpt-4o', respond({ text: 'From Azure.', usage: { promptTokens: 100, completionTokens: 2 } }))
    for (const [sdk, model] of [
      [azure(), 'gpt-4o'],
      [azure('gpt-4o'), 'a model of the body'],
    ] as const) {
      const { spent, row } = await metered(async () => {
        const { choices } = await sdk.chat.completions.create({ model, messages: [...messages] })
        expect(choices[0]?.message.content).toBe('From Azure.')
      })
      // (100 + 2 × 4) × 1.25
      expect(spent).toBe(135)
      expect(row).toMatchObject({ model_name: 'gpt-4o', quota: 135 })
    }
    let text = ''
    const stream = await azure('gpt-4o').chat.completions.create({
      model: '',
      messages: [...messages],
      stream: true,
    })
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
    expect(text).toBe('From Azure.')
    expect(upstream.calls.map(({ json }) => json['model'])).toEqual(['gpt-4o', 'gpt-4o', 'gpt-4o'])
  })

  it('of Azure embeds, transcribes, asks Responses and lists models', async () => {
    const embedding = await azure().embeddings.create({ model: 'text-embedding-3-small', input: 'hello' })
    expect(embedding.data[0]?.embedding.length).toBeGreaterThan(0)
    const file = await toFile(new Uint8Array(64), 'a.wav', { type: 'audio/wav' })
    // The upstream reads the model of JSON bodies alone.
    upstream.on('', ({ response }) => void response.end('{"text":"spoken"}'))
    const spoken = await azure('whisper-1').audio.transcriptions.create({ model: 'another', file })
    expect(spoken.text).toBe('spoken')
    expect(upstream.calls.at(-1)?.body).toContain('whisper-1')
    expect(upstream.calls.at(-1)?.body).not.toContain('another')
    const content = [{ type: 'output_text', text: 'Answered.', annotations: [] }]
    const output = [{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content }]
    const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 }
    const answered = { id: 'resp_1', object: 'response', status: 'completed', model: 'gpt-4o', output, usage }
    upstream.on('gpt-4o', ({ response }) => void response.end(JSON.stringify(answered)))
    expect((await azure().responses.create({ model: 'gpt-4o', input: 'Hi' })).output_text).toBe('Answered.')
    expect((await azure().models.list()).data.map(({ id }) => id)).toContain('gpt-4o')
  })

  it('sends the body of a deployment as received, but for its model', async () => {
    const body =
      '{"messages":[{"role":"user","content":"Hi"}], "model" : "b", "model":"c",\n "x_future": 1.0}'
    for (const [sent, received] of [
      [body, '{"messages":[{"role":"user","content":"Hi"}], "model" : "gpt-4o",\n "x_future": 1.0}'],
      [
        '{"messages":[{"role":"user","content":"Hi"}]}',
        '{"messages":[{"role":"user","content":"Hi"}],"model":"gpt-4o"}',
      ],
    ] as const) {
      const response = await fetch(
        `${gateway.url}/openai/deployments/gpt-4o/chat/completions/?api-version=preview`,
        {
          method: 'POST',
          headers: { 'api-key': key },
          body: sent,
        },
      )
      expect(response.status).toBe(200)
      expect(upstream.calls.at(-1)?.body).toBe(received)
    }
    const odd = await fetch(`${gateway.url}/openai/deployments/gpt-4o/chat/completions`, {
      method: 'POST',
      headers: { 'api-key': key },
      body: '[1]',
    })
    expect(odd.status).toBe(400)
    expect(((await odd.json()) as { error: { message: string } }).error.message).toContain('JSON object')
  })

  it('of Azure’s newer address, of Gemini’s for OpenAI’s format, or without a version, is served', async () => {
    upstream.on('gpt-4o', respond({ text: 'Here.' }))
    for (const root of ['/openai/v1', '/v1beta/openai', '/v1beta/openai/', '', '/']) {
      const sdk = new OpenAI({ apiKey: key, baseURL: `${gateway.url}${root}`, maxRetries: 0 })
      const { choices } = await sdk.chat.completions.create({ model: 'gpt-4o', messages: [...messages] })
      expect(choices[0]?.message.content, root).toBe('Here.')
    }
  })

  it('of Claude’s addresses at other vendors gets responses, lists and errors in its format', async () => {
    upstream.on('gpt-4o', respond({ text: 'Here.' }))
    for (const root of ['/anthropic', '/anthropic/', '/anthropic/v1', '/v1/anthropic', '/v1', '/v1/']) {
      const sdk = new Anthropic({ apiKey: key, baseURL: `${gateway.url}${root}`, maxRetries: 0 })
      const call = { model: 'gpt-4o', max_tokens: 9, messages: [...messages] }
      expect((await sdk.messages.create(call)).content, root).toMatchObject([{ type: 'text', text: 'Here.' }])
      expect((await sdk.models.list()).data[0], root).toMatchObject({ type: 'model' })
      const refused = await sdk.messages.create({ ...call, model: 'no-such-model' }).catch((error) => error)
      expect(refused.error, root).toMatchObject({ type: 'error', error: { type: 'not_found_error' } })
    }
  })

  it('of Vertex AI reaches Gemini’s format', async () => {
    upstream.on('gpt-4o', respond({ text: 'Over Vertex.' }))
    const google = new GoogleGenAI({
      vertexai: true,
      apiKey: key,
      httpOptions: { baseUrl: gateway.url },
    })
    const generated = await google.models.generateContent({ model: 'gpt-4o', contents: 'Hi' })
    expect(generated.text).toBe('Over Vertex.')
  })
})
