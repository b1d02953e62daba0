import { afterAll, describe, expect, it } from 'bun:test'
import { systemClock } from '@tollgate/base'
import { RefusedRequestError, replyByFetch, serveHttp } from '@tollgate/http/server'
import { closeTestStores } from '../../accounts/users/test-support/test-store.ts'
import { refusedRequest } from '../error-response.ts'
import { sampleFixture as fixture, sampleRoutes } from './test-support/sample-routes.ts'

afterAll(closeTestStores)

describe('a response of the console', () => {
  it('is an envelope, with the fields of the call beside its data', async () => {
    const { send } = await fixture()
    const { status, envelope } = await send('GET', '/api/timed/')
    expect(status).toBe(200)
    expect(envelope).toEqual({ success: true, message: '', data: 'done', time: 0.25 } as typeof envelope)
  })

  it('hands the handler what the request carries, checked', async () => {
    const { send } = await fixture({ trustedProxies: ['192.0.2.1'] })
    const { envelope } = await send('POST', '/api/echo/7?q=a%20b&unknown=1', {
      body: { amount: 3, unknown: true },
      headers: { 'x-forwarded-for': '203.0.113.5', 'x-forwarded-proto': 'https', 'accept-language': 'zh-CN' },
    })
    expect(envelope.data).toEqual({
      params: { id: 7 },
      query: { q: 'a b' },
      body: { amount: 3 },
      clientAddress: '203.0.113.5',
      language: 'zh',
      secure: true,
    })
  })

  it('is given on both spellings of a path, without a redirect', async () => {
    const { send } = await fixture()
    for (const path of ['/api/timed', '/api/timed/'])
      expect((await send('GET', path)).envelope.success).toBe(true)
    for (const path of ['/api/echo/7', '/api/echo/7/']) {
      expect((await send('POST', path, { body: { amount: 1 } })).envelope.success).toBe(true)
    }
  })

  it('cannot be cached, guessed or framed, and carries its request id', async () => {
    const { raw } = await fixture()
    for (const path of ['/api/timed', '/api/broken', '/api/nowhere']) {
      const { headers } = await raw('GET', path)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('x-oneapi-request-id')).toMatch(/^\d{23}[0-9A-Za-z]{8}$/)
      expect(headers.get('x-request-id')).toBe(headers.get('x-oneapi-request-id') as string)
    }
  })

  it('is compressed when it is large and the caller takes gzip', async () => {
    const { raw } = await fixture()
    const plain = await raw('GET', '/api/large')
    expect(plain.headers.get('content-encoding')).toBeNull()
    const compressed = await raw('GET', '/api/large', { headers: { 'accept-encoding': 'gzip, br' } })
    expect(compressed.headers.get('content-encoding')).toBe('gzip')
    expect(compressed.headers.get('vary')).toBe('Accept-Encoding')
    const bytes = new Uint8Array(await compressed.arrayBuffer())
    expect(bytes.length).toBeLessThan(500)
    expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(await plain.text())
    const small = await raw('GET', '/api/timed', { headers: { 'accept-encoding': 'gzip' } })
    expect(small.headers.get('content-encoding')).toBeNull()
  })
})

describe('a refusal', () => {
  it('is HTTP 200 with a code, in the language of the caller, with the fields of the call', async () => {
    const { send } = await fixture()
    const english = await send('GET', '/api/refusing')
    expect(english.status).toBe(200)
    expect(english.envelope).toEqual({
      success: false,
      message: 'Test failed: no answer',
      code: 'channel_test_failed',
      time: 1.5,
    } as typeof english.envelope)
    const chinese = await send('GET', '/api/refusing', { headers: { 'accept-language': 'zh-CN,en;q=0.5' } })
    expect(chinese.envelope.message).toBe('测试失败：no answer')
  })

  it.each([
    ['amount (int)', { amount: 1.5 }],
    ['amount (number)', { amount: '1' }],
    ['amount (number)', {}],
    ['amount (max 10)', { amount: 11 }],
    ['deep.flag (boolean)', { amount: 1, deep: { flag: 'yes' } }],
    ['body (JSON object)', []],
    ['body (JSON object)', null],
    ['body (JSON object)', '{"amount":'],
    ['body (JSON object)', ''],
    ['body (JSON object)', '{"amount":1}}'],
    ['body (JSON object)', `{"amount":${'['.repeat(900_000)}`],
  ])('names what is wrong with a body: %s', async (detail, body) => {
    const { send } = await fixture()
    const { status, envelope } = await send('POST', '/api/echo/7', { body })
    expect(status).toBe(200)
    expect(envelope).toEqual({
      success: false,
      message: `Invalid parameter: ${detail}`,
      code: 'invalid_parameter',
    })
  })

  it('names a wrong part of the path', async () => {
    const { send } = await fixture()
    const { envelope } = await send('POST', '/api/echo/seven', { body: { amount: 1 } })
    expect(envelope).toMatchObject({ success: false, message: 'Invalid parameter: id (number)' })
  })

  it('of a fault of ours is HTTP 500 and says nothing about it', async () => {
    const { raw } = await fixture()
    const response = await raw('GET', '/api/broken')
    expect(response.status).toBe(500)
    const text = await response.text()
    expect(text).not.toContain('secret detail')
    expect(JSON.parse(text)).toMatchObject({ success: false, code: 'internal_error' })
  })
})

describe('a body beyond 1 MB', () => {
  it('is refused by its announced length', async () => {
    const { send } = await fixture()
    const { status, envelope } = await send('POST', '/api/echo/7', { body: 'x'.repeat(1024 * 1024 + 1) })
    expect(status).toBe(413)
    expect(envelope.code).toBe('body_too_large')
  })

  it('is refused as it arrives when it does not announce its length, and not read to its end', async () => {
    const { app } = await fixture()
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536
        controller.enqueue(new Uint8Array(65_536).fill(0x20))
      },
    })
    const response = await app.request('/api/echo/7', { method: 'POST', body: endless })
    expect(response.status).toBe(413)
    expect(sent).toBeLessThan(2 * 1024 * 1024)
  })
})

describe('an unknown path or method', () => {
  it.each([
    ['GET', '/api/nowhere'],
    ['GET', '/api'],
    ['DELETE', '/api/timed'],
    ['POST', '/api/user/self'],
    ['GET', '/v1/nowhere'],
  ])('is 404 in the shape of an OpenAI error: %s %s', async (method, path) => {
    const { raw } = await fixture()
    const response = await raw(method, path)
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({
      error: {
        message: `Invalid URL (${method} ${path})`,
        type: 'invalid_request_error',
        param: '',
        code: '',
      },
    })
  })
})

it('refuses to be built with a call served twice', async () => {
  await expect(fixture({ routes: [...sampleRoutes, ...sampleRoutes] })).rejects.toThrow(
    'POST /api/echo/:id is served twice',
  )
})

it('knows its callers over a socket, by the address of the connection', async () => {
  const { app } = await fixture()
  const server = serveHttp({
    hostname: '127.0.0.1',
    port: 0,
    idleMs: 10_000,
    clock: systemClock,
    application: (sender) => replyByFetch(sender, (request) => app.fetch(request, { sender })),
    refusal: refusedRequest,
    fault: (error) => refusedRequest(new RefusedRequestError(400, String(error))),
  })
  try {
    const response = await fetch(`http://127.0.0.1:${server.port}/api/echo/1`, {
      method: 'POST',
      body: JSON.stringify({ amount: 1 }),
      headers: { 'x-forwarded-for': '203.0.113.5' },
    })
    expect(await response.json()).toMatchObject({ data: { clientAddress: '127.0.0.1', secure: false } })
  } finally {
    server.cut()
    await server.stop()
  }
})
