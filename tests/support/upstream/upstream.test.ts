import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'bun:test'
import OpenAI from 'openai'
import {
  cutAfter,
  emptyStream,
  endAfter,
  errorEventAfter,
  hang,
  inTurn,
  malformedJson,
  refuse,
  reset,
  respond,
  sendRaw,
  stallAfter,
} from './behaviours.ts'
import { startUpstream, type Upstream } from './upstream.ts'

let upstream: Upstream
let client: OpenAI

beforeAll(async () => {
  upstream = await startUpstream()
  client = new OpenAI({ apiKey: 'sk-upstream', baseURL: `${upstream.url}/v1`, maxRetries: 0 })
})
beforeEach(() => upstream.forget())
afterAll(() => upstream.stop())

const messages = [{ role: 'user' as const, content: 'Hello' }]
const post = (body: object, signal?: AbortSignal) =>
  fetch(`${upstream.url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(body),
    signal: signal ?? null,
  })

/** Text received before the stream ended, and whether it ended in good order. */
async function received(response: Response): Promise<{ text: string; broke: boolean }> {
  let text = ''
  const decoder = new TextDecoder()
  try {
    for await (const piece of response.body ?? []) text += decoder.decode(piece, { stream: true })
    return { text, broke: false }
  } catch {
    return { text, broke: true }
  }
}

const eventsIn = (text: string) => text.split('\n\n').filter((line) => line.startsWith('data: {')).length

describe('the upstream', () => {
  it('responds to the official SDK without streaming, with usage', async () => {
    upstream.on(
      'm',
      respond({ text: 'four', usage: { promptTokens: 7, completionTokens: 3, cachedTokens: 2 } }),
    )
    const reply = await client.chat.completions.create({ model: 'm', messages })
    expect(reply.choices[0]?.message.content).toBe('four')
    expect(reply.usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 })
    expect(upstream.calls[0]).toMatchObject({ model: 'm', isStream: false, path: '/v1/chat/completions' })
    expect(upstream.calls[0]?.headers.authorization).toBe('Bearer sk-upstream')
  })

  it('streams to the official SDK, with usage only when asked', async () => {
    upstream.on('m', respond({ text: 'one two three' }))
    const pieces: string[] = []
    let usage: unknown
    const options = { stream: true, stream_options: { include_usage: true } } as const
    for await (const chunk of await client.chat.completions.create({ model: 'm', messages, ...options })) {
      pieces.push(chunk.choices[0]?.delta.content ?? '')
      usage ??= chunk.usage
    }
    expect(pieces.join('')).toBe('one two three')
    expect(usage).toMatchObject({ total_tokens: 15 })
    const silent = await received(await post({ model: 'm', messages, stream: true }))
    expect(silent.text).not.toContain('usage')
    expect(silent.text).toEndWith('data: [DONE]\n\n')
  })

  it('serves completions, embeddings and the list of models', async () => {
    upstream.on('m', respond({ text: 'done' }))
    const completion = await client.completions.create({ model: 'm', prompt: 'say' })
    expect(completion.choices[0]?.text).toBe('done')
    const embedding = await client.embeddings.create({ model: 'm', input: ['a', 'b'] })
    expect(embedding.data.map(({ embedding: vector }) => [...vector])).toEqual([
      [0.25, -0.5, 0],
      [0.25, -0.5, 1],
    ])
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['m'])
  })

  it('refuses with status, headers and error body', async () => {
    upstream.on(
      'm',
      refuse(429, { message: 'slow down', code: 'rate_limit', headers: { 'retry-after': '2' } }),
    )
    const response = await post({ model: 'm' })
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('2')
    expect(await response.json()).toEqual({
      error: { message: 'slow down', type: 'api_error', param: null, code: 'rate_limit' },
    })
  })

  it('takes behaviours in turn and repeats the last', async () => {
    upstream.on('m', inTurn(refuse(500), respond()))
    const statuses = []
    for (let call = 0; call < 3; call += 1) statuses.push((await post({ model: 'm' })).status)
    expect(statuses).toEqual([500, 200, 200])
  })

  it('resets the connection before any response', async () => {
    upstream.on('m', reset())
    await expect(post({ model: 'm' })).rejects.toThrow()
    expect((await upstream.call(({ abortedAt }) => abortedAt !== undefined)).model).toBe('m')
  })

  it('cuts a stream after exactly the given number of events', async () => {
    upstream.on('m', cutAfter(3, { events: 10 }))
    for (let call = 0; call < 20; call += 1) {
      const { text, broke } = await received(await post({ model: 'm', stream: true }))
      expect([eventsIn(text), broke]).toEqual([3, true])
    }
  })

  it('ends streams without events, without finish, and with an error event', async () => {
    upstream.on('empty', emptyStream())
    upstream.on('unfinished', endAfter(2, { events: 5 }))
    upstream.on('broken', errorEventAfter(1, { message: 'out of luck' }))
    expect(await received(await post({ model: 'empty', stream: true }))).toEqual({ text: '', broke: false })
    const unfinished = await received(await post({ model: 'unfinished', stream: true }))
    expect([eventsIn(unfinished.text), unfinished.broke]).toEqual([2, false])
    expect(unfinished.text).not.toContain('[DONE]')
    expect((await received(await post({ model: 'broken', stream: true }))).text).toContain('out of luck')
  })

  it('sends invalid JSON, and what no upstream should send', async () => {
    upstream.on('m', malformedJson())
    upstream.on('proxy', sendRaw(502, '<html>Bad gateway</html>'))
    await expect((await post({ model: 'm' })).json()).rejects.toThrow()
    expect(await (await post({ model: 'proxy' })).text()).toBe('<html>Bad gateway</html>')
  })

  it('notices at once when the caller hangs up, in a stream, a stall and a silence', async () => {
    upstream.on('stream', respond({ events: 1000, eventDelayMs: 5 }))
    upstream.on('stall', stallAfter(1))
    upstream.on('silence', hang())
    for (const model of ['stream', 'stall', 'silence']) {
      const abort = new AbortController()
      const reply = post({ model, stream: true }, abort.signal).then(received, () => undefined)
      await upstream.call((call) => call.model === model)
      await Bun.sleep(20)
      const at = performance.now()
      abort.abort()
      const call = await upstream.call((seen) => seen.model === model && seen.abortedAt !== undefined)
      expect((call.abortedAt ?? 0) - at).toBeLessThan(1000)
      await reply
    }
    expect(upstream.open()).toEqual([])
  })
})
