import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'bun:test'
import { slowness } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import {
  type Behaviour,
  cutAfter,
  emptyStream,
  errorEventAfter,
  malformedJson,
  refuse,
  reset,
  respond,
  sendRaw,
} from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

let gateway: Tollgate
let first: Upstream
let second: Upstream
let operator: Operator
let key: string

/** Served by both upstreams, the first one before the second. */
const shared = 'gpt-4o'
/** Served by the first alone. */
const lonely = 'gpt-4o-mini'

beforeAll(async () => {
  first = await startUpstream()
  second = await startUpstream()
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  await operator.option('RetryTimes', '2')
  await operator.addChannel({
    name: 'first',
    base_url: first.url,
    models: `${shared},${lonely}`,
    priority: 10,
  })
  await operator.addChannel({ name: 'second', base_url: second.url, models: shared })
  key = (await operator.addKey()).key
})
afterAll(async () => {
  await gateway?.stop()
  await first?.stop()
  await second?.stop()
})

/** Channels remember failures: every test starts with healthy ones. */
beforeEach(async () => {
  first.forget()
  second.forget()
  const channels = await operator.api<{ id: number }[]>('GET', '/api/channel/?p=0&page_size=10')
  for (const { id } of channels) {
    await operator.api('PUT', '/api/channel/', { id, status: 2 })
    await operator.api('PUT', '/api/channel/', { id, status: 1 })
  }
})

function ask(model: string, stream: boolean, signal?: AbortSignal): Promise<Response> {
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'Tell me.' }] }),
    ...(signal === undefined ? {} : { signal }),
  })
}

/** The response and cost of a call once everything is settled. */
async function outcome(model: string, stream: boolean) {
  const before = await operator.quota()
  const response = await ask(model, stream)
  const text = await response.text()
  return { status: response.status, text, spent: before - (await operator.quota()) }
}

const beforeTheFirstToken: readonly (readonly [string, Behaviour, boolean])[] = [
  ['a reset connection', reset(), false],
  ['a reset connection, streaming', reset(), true],
  ['status 429', refuse(429), false],
  ['status 500', refuse(500), true],
  ['status 503 with a page of HTML', sendRaw(503, '<html>busy</html>'), false],
  ['an empty stream with status 200', emptyStream(), true],
  ['a stream whose first event is an error', errorEventAfter(0), true],
  ['malformed JSON with status 200', malformedJson(), false],
  ['malformed JSON as the first event', malformedJson(), true],
  [
    'an error body with status 200',
    sendRaw(200, '{"error":{"message":"no","type":"server_error"}}', 'application/json'),
    false,
  ],
]

describe('an upstream that fails before the first token', () => {
  for (const [what, behaviour, stream] of beforeTheFirstToken) {
    it(`is replaced without the caller noticing: ${what}`, async () => {
      first.on(shared, behaviour)
      second.on(shared, respond({ text: 'rescued', usage: { promptTokens: 24, completionTokens: 3 } }))
      const { status, text, spent } = await outcome(shared, stream)
      expect(status).toBe(200)
      expect(text).toContain('rescued')
      expect(text).not.toContain('"error"')
      expect(spent).toBe(45)
      expect(first.calls).toHaveLength(1)
      expect(second.calls).toHaveLength(1)
    })

    it(`costs nothing when nothing can replace it: ${what}`, async () => {
      first.on(lonely, behaviour)
      const { status, text, spent } = await outcome(lonely, stream)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(JSON.parse(text)).toMatchObject({ error: { message: expect.stringContaining('request id: ') } })
      expect(text).not.toContain(new URL(first.url).port)
      expect(text).not.toContain('sk-upstream')
      expect(spent).toBe(0)
      expect(first.calls).toHaveLength(1)
    })
  }

  it.each([
    ['a channel that was disabled', { status: 2 }, 0],
    ['a channel without the model', { models: lonely }, 0],
    ['a former key', { key: 'sk-upstream-renewed' }, 1],
  ])('is not replaced by %s while the call was under way', async (_, change, calls) => {
    const channels = await operator.api<{ id: number; name: string }[]>(
      'GET',
      '/api/channel/?p=0&page_size=10',
    )
    const id = channels.find(({ name }) => name === 'second')?.id
    first.on(shared, async (exchange) => {
      await operator.api('PUT', '/api/channel/', { id, ...change })
      await refuse(500)(exchange)
    })
    second.on(shared, respond({ text: 'rescued' }))
    const response = await ask(shared, false)
    await response.text()
    await operator.api('PUT', '/api/channel/', { id, models: shared })
    expect(response.ok).toBe(calls > 0)
    expect(second.calls.map(({ headers }) => headers.authorization)).toEqual(
      Array.from({ length: calls }, () => 'Bearer sk-upstream-renewed'),
    )
  })

  it('is not replaced when the request itself is refused', async () => {
    first.on(shared, refuse(400, { message: 'messages.0 is odd', type: 'invalid_request_error' }))
    const { status, text, spent } = await outcome(shared, false)
    expect(status).toBe(400)
    expect(text).toContain('messages.0 is odd')
    expect(spent).toBe(0)
    expect(second.calls).toHaveLength(0)
  })

  it('never shows the caller a 401 that was meant for the channel', async () => {
    first.on(
      lonely,
      refuse(401, { message: 'Incorrect API key provided: sk-upst***0001', code: 'invalid_api_key' }),
    )
    const { status, text } = await outcome(lonely, false)
    expect(status).toBe(502)
    expect(text).not.toContain('sk-upst')
  })
})

describe('an upstream that fails after the first token', () => {
  for (const [what, behaviour] of [
    ['a stream cut in the middle', cutAfter(3, { text: 'one two three four five' })],
    ['an error event in the middle', errorEventAfter(3, {}, { text: 'one two three four five' })],
  ] as const) {
    it(`ends in an error event, is not retried, and what was delivered is charged: ${what}`, async () => {
      first.on(shared, behaviour)
      const rows = await operator.consumed()
      const { status, text, spent } = await outcome(shared, true)
      expect(status).toBe(200)
      expect(text).toContain('three')
      expect(text).toContain('"error"')
      expect(text).not.toContain('[DONE]')
      expect(spent).toBeGreaterThan(0)
      expect(second.calls).toHaveLength(0)
      const row = await operator.consumption(rows + 1)
      expect(JSON.parse(row.other)).toMatchObject({ estimated: true })
    })
  }
})

describe('an upstream that sends no usage', () => {
  for (const stream of [true, false]) {
    it(`is counted by the gateway, ${stream ? 'streaming' : 'whole'}`, async () => {
      first.on(shared, respond({ text: 'hello hello hello hello', usage: 'none' }))
      const rows = await operator.consumed()
      const { status, spent } = await outcome(shared, stream)
      expect(status).toBe(200)
      const row = await operator.consumption(rows + 1)
      // "hello" and " hello" are a token each; the prompt is 3 + "user" + "Tell me." + 3.
      expect(row).toMatchObject({ completion_tokens: 4, prompt_tokens: 10, quota: spent })
      expect(JSON.parse(row.other)).toMatchObject({ estimated: true })
    })
  }
})

describe('a caller that hangs up in the middle of a stream', () => {
  it('cuts the upstream off within 100 ms and pays for what was delivered', async () => {
    first.on(shared, respond({ text: 'word '.repeat(200), events: 200, eventDelayMs: 20 }))
    const before = await operator.quota()
    const rows = await operator.consumed()
    const hangUp = new AbortController()
    const response = await ask(shared, true, hangUp.signal)
    const reader = response.body?.getReader()
    for (let chunks = 0; chunks < 5; chunks += 1) await reader?.read()
    const at = performance.now()
    hangUp.abort()
    const call = await until(() => first.calls.find((one) => one.abortedAt !== undefined))
    expect((call.abortedAt ?? Number.POSITIVE_INFINITY) - at).toBeLessThan(100 * slowness())
    const row = await operator.consumption(rows + 1)
    const spent = before - (await operator.quota())
    expect(row.quota).toBe(spent)
    expect(row.completion_tokens).toBeGreaterThan(0)
    expect(row.completion_tokens).toBeLessThan(100)
    expect(JSON.parse(row.other)).toMatchObject({ ended: 'client_gone' })
  })

  it('pays nothing when it hangs up before anything was delivered', async () => {
    first.on(shared, respond({ delayMs: 5000 }))
    const before = await operator.quota()
    const hangUp = new AbortController()
    const reply = ask(shared, true, hangUp.signal).catch(() => undefined)
    await first.call((call) => call.model === shared)
    const at = performance.now()
    hangUp.abort()
    await reply
    const call = await until(() => first.calls.find((one) => one.abortedAt !== undefined))
    expect((call.abortedAt ?? Number.POSITIVE_INFINITY) - at).toBeLessThan(100 * slowness())
    expect(await operator.quota()).toBe(before)
  })
})
