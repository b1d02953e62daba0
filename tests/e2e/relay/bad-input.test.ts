import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

let gateway: Tollgate
let upstream: Upstream
let operator: Operator
let key: string

beforeAll(async () => {
  upstream = await startUpstream()
  gateway = await startTollgate({ env: { MAX_BODY_MB: '1' } })
  operator = await operate(gateway.url)
  await operator.addChannel({ name: 'only', base_url: upstream.url, models: 'gpt-4o,nobody-priced-this' })
  key = (await operator.addKey()).key
})
afterAll(async () => {
  await gateway?.stop()
  await upstream?.stop()
})

interface Reply {
  readonly status: number
  readonly text: string
  readonly code: string
}

async function post(
  body: BodyInit,
  headers: Record<string, string> = {},
  path = '/v1/chat/completions',
): Promise<Reply> {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...headers },
    body,
  })
  const text = await response.text()
  return { status: response.status, text, code: JSON.parse(text).error?.code }
}

const messages = [{ role: 'user', content: 'hi' }]
const chat = (fields: object) => JSON.stringify({ model: 'gpt-4o', messages, ...fields })

const badBodies: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['not JSON', 'hello'],
  ['JSON cut short', '{"model":"gpt-4o","messages":['],
  ['a list', '[]'],
  ['null', 'null'],
  ['a number', '1'],
  ['no model', JSON.stringify({ messages })],
  ['an empty model', chat({ model: '' })],
  ['a model that is a number', chat({ model: 4 })],
  ['a model of 10,000 characters', chat({ model: 'm'.repeat(10_000) })],
  ['two models', `{"model":"gpt-4o","model":"o1","messages":${JSON.stringify(messages)}}`],
  ['no messages', JSON.stringify({ model: 'gpt-4o' })],
  ['messages that are a text', chat({ messages: 'hi' })],
  ['no message at all', chat({ messages: [] })],
  ['a message that is null', chat({ messages: [null] })],
  ['negative max_tokens', chat({ max_tokens: -1 })],
  ['fractional max_tokens', chat({ max_tokens: 1.5 })],
  ['huge max_tokens', chat({ max_tokens: 1e20 })],
  [
    'max_tokens that overflow',
    `{"model":"gpt-4o","messages":${JSON.stringify(messages)},"max_tokens":1e999}`,
  ],
  ['max_tokens that are a text', chat({ max_tokens: '10' })],
  ['negative n', chat({ n: -1 })],
  ['huge n', chat({ n: 1e9 })],
  ['stream that is a text', chat({ stream: 'yes' })],
  ['stream_options that are a list', chat({ stream: true, stream_options: [] })],
  ['a temperature that is a text', chat({ temperature: 'hot' })],
  ['a negative temperature', chat({ temperature: -1 })],
  ['nesting of 10,000 levels', `{"model":"gpt-4o","messages":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
]

describe('a bad body', () => {
  for (const [what, body] of badBodies) {
    it(`is refused in the dialect's shape, with nothing charged or sent: ${what}`, async () => {
      const before = await operator.quota()
      const { status, text } = await post(body)
      expect(status).toBe(400)
      const { error } = JSON.parse(text)
      expect(error.type).toBe('invalid_request_error')
      expect(error.message).toContain('request id: ')
      expect(error.message.length).toBeGreaterThan(20)
      expect(upstream.calls).toHaveLength(0)
      expect(await operator.quota()).toBe(before)
    })
  }

  it('is refused when it is too large, announced or not', async () => {
    const large = chat({ padding: 'x'.repeat(2 * 1024 * 1024) })
    expect((await post(large)).status).toBe(413)
    const chunked = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(large))
        controller.close()
      },
    })
    expect((await post(chunked)).status).toBe(413)
  })

  it('survives every body cut at every place of a good one', async () => {
    const good = chat({
      stream: false,
      tools: [{ type: 'function', function: { name: 'f', parameters: {} } }],
    })
    const statuses = await Promise.all(
      Array.from({ length: good.length }, (_, length) =>
        post(good.slice(0, length)).then(({ status }) => status),
      ),
    )
    expect(new Set(statuses)).toEqual(new Set([400]))
  })
})

describe('a caller', () => {
  it('without a key, with a wrong one, or with a key in the wrong shape is refused', async () => {
    expect(await post(chat({}), { authorization: '' })).toMatchObject({
      status: 401,
      code: 'missing_api_key',
    })
    for (const wrong of [
      'Bearer nonsense',
      `Bearer sk-${'z'.repeat(48)}`,
      'Basic eDp5',
      `Bearer sk-${'é'.repeat(24)}x`,
    ]) {
      const headers = { authorization: encodeURI(wrong) }
      expect(await post(chat({}), headers)).toMatchObject({ status: 401, code: 'invalid_api_key' })
    }
  })

  it('with a disabled, expired, exhausted or misplaced key is refused with the reason', async () => {
    const disabled = await operator.addKey()
    await operator.api('PUT', '/api/token/?status_only=true', { id: disabled.id, status: 2 })
    const expired = await operator.addKey({ expired_time: Math.floor(Date.now() / 1000) + 1 })
    const exhausted = await operator.addKey({ unlimited_quota: false, remain_quota: 0 })
    const elsewhere = await operator.addKey({ allow_ips: '10.0.0.0/8\n2001:db8::1' })
    const limited = await operator.addKey({ model_limits_enabled: true, model_limits: 'o1' })
    await Bun.sleep(2100)
    const as = (token: { key: string }) => post(chat({}), { authorization: `Bearer ${token.key}` })
    expect(await as(disabled)).toMatchObject({ status: 401, code: 'token_disabled' })
    expect(await as(expired)).toMatchObject({ status: 401, code: 'token_expired' })
    expect(await as(exhausted)).toMatchObject({ status: 401, code: 'token_quota_exhausted' })
    expect(await as(elsewhere)).toMatchObject({ status: 403, code: 'address_not_allowed' })
    expect(await as(limited)).toMatchObject({ status: 403, code: 'model_not_allowed' })
    const forged = await post(chat({}), {
      authorization: `Bearer ${elsewhere.key}`,
      'x-forwarded-for': '10.1.2.3',
    })
    expect(forged.status).toBe(403)
    const { status } = await operator.api<{ status: number }>('GET', `/api/token/${expired.id}`)
    expect(status).toBe(3)
  })

  it('for a model without a channel or a price gets a 4xx with a remedy', async () => {
    expect(await post(chat({ model: 'nobody-serves-this' }))).toMatchObject({
      status: 404,
      code: 'model_not_found',
    })
    expect(await post(chat({ model: 'nobody-priced-this' }))).toMatchObject({
      status: 400,
      code: 'model_price_error',
    })
  })

  it('to a path that does not exist or is not served gets an error that says so', async () => {
    const unknown = await fetch(`${gateway.url}/v1/nothing`, { method: 'POST' })
    expect(unknown.status).toBe(404)
    expect((await unknown.json()).error.message).toBe('Invalid URL (POST /v1/nothing)')
    expect((await fetch(`${gateway.url}/v1/files`, { method: 'POST' })).status).toBe(501)
  })

  it('may be a browser on any site', async () => {
    const preflight = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.test',
        'access-control-request-headers': 'authorization,x-stainless-os',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-headers')).toContain('x-stainless-os')
    const reply = await fetch(`${gateway.url}/v1/models`, { headers: { origin: 'https://app.test' } })
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
  })
})
