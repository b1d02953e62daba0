import { describe, expect, it } from 'bun:test'
import { errorOf } from '../client/test-support/error-of.ts'
import { MalformedMessageError } from '../wire/body.ts'
import type { InboundRequest } from './inbound-request.ts'
import { answering, echo, ManualApplication, ManualBody, streamed } from './test-support/applications.ts'
import { Call, textReply } from './test-support/call.ts'
import { get, message, post, postChunks } from './test-support/messages.ts'

const everything = Number.POSITIVE_INFINITY
const expectation = (length: number) =>
  message('POST', '/', [`Content-Length: ${length}`, 'Expect: 100-continue'])
const old = (method: string, body = '') =>
  `${method} /old HTTP/1.0\r\nContent-Length: ${body.length}\r\n\r\n${body}`

describe('requests', () => {
  it('are answered with a date and a length, and the connection goes on', async () => {
    const call = new Call(echo)
    await call.send(post('/a?b=c', 'hello'))
    await call.send(get('/d'))
    expect(call.bodies).toEqual(['POST /a?b=c hello', 'GET /d '])
    expect(Object.fromEntries(call.responses()[0]?.headers ?? [])).toEqual({
      'content-length': '17',
      date: 'Tue, 14 Nov 2023 22:13:20 GMT',
    })
    expect(call.socket.calls).toEqual([])
  })

  it.each([
    ['a length, then chunks', [post('/a', 'hello'), postChunks('/b', 'wide ', 'world')]],
    ['chunks, then a length', [postChunks('/b', 'wide ', 'world'), post('/a', 'hello')]],
    ['no body, and line breaks between them', [`${get('/c')}\r\n`, `\r\n${get('/d')}\r\n`]],
  ] as const)('are the same wherever their bytes are split: %s', async (_, requests) => {
    const bytes = Buffer.from(requests.join(''))
    const buffered = new Call(echo)
    await buffered.send(bytes)
    expect(buffered.bodies).toHaveLength(2)
    for (let position = 1; position < bytes.length; position += 1) {
      const call = new Call(echo)
      await call.send(bytes.subarray(0, position), bytes.subarray(position))
      expect(call.text).toBe(buffered.text)
    }
    const call = new Call(echo)
    await call.send(...[...bytes.keys()].map((position) => bytes.subarray(position, position + 1)))
    expect(call.text).toBe(buffered.text)
  })

  it('get their responses one after the other, however late the application responds', async () => {
    const manual = new ManualApplication()
    const call = new Call(manual.application)
    await call.send(get('/a') + post('/b', 'x') + get('/c'))
    expect(manual.targets).toEqual(['/a'])
    manual.response(textReply('first'))
    await call.send()
    expect(manual.targets).toEqual(['/a', '/b'])
    await call.send(get('/d'))
    manual.response(textReply('second'), 1)
    await call.send()
    manual.response(textReply('third'), 2)
    await call.send()
    manual.response(textReply('fourth'), 3)
    await call.send()
    expect(call.bodies).toEqual(['first', 'second', 'third', 'fourth'])
  })

  it('come with the address of their caller', async () => {
    const manual = new ManualApplication()
    await new Call(manual.application).send(get())
    expect(manual.request().peerAddress).toBe('203.0.113.7')
  })

  it('may be read while their body comes', async () => {
    const manual = new ManualApplication()
    const call = new Call(manual.application)
    await call.send(message('POST', '/', ['Content-Length: 6']))
    const first = manual.request().read()
    await call.send('abc')
    expect(await first).toMatchObject({ done: false, value: Buffer.from('abc') })
    await call.send('def')
    expect(await manual.request().read()).toMatchObject({ done: false, value: Buffer.from('def') })
    expect(await manual.request().read()).toMatchObject({ done: true })
  })

  it('are read complete up to a limit', async () => {
    const call = new Call(async (request) => textReply(String(await request.buffered(5))))
    await call.send(post('/', 'hello') + postChunks('/', 'hel', 'lo'))
    expect(call.bodies).toEqual(['hello', 'hello'])
  })

  it.each([
    ['no request', 'hello\r\n\r\n', 400],
    ['a request without a host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505],
    ['the beginning of a TLS hello', '\x16\x03\x01\x02\x00\x01', 400],
    ['a blank', ' ', 400],
    ['a head with bare line feeds', 'GET / HTTP/1.1\nHost: a\n\n', 400],
    ['an endless head', `GET / HTTP/1.1\r\nX: ${'a'.repeat(40_000)}`, 431],
    ['too long a head', get('/', `X: ${'a'.repeat(40_000)}`), 431],
    ['an endless target', `GET /${'a'.repeat(40_000)}`, 431],
    ['a request with malformed chunks', `${message('POST', '/', ['Transfer-Encoding: chunked'])}x\r\n`, 400],
  ] as const)('are refused when they are %s, and nothing after them is read', async (_, text, status) => {
    const manual = new ManualApplication()
    const call = new Call(manual.application)
    await call.send(Buffer.from(text, 'latin1'), get('/after'))
    await call.send(get('/later'))
    expect(call.statuses).toEqual([status])
    expect(call.responses()[0]?.headers.get('connection')).toBe('close')
    expect(call.socket.calls).toContain('shutdown')
    expect(manual.targets).toEqual([])
  })

  it('behind one that asks for the end of the connection are not looked at', async () => {
    const manual = new ManualApplication()
    const call = new Call(manual.application)
    await call.send(post('/a', 'x', 'Connection: close') + get('/b'))
    manual.response(textReply('last'))
    await call.send(get('/c'))
    expect(call.responses()).toMatchObject([{ body: 'last' }])
    expect(call.responses()[0]?.headers.get('connection')).toBe('close')
    expect(call.socket.calls).toEqual(['end'])
    expect(manual.targets).toEqual(['/a'])
  })

  it('before one that is refused are answered first', async () => {
    const call = new Call(echo)
    await call.send(`${get('/a')}GET / HTTP/1.1\r\n\r\n${get('/after')}`)
    expect(call.statuses).toEqual([200, 400])
  })
})

describe('a malformed body', () => {
  it('fails where it is read, and its response ends the connection', async () => {
    const failures: unknown[] = []
    const call = new Call(async (request) => {
      failures.push(await errorOf(request.buffered(everything)))
      return textReply('bad', 400)
    })
    await call.send(
      message('POST', '/', ['Transfer-Encoding: chunked']),
      '3\r\nabc\r\n',
      'x\r\n',
      get('/after'),
    )
    expect(failures).toEqual([expect.any(MalformedMessageError)])
    expect(call.statuses).toEqual([400])
    expect(call.responses()[0]?.headers.get('connection')).toBe('close')
    expect(call.socket.calls).toEqual(['shutdown'])
  })

  it('gives what came before the fault first', async () => {
    const manual = new ManualApplication()
    const call = new Call(manual.application)
    await call.send(message('POST', '/', ['Transfer-Encoding: chunked']), '3\r\nabc\r\n', '-1\r\n')
    expect(String((await manual.request().read()).value)).toBe('abc')
    expect(await errorOf(manual.request().read())).toBeInstanceOf(MalformedMessageError)
  })
})

describe('a caller that waits before its body', () => {
  it('gets 100 Continue when the application reads the body, and once only', async () => {
    const manual = new ManualApplication()
    const call = new Call(manual.application)
    await call.send(expectation(4))
    expect(call.text).toBe('')
    const body = manual.request().buffered(everything)
    expect(call.text).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    await call.send('ab', 'cd')
    expect(String(await body)).toBe('abcd')
    manual.response(textReply('ok'))
    await call.send(get('/next'))
    expect(call.statuses).toEqual([100, 200])
    expect(manual.targets).toEqual(['/', '/next'])
  })

  it.each([
    ['does not ask', message('POST', '/', ['Content-Length: 4']), ['abcd']],
    ['has no body', message('POST', '/', ['Content-Length: 0', 'Expect: 100-continue']), []],
    ['has begun to send it', `${expectation(4)}ab`, ['cd']],
    ['has sent it', `${expectation(4)}abcd`, []],
  ] as const)('receives nothing when it %s', async (_, head, pieces) => {
    const call = new Call(echo)
    await call.send(head)
    expect(call.statuses).not.toContain(100)
    await call.send(...pieces)
    expect(call.statuses).toEqual([200])
  })

  it('gets no 100 Continue in HTTP/1.0', async () => {
    const call = new Call(echo)
    await call.send('POST / HTTP/1.0\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n')
    await call.send('abcd')
    expect(call.statuses).toEqual([200])
  })

  it.each([
    ['nobody reads it', async () => textReply('no', 401)],
    ['it is too long', async (request: InboundRequest) => textReply(String(await request.buffered(3)), 413)],
  ] as const)('is answered at once when %s', async (_, application) => {
    const call = new Call(application)
    await call.send(expectation(4))
    expect(call.responses()).toMatchObject([{ isComplete: true }])
    expect(call.statuses).not.toContain(100)
    expect(call.socket.calls).toEqual(['shutdown'])
  })

  it('gets no 100 Continue once its response has begun', async () => {
    const manual = new ManualApplication()
    const source = new ManualBody()
    const call = new Call(manual.application)
    await call.send(expectation(4))
    manual.response(streamed((sink) => source.pipe(sink)))
    await call.send()
    source.write('begun')
    const body = manual.request().read()
    await call.send('abcd')
    expect(String((await body).value)).toBe('abcd')
    source.sink.end('')
    expect(call.responses()).toMatchObject([{ status: 200, body: 'begun', isComplete: true }])
  })
})

describe('a response without a body', () => {
  it.each([
    ['a text', () => textReply('body')],
    ['bytes', () => ({ ...textReply(''), body: Buffer.from('body') })],
    [
      'a streamed body',
      () =>
        streamed((sink) => {
          sink.write([Buffer.from('bo')])
          sink.end('dy')
        }),
    ],
  ] as const)('is what HEAD gets although there is %s', async (_, reply) => {
    const call = new Call(async () => reply())
    await call.send(message('HEAD', '/', []) + message('HEAD', '/', []))
    expect(call.responses('HEAD', 'HEAD').map(({ status }) => status)).toEqual([200, 200])
    expect(call.text.endsWith('\r\n\r\n')).toBe(true)
    expect(call.socket.calls).toEqual([])
  })

  it('gives HEAD the length of the body where it is known', async () => {
    const call = new Call(answering(textReply('body')))
    await call.send(message('HEAD', '/', []))
    expect(call.responses('HEAD')[0]?.headers.get('content-length')).toBe('4')
    const unknown = new Call(answering(textReply('')))
    await unknown.send(message('HEAD', '/', []))
    expect(unknown.responses('HEAD')[0]?.headers.has('content-length')).toBe(false)
  })

  it.each([204, 304])('is every response %d, which has no length either', async (status) => {
    const call = new Call(answering(textReply('body', status)))
    await call.send(get() + get())
    expect(call.statuses).toEqual([status, status])
    expect(call.text).not.toContain('content-length')
    expect(call.text.endsWith('\r\n\r\n')).toBe(true)
  })

  it.each([204, 304])('is every response %d, even a streamed one', async (status) => {
    const call = new Call(async () => streamed((sink) => sink.end('body'), status))
    await call.send(get() + get())
    expect(call.statuses).toEqual([status, status])
    expect(call.text).not.toContain('body')
  })
})

describe('HTTP/1.0', () => {
  it('gets its response, and the connection ends', async () => {
    const call = new Call(echo)
    await call.send(old('POST', 'hello') + old('GET'))
    expect(call.responses()).toMatchObject([{ status: 200, body: 'POST /old hello' }])
    expect(call.responses()[0]?.headers.get('connection')).toBe('close')
    expect(call.socket.calls).toEqual(['end'])
  })

  it('keeps the connection when it asks for that, and the response says so', async () => {
    const call = new Call(echo)
    const request = `GET /old HTTP/1.0\r\nConnection: keep-alive\r\n\r\n`
    await call.send(request + request)
    expect(call.bodies).toEqual(['GET /old ', 'GET /old '])
    expect(call.responses().map(({ headers }) => headers.get('connection'))).toEqual([
      'keep-alive',
      'keep-alive',
    ])
    expect(call.socket.calls).toEqual([])
  })

  it('gets a streamed response until the connection ends, even if it asks to go on', async () => {
    const call = new Call(async () => streamed((sink) => sink.end('all')))
    await call.send('GET /old HTTP/1.0\r\nConnection: keep-alive\r\n\r\n')
    expect(call.responses()).toMatchObject([{ body: 'all' }])
    expect(call.responses()[0]?.headers.get('connection')).toBe('close')
    expect(call.socket.calls).toEqual(['end'])
  })

  it('gets a streamed response without chunks, until the connection ends', async () => {
    const source = new ManualBody()
    const call = new Call(async () => streamed((sink) => source.pipe(sink)))
    await call.send(old('GET'))
    source.write('one ', 'two ')
    source.write('three ')
    expect(call.socket.calls).toEqual([])
    source.sink.end('four')
    expect(call.text).not.toContain('transfer-encoding')
    expect(call.responses()).toMatchObject([{ body: 'one two three four' }])
    expect(call.socket.calls).toEqual(['end'])
  })
})

describe('the headers of a response', () => {
  it('are sent once for each value of a list', async () => {
    const headers = { 'set-cookie': ['a=1', 'b=2'], 'x-text': 'caf\xe9\tb', 'x-none': [] }
    const call = new Call(answering({ ...textReply('ok'), headers }))
    await call.send(get())
    expect(call.text.match(/^set-cookie: .*$/gm)).toEqual(['set-cookie: a=1', 'set-cookie: b=2'])
    expect(call.responses()[0]?.headers.get('x-text')).toBe('caf\xe9\tb')
    expect(call.text).not.toContain('x-none')
  })

  it.each([
    ['a line break in a value', { x: 'a\r\nset-cookie: b=c' }],
    ['a line feed in a value', { x: 'a\nset-cookie: b=c' }],
    ['a carriage return in a value', { x: 'a\rb' }],
    ['a line break at the end of a value', { x: 'a\r\n' }],
    ['a zero byte in a value', { x: 'a\0' }],
    ['a character that becomes a line break in Latin-1', { x: 'a\u010a\u010d' }],
    ['a line break in one of several values', { x: ['a', 'b\r\n\r\nc'] }],
    ['a line break in a name', { 'x: a\r\ny': 'b' }],
    ['a colon in a name', { 'content-length: 0\r\nx': 'b' }],
    ['no name', { '': 'b' }],
  ] as const)('are never sent with %s', async (_, headers) => {
    for (const body of ['text', { pipe: () => {} }]) {
      const call = new Call(answering({ status: 200, headers, body }))
      await call.send(get())
      expect(call.text).toBe('')
      expect(call.faults).toHaveLength(1)
      expect(call.socket.isEnded).toBe(true)
    }
  })
})

describe('a fault of the application', () => {
  it('is answered, and the connection goes on', async () => {
    const manual = new ManualApplication()
    const call = new Call(manual.application)
    await call.send(get('/a') + get('/b'))
    const fault = new Error('oh')
    manual.fail(fault)
    await call.send()
    manual.response(textReply('fine'), 1)
    await call.send()
    expect(call.faults).toEqual([fault])
    expect(call.bodies).toEqual(['fault', 'fine'])
    expect(call.socket.calls).toEqual([])
  })

  it('ends the connection when it happens where the body is streamed', async () => {
    const call = new Call(async () =>
      streamed((sink) => {
        sink.write([Buffer.from('half')])
        throw new Error('oh')
      }),
    )
    await call.send(get())
    expect(call.faults).toHaveLength(1)
    expect(call.responses()).toMatchObject([{ body: 'half', isComplete: false }])
    expect(call.socket.isEnded).toBe(true)
  })
})
