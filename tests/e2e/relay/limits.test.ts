import { afterAll, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { ApiError, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { anthropicProtocol } from '../../support/protocols/anthropic.ts'
import { openAiProtocol } from '../../support/protocols/openai.ts'
import { defaultCounts } from '../../support/protocols/protocol.ts'
import {
  refuses,
  type ScriptedUpstream,
  says,
  stallsAfter,
  startScriptedUpstream,
} from '../../support/protocols/scripted-upstream.ts'
import { addChannelTo } from '../../support/protocols/upstream-channels.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(20_000))

let gateway: Tollgate
let operator: Operator
let upstream: ScriptedUpstream
let claude: ScriptedUpstream

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  await operator.option('ModelRatio', JSON.stringify({ m: 1, busy: 1, shared: 1, alone: 1, c: 1 }))
  upstream = await startScriptedUpstream(openAiProtocol)
  claude = await startScriptedUpstream(anthropicProtocol)
  await addChannelTo(operator, 'openai', upstream, { models: 'm,busy', name: 'plain' })
  await addChannelTo(operator, 'anthropic', claude, { models: 'c' })
})
afterAll(async () => {
  await gateway?.stop()
  await upstream?.stop()
  await claude?.stop()
})
beforeEach(() => upstream.forget())

const messages = [{ role: 'user' as const, content: 'Hi.' }]

function openAi(key: string): OpenAI {
  return new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
}

/** Returns the error that a vendor's SDK throws when its caller has to wait. */
async function failure<Thrown>(
  work: Promise<unknown>,
  kind: new (...args: never[]) => Thrown,
): Promise<Thrown> {
  const error = await work.then(
    () => new Error('was not refused'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof kind)) throw error
  return error
}

describe('requests per minute of a key', () => {
  it('reach an OpenAI SDK before and when they are used up', async () => {
    const { key } = await operator.addKey({ requests_per_minute: 2 })
    const client = openAi(key)
    const { response } = await client.chat.completions.create({ model: 'm', messages }).withResponse()
    expect(response.headers.get('x-ratelimit-limit-requests')).toBe('2')
    expect(response.headers.get('x-ratelimit-remaining-requests')).toBe('1')
    expect(response.headers.get('x-ratelimit-reset-requests')).toMatch(/^(\dm)?\d{1,2}s$/)
    const stream = await client.chat.completions.create({ model: 'm', messages, stream: true }).withResponse()
    expect(stream.response.headers.get('x-ratelimit-remaining-requests')).toBe('0')
    for await (const _ of stream.data);
    const refusal = await failure(
      client.chat.completions.create({ model: 'm', messages }),
      OpenAI.RateLimitError,
    )
    expect(refusal.type).toBe('rate_limit_error')
    expect(refusal.message).toContain('The limit of this key is reached: 2 requests per minute')
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refusal.headers.get('x-ratelimit-remaining-requests')).toBe('0')
    expect(upstream.calls).toHaveLength(2)
  })

  it('reach callers of Responses', async () => {
    const { key } = await operator.addKey({ requests_per_minute: 1 })
    const client = openAi(key)
    const { response } = await client.responses.create({ model: 'c', input: 'Hi.' }).withResponse()
    expect(response.headers.get('x-ratelimit-remaining-requests')).toBe('0')
    const refusal = await failure(
      client.responses.create({ model: 'c', input: 'Hi.' }),
      OpenAI.RateLimitError,
    )
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('reach Anthropic’s SDK in the words of its vendor', async () => {
    const { key } = await operator.addKey({ requests_per_minute: 1, tokens_per_minute: 100_000 })
    const client = new Anthropic({ apiKey: key, baseURL: gateway.url, maxRetries: 0 })
    const ask = { model: 'm', max_tokens: 100, messages }
    const { response } = await client.messages.create(ask).withResponse()
    expect(response.headers.get('anthropic-ratelimit-requests-limit')).toBe('1')
    expect(response.headers.get('anthropic-ratelimit-tokens-limit')).toBe('100000')
    expect(Date.parse(response.headers.get('anthropic-ratelimit-tokens-reset') ?? '')).toBeGreaterThan(
      Date.now(),
    )
    const refusal = await failure(client.messages.create(ask), Anthropic.RateLimitError)
    expect(refusal.error).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } })
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refusal.headers.get('anthropic-ratelimit-requests-remaining')).toBe('0')
  })

  it('reach Google’s SDK with the time to wait', async () => {
    const { key } = await operator.addKey({ requests_per_minute: 1 })
    const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: gateway.url } })
    await client.models.generateContent({ model: 'm', contents: 'Hi.' })
    const refusal = await failure(client.models.generateContent({ model: 'm', contents: 'Hi.' }), ApiError)
    expect(refusal.status).toBe(429)
    const { error } = JSON.parse(refusal.message)
    expect(error.status).toBe('RESOURCE_EXHAUSTED')
    expect(error.details).toContainEqual({
      '@type': 'type.googleapis.com/google.rpc.RetryInfo',
      retryDelay: expect.stringMatching(/^\d+s$/),
    })
  })

  it('are not prolonged by calling again', async () => {
    const { key } = await operator.addKey({ requests_per_minute: 1 })
    const client = openAi(key)
    const ask = () => client.chat.completions.create({ model: 'm', messages })
    await ask()
    const waits: number[] = []
    for (let index = 0; index < 20; index += 1)
      waits.push(Number((await failure(ask(), OpenAI.RateLimitError)).headers.get('retry-after')))
    expect(waits.at(-1)).toBeLessThanOrEqual(waits[0] ?? 0)
  })

  it('has no headers for a key without limits', async () => {
    const { key } = await operator.addKey()
    const { response } = await openAi(key).chat.completions.create({ model: 'm', messages }).withResponse()
    expect([...response.headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([])
  })
})

describe('tokens per minute', () => {
  it('count what a call may use while it runs, and what it used once it is over', async () => {
    const { key } = await operator.addKey({ tokens_per_minute: 1000 })
    const client = openAi(key)
    upstream.otherwise(says({ text: ['Hello.'], counts: { ...defaultCounts, input: 90, output: 10 } }))
    const remaining = async () => {
      const { response } = await client.chat.completions
        .create({ model: 'm', messages, max_tokens: 500 })
        .withResponse()
      return Number(response.headers.get('x-ratelimit-remaining-tokens'))
    }
    const first = await remaining()
    expect(first).toBeLessThanOrEqual(500)
    expect(await remaining()).toBeGreaterThan(first - 200)
    upstream.otherwise(says({ text: ['Hello.'], counts: { ...defaultCounts, input: 1000, output: 10 } }))
    await remaining()
    const refusal = await failure(
      client.chat.completions.create({ model: 'm', messages, max_tokens: 500 }),
      OpenAI.RateLimitError,
    )
    expect(refusal.message).toContain('1000 tokens per minute')
  })
})

describe('calls at once', () => {
  it('come back however a call ends', async () => {
    const { key } = await operator.addKey({ concurrency: 1 })
    const client = openAi(key)
    const ask = () => client.chat.completions.create({ model: 'm', messages })
    const stream = async (signal?: AbortSignal) =>
      client.chat.completions.create({ model: 'm', messages, stream: true }, signal && { signal })
    // A caller that hangs up.
    upstream.otherwise(stallsAfter(1, { text: ['One', 'two'] }))
    const gone = new AbortController()
    const running = await stream(gone.signal)
    await running[Symbol.asyncIterator]().next()
    const refusal = await failure(ask(), OpenAI.RateLimitError)
    expect(refusal.message).toContain('1 calls at the same time')
    gone.abort()
    upstream.otherwise(says({ text: ['Hello.'] }))
    await until(() => ask().catch(() => undefined))
    // An upstream that fails, a body that is refused, and a stream to its end.
    upstream.otherwise(refuses(400))
    await failure(ask(), OpenAI.BadRequestError)
    await failure(client.chat.completions.create({ model: 'none', messages }), OpenAI.NotFoundError)
    upstream.otherwise(says({ text: ['Hello.'] }))
    for await (const _ of await stream());
    await ask()
  })
})

describe('limits of users, groups and models', () => {
  it('count all keys of a user together', async () => {
    const user = await addUser(gateway, 'limited', 10_000_000)
    const id = user.userId
    await operator.api('PUT', '/api/user/', { id, requests_per_minute: 2 })
    expect(await operator.api('GET', `/api/user/${id}`)).toMatchObject({ requests_per_minute: 2 })
    const keys = [await user.addKey(), await user.addKey()]
    for (const { key } of keys) await openAi(key).chat.completions.create({ model: 'm', messages })
    const refusal = await failure(
      openAi(keys[0]?.key ?? '').chat.completions.create({ model: 'm', messages }),
      OpenAI.RateLimitError,
    )
    expect(refusal.message).toContain('this user')
  })

  it('count all callers of a model, and of a group', async () => {
    const keys = [await operator.addKey(), await operator.addKey()]
    const ask = (index: number, model: string) =>
      openAi(keys[index]?.key ?? '').chat.completions.create({ model, messages })
    await operator.option('ModelRateLimits', '{"busy": {"requests_per_minute": 1}}')
    await ask(0, 'busy')
    expect((await failure(ask(1, 'busy'), OpenAI.RateLimitError)).message).toContain('the model busy')
    await ask(1, 'm')
    await operator.option('GroupRateLimits', '{"default": {"requests_per_minute": 1}}')
    await ask(0, 'm')
    expect((await failure(ask(1, 'm'), OpenAI.RateLimitError)).message).toContain('the group default')
    await operator.option('GroupRateLimits', '{}')
    await operator.option('ModelRateLimits', '{}')
  })

  it('are refused where they cannot be meant', async () => {
    for (const value of ['{"m": {"rpm": 1}}', '{"m": {"concurrency": -1}}', '{"m": 5}', '[]'])
      expect((await operator.call('PUT', '/api/option/', { key: 'ModelRateLimits', value })).success).toBe(
        false,
      )
    const token = { name: 'x', unlimited_quota: true, tokens_per_minute: -1 }
    expect((await operator.call('POST', '/api/token/', token)).success).toBe(false)
  })
})

describe('limits of channels', () => {
  it('send calls on to other channels, and say when the first is free again', async () => {
    const others = [await startScriptedUpstream(openAiProtocol), await startScriptedUpstream(openAiProtocol)]
    const setting = JSON.stringify({ requests_per_minute: 2 })
    for (const [index, other] of others.entries())
      await addChannelTo(operator, 'openai', other, {
        name: `limited ${index}`,
        models: 'shared',
        setting,
        priority: 10 - index,
      })
    const client = openAi((await operator.addKey()).key)
    const ask = () => client.chat.completions.create({ model: 'shared', messages })
    for (let index = 0; index < 4; index += 1) await ask()
    expect(others.map(({ calls }) => calls.length)).toEqual([2, 2])
    const refusal = await failure(ask(), OpenAI.RateLimitError)
    expect(refusal.message).toContain('Every channel that can serve shared has reached its limit')
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0)
    for (const other of others) await other.stop()
  })

  it('give a place back when its call is over', async () => {
    const alone = await startScriptedUpstream(openAiProtocol)
    await addChannelTo(operator, 'openai', alone, { models: 'alone', setting: '{"concurrency": 1}' })
    const client = openAi((await operator.addKey()).key)
    const ask = () => client.chat.completions.create({ model: 'alone', messages })
    alone.otherwise(stallsAfter(1, { text: ['One', 'two'] }))
    const gone = new AbortController()
    const stream = await client.chat.completions.create(
      { model: 'alone', messages, stream: true },
      { signal: gone.signal },
    )
    await stream[Symbol.asyncIterator]().next()
    await failure(ask(), OpenAI.RateLimitError)
    gone.abort()
    alone.otherwise(says({ text: ['Hello.'] }))
    await until(() => ask().catch(() => undefined))
    await ask()
    await alone.stop()
  })
})

describe('the limit of model requests', () => {
  it('refuses in the language of its caller', async () => {
    const user = await addUser(gateway, 'counted', 10_000_000)
    const client = openAi((await user.addKey()).key)
    const ask = () => client.chat.completions.create({ model: 'm', messages })
    await operator.option('ModelRequestRateLimitGroup', '{"default": [3, 2]}')
    await operator.option('ModelRequestRateLimitEnabled', 'true')
    upstream.otherwise(refuses(400))
    await failure(ask(), OpenAI.BadRequestError)
    upstream.otherwise(says({ text: ['Hello.'] }))
    await ask()
    await ask()
    const refusal = await failure(ask(), OpenAI.RateLimitError)
    expect(refusal.message).toContain('at most 2 successful ones in 1 minute.')
    expect(refusal.message).not.toMatch(/\p{Script=Han}/u)
    const inChinese = { headers: { 'accept-language': 'zh-CN' } }
    const reported = await failure(
      client.chat.completions.create({ model: 'm', messages }, inChinese),
      OpenAI.RateLimitError,
    )
    expect(reported.message).toContain('您已达到请求数限制：1分钟内最多请求2次')
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0)
    await operator.option('ModelRequestRateLimitEnabled', 'false')
  })

  it('admits no more calls at once than may succeed', async () => {
    const user = await addUser(gateway, 'hasty', 10_000_000)
    const client = openAi((await user.addKey()).key)
    const askAtOnce = async (count: number) => {
      const ask = () => client.chat.completions.create({ model: 'm', messages })
      const ended = await Promise.allSettled(Array.from({ length: count }, ask))
      return ended.filter(({ status }) => status === 'fulfilled').length
    }
    await operator.option('ModelRequestRateLimitGroup', '{"default": [0, 3]}')
    await operator.option('ModelRequestRateLimitEnabled', 'true')
    upstream.otherwise(refuses(400))
    expect(await askAtOnce(20)).toBe(0)
    upstream.otherwise(says({ text: ['Hello.'] }, { delayMs: 100 }))
    expect(await askAtOnce(20)).toBe(3)
    await operator.option('ModelRequestRateLimitEnabled', 'false')
  })
})
