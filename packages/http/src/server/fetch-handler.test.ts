import { describe, expect, it } from 'bun:test'
import { replyByFetch, StreamedResponse } from './fetch-handler.ts'
import { Call, settled } from './test-support/call.ts'
import { get, message, post, postChunks } from './test-support/messages.ts'

/** A connection whose requests are answered by `handle`; they can be looked at. */
function handled(handle: (request: Request) => Response | Promise<Response> = () => new Response('ok')) {
  const requests: Request[] = []
  const call = new Call((inbound) =>
    replyByFetch(inbound, (request) => {
      requests.push(request)
      return handle(request)
    }),
  )
  return { call, requests }
}

async function handledOnce(text: string): Promise<Request | undefined> {
  const { call, requests } = handled()
  await call.send(text)
  await settled()
  return requests[0]
}

type Gate = ReturnType<typeof Promise.withResolvers<void>>

async function* partsUntil(end: Promise<void>): AsyncGenerator<Uint8Array> {
  yield Buffer.from('one ')
  await end
}

const respond = async (response: () => Response, method = 'GET') => {
  const { call } = handled(response)
  await call.send(message(method, '/', []))
  await settled()
  return { call, response: call.responses(method)[0] }
}

describe('the request of a handler', () => {
  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('has the method %s', async (method) => {
    expect((await handledOnce(message(method, '/', [])))?.method).toBe(method)
  })

  it('is GET for HEAD, whose response has the length of what it leaves out', async () => {
    expect((await handledOnce(message('HEAD', '/', [])))?.method).toBe('GET')
    const { response } = await respond(() => new Response('hello'), 'HEAD')
    expect(response?.headers.get('content-length')).toBe('5')
    expect(response?.body).toBe('')
  })

  it.each(['FOO', 'GETS', 'constructor'])('is never a GET when the method was %s', async (method) => {
    expect((await handledOnce(message(method, '/', [])))?.method).not.toBe('GET')
    expect((await handledOnce(`${message(method, '/', ['Content-Length: 1'])}x`))?.method).not.toBe('GET')
  })

  it('has path and query as they were sent', async () => {
    const url = new URL((await handledOnce(get('/a%20b//c?d=%2F&e=f&d=g')))?.url ?? '')
    expect([url.pathname, url.search]).toEqual(['/a%20b//c', '?d=%2F&e=f&d=g'])
  })

  it.each(['//elsewhere.example/a', '/\\elsewhere.example/a', '/@elsewhere.example/a', '/:80/a'])(
    'is for one host whatever the target says: %s',
    async (target) => {
      expect(new URL((await handledOnce(get(target)))?.url ?? '').host).toBe('localhost')
    },
  )

  it.each(['', ':', 'a:99999', '[::1]:1', '%', 'a..b', '-', '[::::]', '0x7f.1', '()'])(
    'is there although the host is %j, which it has among its headers',
    async (host) => {
      const request = await handledOnce(`GET /a HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
      expect(new URL(request?.url ?? '').pathname).toBe('/a')
      expect(request?.headers.get('host')).toBe(host)
    },
  )

  it('has all headers, those that came more than once joined', async () => {
    const request = await handledOnce(
      get('/', 'X-One: 1', 'X-Two:a', 'x-two: b', 'Empty:', 'X-Text: caf\xe9'),
    )
    const { headers } = request ?? new Request('http://none')
    expect(headers.get('x-one')).toBe('1')
    expect(headers.get('x-two')).toBe('a, b')
    expect(headers.get('empty')).toBe('')
    expect(headers.get('x-text')).toBe('caf\xe9')
  })

  it.each([
    ['of a known length', post('/', 'hello wide world')],
    ['in chunks', postChunks('/', 'hello ', 'wide', ' world')],
  ])('has the body %s', async (_, text) => {
    const { call } = handled(async (request) => new Response(await request.text()))
    for (const unit of text) await call.send(unit)
    expect(call.bodies).toEqual(['hello wide world'])
  })

  it('has the body while it comes', async () => {
    const { call, requests } = handled(() => new Promise(() => {}))
    await call.send(message('POST', '/', ['Content-Length: 4']))
    const reader = requests[0]?.body?.getReader()
    const first = reader?.read()
    await call.send('ab')
    expect(Buffer.from((await first)?.value ?? []).toString()).toBe('ab')
    await call.send('cd')
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('cd')
    expect((await reader?.read())?.done).toBe(true)
  })

  it('has a body that fails when the caller hangs up', async () => {
    const { call, requests } = handled(() => new Promise(() => {}))
    await call.send(message('POST', '/', ['Content-Length: 4']), 'ab')
    const text = requests[0]?.text()
    call.connection.closed()
    const outcome = await text?.then(
      () => 'whole',
      () => 'failed',
    )
    expect(outcome).toBe('failed')
  })

  it.each([
    ['GET without a body', get()],
    ['GET with a body', message('GET', '/', ['Content-Length: 2'])],
    ['HEAD with a body', message('HEAD', '/', ['Content-Length: 2'])],
    ['POST without a body', message('POST', '/', [])],
    ['DELETE with a body of nothing', message('DELETE', '/', ['Content-Length: 0'])],
  ] as const)('has no body for %s', async (_, head) => {
    const request = await handledOnce(head)
    expect(request).toBeDefined()
    expect(request?.body).toBeNull()
  })

  it('that nobody reads does not keep the connection from the next', async () => {
    const { call, requests } = handled()
    await call.send(post('/a', 'hello'))
    await settled()
    await call.send(get('/b'))
    await settled()
    expect(requests.map(({ url }) => new URL(url).pathname)).toEqual(['/a', '/b'])
    expect(call.statuses).toEqual([200, 200])
  })
})

describe('the response of a handler', () => {
  it('is sent with its status, its headers and its body', async () => {
    const { response } = await respond(
      () => new Response('日本', { status: 418, headers: { 'X-A': 'b', 'Content-Type': 'a/b' } }),
    )
    expect(response).toMatchObject({
      status: 418,
      body: Buffer.from('日本').toString('latin1'),
      isComplete: true,
    })
    expect(response?.headers.get('x-a')).toBe('b')
    expect(response?.headers.get('content-type')).toBe('a/b')
  })

  it('is sent with each of its cookies by itself', async () => {
    const { call } = await respond(() => {
      const response = new Response('ok', {
        headers: { 'set-cookie': 'a=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT' },
      })
      response.headers.append('Set-Cookie', 'b=2')
      response.headers.append('Set-Cookie', 'c=3')
      return response
    })
    expect(call.text.match(/^set-cookie: .*$/gim)).toEqual([
      'set-cookie: a=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT',
      'set-cookie: b=2',
      'set-cookie: c=3',
    ])
  })

  it.each([
    ['content-length', '99'],
    ['transfer-encoding', 'chunked'],
    ['connection', 'close'],
    ['date', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ])('does not say %s: that is for the server to say', async (name, value) => {
    const { call, response } = await respond(() => new Response('body', { headers: { [name]: value } }))
    expect(response).toMatchObject({ status: 200, body: 'body', isComplete: true })
    expect(call.text.match(/^content-length: .*$/gim)).toEqual(['content-length: 4'])
    expect(call.text.match(/^date: .*$/gim)).toHaveLength(1)
    expect(call.text).not.toContain(value)
  })

  it('may be a stream', async () => {
    const parts = async function* () {
      for (const text of ['one ', 'two ', 'three']) yield Buffer.from(text)
    }
    const { response } = await respond(() => new Response(parts()))
    expect(response).toMatchObject({ body: 'one two three', isComplete: true })
  })

  it.each([
    ['the whole of it when it ends', (gate: Gate) => gate.resolve(), '0\r\n\r\n'],
    ['no end when it fails', (gate: Gate) => gate.reject(new Error('oh')), ''],
  ])('is sent while it is made when it says so: %s', async (_, finish, end) => {
    const gate = Promise.withResolvers<void>()
    const { call } = handled(() => new StreamedResponse(partsUntil(gate.promise)))
    await call.send(get())
    await settled()
    const sent = call.text
    expect(sent).toEndWith('4\r\none \r\n')
    finish(gate)
    await settled()
    expect(call.text.slice(sent.length)).toBe(end)
    expect(call.faults).toEqual([])
  })

  it.each([
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
  ] as const)('has no body for %s %d', async (method, status) => {
    const { call } = await respond(() => new Response(status === 200 ? 'body' : null, { status }), method)
    expect(call.responses(method)).toMatchObject([{ status, body: '' }])
    expect(call.text.endsWith('\r\n\r\n')).toBe(true)
  })

  it.each([
    ['throws', () => Promise.reject(new Error('oh'))],
    [
      'has a body that fails',
      () => new Response(new ReadableStream({ start: (controller) => controller.error(new Error('oh')) })),
    ],
  ] as const)('is a fault where the handler %s', async (_, handle) => {
    const { call } = handled(handle)
    await call.send(get())
    await settled()
    expect(call.faults).toHaveLength(1)
    expect(call.statuses).toEqual([500])
  })
})
