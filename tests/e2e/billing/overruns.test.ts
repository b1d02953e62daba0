import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline, slowness } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { type LogRow, type Operator, operate } from '../../support/operator.ts'
import { says } from '../../support/protocols/scripted-upstream.ts'
import {
  priceModels,
  startDialectUpstreams,
  upstreamNames,
} from '../../support/protocols/upstream-channels.ts'
import { problemsOf, problemsOfStream, responseSchemas } from '../../support/schemas/index.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { refuse, respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

const models = ['thinks', 'ignores', 'shared', 'honest', 'turns', 'retried', 'loops'] as const
/** Tokens that an upstream is believed beyond the limit of its caller. */
const believed = 32_768

let upstream: Upstream
let gateway: Tollgate
let operator: Operator

beforeAll(async () => {
  upstream = await startUpstream()
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  const ratios = JSON.stringify(Object.fromEntries(models.map((model) => [model, 1])))
  await operator.option('ModelRatio', ratios)
  await operator.option('CompletionRatio', ratios)
  await operator.option('RetryTimes', '1')
  await operator.addChannel({ name: 'first', base_url: upstream.url, models: models.join(), priority: 10 })
})
afterAll(async () => {
  await gateway?.stop()
  await upstream?.stop()
})

interface Call {
  readonly key: string
  readonly model: (typeof models)[number]
  readonly limit: number
  readonly path?: string
  readonly stream?: boolean
}

async function call({ key, model, limit, path = '/v1/chat/completions', stream = false }: Call) {
  const input =
    path === '/v1/completions' ? { prompt: 'hi' } : { messages: [{ role: 'user', content: 'hi' }] }
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, stream, max_tokens: limit, ...input }),
  })
  return { status: response.status, text: await response.text() }
}

const keyWorth = (quota: number) => operator.addKey({ unlimited_quota: false, remain_quota: quota })
const servedOf = (model: string) => upstream.calls.filter((each) => each.model === model).length
const rowsOf = async (model: string) =>
  (await operator.api<{ items: LogRow[] }>('GET', `/api/log/?p=1&page_size=100&type=2&model_name=${model}`))
    .items
const remainOf = async (id: number) =>
  (await operator.api<{ remain_quota: number }>('GET', `/api/token/${id}`)).remain_quota

describe('an upstream that uses more than its callers allow', () => {
  it('serves no more than the balance covers and one call more, of a thousand at once', async () => {
    upstream.on(
      'thinks',
      respond({
        delayMs: 50,
        usage: { promptTokens: 10, completionTokens: 20_001, reasoningTokens: 20_000 },
      }),
    )
    const { id, key } = await keyWorth(100_000)
    const replies = await Promise.all(
      Array.from({ length: 1000 }, () => call({ key, model: 'thinks', limit: 1 })),
    )
    const cost = 20_011
    expect(servedOf('thinks')).toBeGreaterThan(0)
    expect((servedOf('thinks') - 1) * cost).toBeLessThanOrEqual(100_000)
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(servedOf('thinks'))
    for (const { status, text } of replies.filter((reply) => reply.status !== 200)) {
      expect(status).toBe(403)
      expect(JSON.parse(text).error.type).toBe('insufficient_quota')
    }
    const charged = (await rowsOf('thinks')).reduce((sum, { quota }) => sum + quota, 0)
    expect(charged).toBe(100_000 - (await remainOf(id)))
    expect(await remainOf(id)).toBeGreaterThanOrEqual(0)
  })

  it('is known from then on: no other small balance serves a call of it', async () => {
    const served = servedOf('thinks')
    const { key } = await keyWorth(15_000)
    const { status, text } = await call({ key, model: 'thinks', limit: 1 })
    expect(status).toBe(403)
    // 20,000 tokens beyond the limit of 1, and the estimate of the prompt.
    expect(text).toMatch(/this call may cost \$0\.040/)
    expect(servedOf('thinks')).toBe(served)
    const { key: larger } = await keyWorth(25_000)
    expect((await call({ key: larger, model: 'thinks', limit: 1 })).status).toBe(200)
  })

  it('serves one of 64 calls at once from a balance for one when it ignores their limit', async () => {
    const text = 'word '.repeat(1000)
    upstream.on(
      'ignores',
      respond({ text, delayMs: 50, usage: { promptTokens: 10, completionTokens: 1000 } }),
    )
    const { key } = await keyWorth(1010)
    const replies = await Promise.all(
      Array.from({ length: 64 }, () => call({ key, model: 'ignores', limit: 10 })),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(servedOf('ignores')).toBe(1)
  })

  it('serves one of 64 calls of the two keys of a user whose balance is for one', async () => {
    upstream.on(
      'shared',
      respond({
        delayMs: 50,
        usage: { promptTokens: 10, completionTokens: 20_001, reasoningTokens: 20_000 },
      }),
    )
    const user = await addUser(gateway, 'thin', 20_100)
    const keys = [(await user.addKey()).key, (await user.addKey()).key]
    const replies = await Promise.all(
      Array.from({ length: 64 }, (_, index) =>
        call({ key: keys[index % 2] ?? '', model: 'shared', limit: 1 }),
      ),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(servedOf('shared')).toBe(1)
    expect(await user.quota()).toBeGreaterThanOrEqual(0)
  })

  it('serves what is in flight when one that was trusted turns, and nothing more', async () => {
    const usage = { promptTokens: 10, completionTokens: 1 }
    upstream.on('turns', respond({ usage }))
    const { key } = await keyWorth(100_000)
    expect((await call({ key, model: 'turns', limit: 1 })).status).toBe(200)
    upstream.on(
      'turns',
      respond({ delayMs: 50, usage: { ...usage, completionTokens: 20_001, reasoningTokens: 20_000 } }),
    )
    const inFlight = 20
    const ask = () => call({ key, model: 'turns', limit: 1 })
    await Promise.all(Array.from({ length: inFlight }, ask))
    const before = servedOf('turns')
    expect(before).toBeLessThanOrEqual(1 + inFlight)
    const replies = await Promise.all(Array.from({ length: 20 }, ask))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(0)
    expect(servedOf('turns')).toBe(before)
  })

  it('is not tried after another has failed, when the balance does not cover what it uses', async () => {
    const { id } = await operator.addChannel({ name: 'second', base_url: upstream.url, models: 'retried' })
    const expensive = respond({ usage: { promptTokens: 10, completionTokens: 9001, reasoningTokens: 9000 } })
    upstream.on('retried', expensive)
    const { key: pinned } = await operator.addKey()
    expect((await call({ key: `${pinned}-${id}`, model: 'retried', limit: 1 })).status).toBe(200)
    upstream.on('retried', refuse(500))
    const { key } = await keyWorth(5000)
    const before = servedOf('retried')
    expect((await call({ key, model: 'retried', limit: 1 })).status).not.toBe(200)
    expect(servedOf('retried') - before).toBe(1)
  })
})

describe('an upstream that keeps to the limits of its callers', () => {
  it('serves all ten of 64 calls at once that a thin balance covers', async () => {
    upstream.on('honest', respond({ delayMs: 20, usage: { promptTokens: 10, completionTokens: 10 } }))
    const { id, key } = await keyWorth(10 * 20)
    const replies = await Promise.all(
      Array.from({ length: 64 }, () => call({ key, model: 'honest', limit: 10 })),
    )
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(9)
    expect(servedOf('honest')).toBeLessThanOrEqual(10)
    expect(await remainOf(id)).toBe((10 - servedOf('honest')) * 20)
  })

  it('serves a thin balance in parallel once it is known', async () => {
    upstream.on('honest', respond({ delayMs: 300, usage: { promptTokens: 10, completionTokens: 10 } }))
    const { key } = await keyWorth(20 * 20)
    const startedAt = performance.now()
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => call({ key, model: 'honest', limit: 10 })),
    )
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect(performance.now() - startedAt).toBeLessThan(5 * 300 * slowness())
  })
})

/** Dialects with their requests, the upstreams that speak them, and the ends of their responses at a limit. */
const dialects = {
  chat: {
    schema: responseSchemas['openai-chat'],
    own: ['openai'],
    path: () => '/v1/chat/completions',
    body: (limit: number) => ({ messages: [{ role: 'user', content: 'hi' }], max_tokens: limit }),
    streamEnds: /"finish_reason":"length"[^\n]*\n\n(data: [^\n]*\n\n)?data: \[DONE\]\n\n$/,
    buffered: ({ choices }: Json) => [choices[0].finish_reason, choices[0].message.content],
    deltas: ({ choices }: Json) => choices?.[0]?.delta?.content,
    reason: 'length',
  },
  responses: {
    schema: responseSchemas['openai-responses'],
    own: ['responses'],
    path: () => '/v1/responses',
    body: (limit: number) => ({ input: 'hi', max_output_tokens: limit }),
    streamEnds: /event: response\.incomplete\ndata: [^\n]*"reason":"max_output_tokens"[^\n]*\n\n$/,
    buffered: ({ incomplete_details: why, output }: Json) => [why?.reason, output.at(-1).content[0].text],
    deltas: ({ type, delta }: Json) => (type === 'response.output_text.delta' ? delta : undefined),
    reason: 'max_output_tokens',
  },
  messages: {
    schema: responseSchemas['anthropic-messages'],
    own: ['anthropic', 'bedrock'],
    path: () => '/v1/messages',
    body: (limit: number) => ({ messages: [{ role: 'user', content: 'hi' }], max_tokens: limit }),
    streamEnds:
      /event: content_block_stop\n[^\n]*\n\nevent: message_delta\n[^\n]*"stop_reason":"max_tokens"[^\n]*\n\nevent: message_stop\n[^\n]*\n\n$/,
    buffered: ({ stop_reason: why, content }: Json) => [why, content.at(-1).text],
    deltas: ({ delta }: Json) => delta?.text,
    reason: 'max_tokens',
  },
  gemini: {
    schema: responseSchemas.gemini,
    own: ['gemini'],
    path: (model: string, stream: boolean) =>
      `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: (limit: number) => ({
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      generationConfig: { maxOutputTokens: limit },
    }),
    streamEnds: /"finishReason":"MAX_TOKENS"[^\n]*\s+$/,
    buffered: ({ candidates: [first] }: Json) => [first.finishReason, first.content.parts.at(-1).text],
    deltas: ({ candidates }: Json) => candidates?.[0]?.content?.parts?.[0]?.text,
    reason: 'MAX_TOKENS',
  },
} as const

// biome-ignore lint/suspicious/noExplicitAny: bodies of four dialects, whose members the test asserts.
type Json = any
type DialectName = keyof typeof dialects

/** Decides whether a response is translated: one that passes as received lacks what the scripted upstreams leave out. */
function isTranslated(dialect: DialectName, name: string): boolean {
  return !dialects[dialect].own.some((each) => each === name)
}

const limit = 100

describe('output far beyond the limit of its caller', () => {
  let kinds: Awaited<ReturnType<typeof startDialectUpstreams>>
  let key: string

  beforeAll(async () => {
    kinds = await startDialectUpstreams(operator)
    await priceModels(operator, { model: 1, completion: 1 }, models)
    const counts = { input: 10, cacheRead: 0, cacheWrite: 0, output: 60_000, reasoning: 0 }
    const text = Array.from({ length: 600 }, () => 'word '.repeat(100))
    for (const { upstream: each } of Object.values(kinds)) each.otherwise(says({ text, counts }))
    key = (await operator.addKey()).key
  })
  afterAll(async () => {
    for (const { upstream: each } of Object.values(kinds ?? {})) await each.stop()
  })

  async function ask(dialect: DialectName, model: string, stream: boolean) {
    const { path, body } = dialects[dialect]
    const response = await fetch(gateway.url + path(model, stream), {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ ...body(limit), ...(dialect !== 'gemini' && { model, stream }) }),
    })
    expect(response.status).toBe(200)
    return await response.text()
  }

  async function expectBounded(model: string) {
    const [row] = await rowsOf(model)
    expect(row?.completion_tokens).toBeGreaterThan(25_000)
    expect(row?.completion_tokens).toBeLessThanOrEqual(limit + believed)
    expect(row?.prompt_tokens).toBeLessThan(30)
    expect(row?.other).toContain('"ended":"output_limit"')
  }

  const pairs = (Object.keys(dialects) as DialectName[]).flatMap((dialect) =>
    upstreamNames.map((name) => [dialect, name] as const),
  )

  it.each(pairs)('ends a stream of %s from %s as a limit does', async (dialect, name) => {
    const { model } = kinds[name]
    const { schema, streamEnds, deltas, buffered } = dialects[dialect]
    const stream = await ask(dialect, model, true)
    // The last event of Responses repeats the whole text.
    expect(stream.replaceAll('word ', '')).toMatch(streamEnds)
    if (isTranslated(dialect, name)) expect(problemsOfStream(schema, stream).slice(0, 2000)).toBe('')
    const events = stream
      .split('\n')
      .filter((line) => line.startsWith('data: {'))
      .map((line) => JSON.parse(line.slice(6)))
    const text = events.map((event) => deltas(event) ?? '').join('')
    expect(text.length / 5).toBeLessThan(limit + believed + 2000)
    if (dialect === 'responses') expect(buffered(events.at(-1).response)[1]).toBe(text)
    await expectBounded(model)
  })

  it.each(pairs)('ends a buffered response of %s from %s as a limit does', async (dialect, name) => {
    const { model } = kinds[name]
    const { schema, buffered, reason } = dialects[dialect]
    const body = JSON.parse(await ask(dialect, model, false))
    if (isTranslated(dialect, name)) expect(problemsOf(schema.buffered, body).slice(0, 2000)).toBe('')
    const [why, text] = buffered(body)
    expect(why).toBe(reason)
    expect(text.length / 5).toBeLessThan(limit + believed + 200)
    await expectBounded(model)
  })

  it('ends a body of megabytes, which passes as it comes where no limit was set', async () => {
    upstream.on('loops', respond({ text: 'word '.repeat(400_000) }))
    const { text } = await call({ key, model: 'loops', limit })
    const [choice] = JSON.parse(text).choices
    expect(choice.finish_reason).toBe('length')
    expect(choice.message.content.length / 5).toBeLessThan(limit + believed + 200)
    await expectBounded('loops')
  })

  it('ends a stream of text completions, too', async () => {
    upstream.on('loops', respond({ text: 'word '.repeat(60_000), events: 60_000 }))
    const { text } = await call({ key, model: 'loops', limit, path: '/v1/completions', stream: true })
    expect(text.slice(-1000)).toMatch(
      /"text":"","logprobs":null,"finish_reason":"length"[^\n]*\n\n(data: [^\n]*\n\n)?data: \[DONE\]\n\n$/,
    )
    await expectBounded('loops')
  })

  it('counts as a fault of the channel', async () => {
    const faults = await until(async () => {
      const { attempts } = await operator.api<{
        attempts: { today: { faults: Record<string, number> } }
      }>('GET', '/api/data/summary')
      const count = attempts.today.faults.upstream ?? 0
      return count >= 2 * pairs.length ? count : undefined
    })
    expect(faults).toBeGreaterThanOrEqual(2 * pairs.length)
  })
})
