import { describe, expect, it } from 'bun:test'
import { errorOf } from '../client/test-support/error-of.ts'
import { ConnectionLostError } from '../wire/body.ts'
import {
  DisconnectCounter,
  echo,
  type ManualApplication,
  ManualBody,
  streamed,
} from './test-support/applications.ts'
import { awaited, requested, streaming } from './test-support/asked.ts'
import { Call, idleMs, settled, textReply } from './test-support/call.ts'
import { get, message, post } from './test-support/messages.ts'

describe('a caller that hangs up', () => {
  it('is reported once, to an earlier and to a later listener', async () => {
    const { manual, call } = await requested()
    const counter = new DisconnectCounter(manual.request())
    expect(manual.request().isDisconnected).toBe(false)
    call.connection.closed()
    call.connection.closed()
    expect([counter.times, call.closings, manual.request().isDisconnected]).toEqual([1, 1, true])
    expect(new DisconnectCounter(manual.request()).times).toBe(1)
  })

  it('fails the body that was waited for', async () => {
    const { manual, call } = await requested(awaited(10), 'abc')
    const body = manual.request().buffered(Number.POSITIVE_INFINITY)
    call.connection.closed()
    expect(await errorOf(body)).toBeInstanceOf(ConnectionLostError)
  })

  it('does not fail a body that has come', async () => {
    const { manual, call } = await requested(post('/', 'hello'))
    call.connection.closed()
    expect(String(await manual.request().buffered(5))).toBe('hello')
  })

  it('gets no response any more, and nothing that it had sent behind is looked at', async () => {
    const { manual, call } = await requested(get('/a') + get('/b'))
    call.connection.closed()
    manual.response(textReply('late'))
    await settled()
    expect(call.text).toBe('')
    expect(manual.targets).toEqual(['/a'])
  })

  it('gets no streamed response any more, and nothing that it had sent behind is looked at', async () => {
    const { manual, call, source } = await streaming(get('/a') + get('/b'))
    const sent = call.text
    call.connection.closed()
    expect(source.write('late')).toBe(false)
    source.sink.end('late')
    await settled()
    expect(call.text).toBe(sent)
    expect(manual.targets).toEqual(['/a'])
    expect(call.closings).toBe(1)
  })

  it('gets no streamed response that is begun later', async () => {
    const { manual, call } = await requested()
    call.connection.closed()
    const source = new ManualBody()
    manual.response(streamed((sink) => source.pipe(sink)))
    await settled()
    expect(source.isStreamed && source.write('late')).toBe(false)
    expect(call.text).toBe('')
  })

  it('is reported while it has not taken its response', async () => {
    const { manual, call } = await requested()
    const counter = new DisconnectCounter(manual.request())
    call.socket.takes = () => 1
    manual.response(textReply('ok'))
    await settled()
    call.connection.closed()
    expect(counter.times).toBe(1)
  })

  it('is not reported after its response', async () => {
    const { manual, call } = await requested()
    const counter = new DisconnectCounter(manual.request())
    manual.response(textReply('ok'))
    await settled()
    call.connection.closed()
    expect([counter.times, call.closings]).toEqual([0, 1])
  })
})

describe('a response to a body that was not read', () => {
  it.each([
    ['whole', async (manual: ManualApplication) => manual.response(textReply('no', 401))],
    [
      'streamed',
      async (manual: ManualApplication) => manual.response(streamed((sink) => sink.end('no'), 401)),
    ],
    ['a fault', async (manual: ManualApplication) => manual.fail(new Error('oh'))],
  ] as const)('ends the connection in a way that it can be read: %s', async (_, reply) => {
    const { manual, call } = await requested(awaited(100), 'abc')
    await reply(manual)
    await settled()
    expect(call.responses()).toMatchObject([{ isComplete: true }])
    expect(call.responses()[0]?.headers.get('connection')).toBe('close')
    expect(call.socket.calls).toEqual(['shutdown'])
    await call.send('x'.repeat(97), get('/smuggled'))
    expect(manual.targets).toEqual(['/'])
    expect(call.responses()).toHaveLength(1)
  })

  it('lets the caller go on sending, even one that was not read any further', async () => {
    const { manual, call } = await requested(awaited(1_000_000), 'x'.repeat(300_000))
    expect(call.socket.isPaused).toBe(true)
    manual.response(textReply('no', 401))
    await settled()
    expect(call.socket.isPaused).toBe(false)
    expect(call.socket.calls).toContain('shutdown')
  })

  it.each([
    ['of a known length', message('POST', '/', ['Content-Length: 11']), 'hello world'],
    [
      'in chunks',
      message('POST', '/', ['Transfer-Encoding: chunked']),
      '5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n',
    ],
  ] as const)('may say that it was too long: %s', async (_, head, body) => {
    const call = new Call(async (request) =>
      textReply('limited', (await request.buffered(10)) === undefined ? 413 : 200),
    )
    await call.send(head)
    for (const unit of body) await call.send(unit)
    await call.send(get('/smuggled'))
    expect(call.statuses).toEqual([413])
    expect(call.socket.calls).toContain('shutdown')
  })

  it('goes without an end when the body had come although it was too long', async () => {
    const call = new Call(async (request) => textReply(String(await request.buffered(3))))
    await call.send(post('/', 'hello') + post('/', 'abc'))
    expect(call.bodies).toEqual(['undefined', 'abc'])
    expect(call.socket.calls).toEqual([])
  })

  it('is waited for although the application takes its time after it gave up reading', async () => {
    const { manual, call } = await requested(awaited(100), 'abc')
    expect(manual.request().buffered(10)).toBeUndefined()
    await call.pass(idleMs)
    manual.response(textReply('no', 413))
    await settled()
    expect(call.statuses).toEqual([413])
  })
})

describe('a streamed response that is cut off', () => {
  it('is not taken for a complete one', async () => {
    const { call, source } = await streaming()
    source.sink.abort()
    expect(source.write('late')).toBe(false)
    source.sink.end('late')
    await call.send(get('/next'))
    expect(call.responses()).toMatchObject([{ body: 'begun ', isComplete: false }])
    expect(call.socket.isEnded).toBe(true)
  })

  it('is not taken for the whole in HTTP/1.0 either, where an orderly end would be one', async () => {
    const { call, source } = await streaming('GET / HTTP/1.0\r\n\r\n')
    source.sink.abort()
    expect(call.socket.calls).toEqual(['terminate'])
  })

  it('is nothing when it had not begun', async () => {
    const call = new Call(async () => streamed((sink) => sink.abort()))
    await call.send(get())
    expect(call.text).toBe('')
    expect(call.socket.isEnded).toBe(true)
  })

  it('gets no 100 Continue', async () => {
    const { call, source } = await streaming()
    let reported = 0
    call.socket.takes = () => 1
    source.write('more')
    source.sink.whenDrained(() => (reported += 1))
    source.sink.abort()
    call.socket.takes = (offered) => offered
    call.connection.writable()
    expect(reported).toBe(0)
  })
})

describe('a connection that is to end', () => {
  it('ends at once when it is idle, or has part of a head', async () => {
    for (const pieces of [[], [get()], ['GET /']]) {
      const call = new Call(echo)
      await call.send(...pieces)
      call.connection.retire(0)
      expect(call.socket.calls).toEqual(['end'])
    }
  })

  it('ends with the response of the request that is served, and says so', async () => {
    const { manual, call } = await requested(get('/a') + get('/b'))
    call.connection.retire(0)
    expect(call.socket.isEnded).toBe(false)
    manual.response(textReply('last'))
    await settled()
    expect(call.responses()).toMatchObject([{ body: 'last' }])
    expect(call.responses()[0]?.headers.get('connection')).toBe('close')
    expect(call.socket.calls).toEqual(['end'])
    expect(manual.targets).toEqual(['/a'])
  })

  it('ends with a response that was being streamed', async () => {
    const { call, source } = await streaming()
    call.connection.retire(0)
    source.sink.end('last')
    expect(call.responses()).toMatchObject([{ body: 'begun last', isComplete: true }])
    expect(call.socket.calls).toEqual(['end'])
  })

  it('waits for a request that is on its way, counted from its last use', async () => {
    const call = new Call(echo)
    await call.send(get())
    await call.pass(3000)
    call.connection.retire(5000)
    expect(call.connection.isServing).toBe(true)
    await call.pass(1999)
    expect(call.socket.calls).toEqual([])
    await call.pass(1)
    expect(call.socket.calls).toEqual(['end'])
    expect(call.connection.isServing).toBe(false)
  })

  it('waits after a response that has not said that it ends', async () => {
    const { call, source } = await streaming()
    call.connection.retire(5000)
    await call.pass(60_000)
    source.sink.end('last')
    await call.pass(4999)
    expect(call.socket.calls).toEqual([])
    await call.pass(1)
    expect(call.socket.calls).toEqual(['end'])
  })

  it('ends once its response was taken', async () => {
    const { manual, call } = await requested(get('/a', 'Connection: close'))
    call.socket.takes = () => 5
    manual.response(textReply('last'))
    await settled()
    expect(call.socket.calls).toEqual([])
    await call.take()
    expect(call.bodies).toEqual(['last'])
    expect(call.socket.calls).toEqual(['end'])
  })
})

describe('a caller that ends its side after its request', () => {
  it.each([
    ['without a body', get('/a')],
    ['with a body', post('/a', 'hello')],
  ])('gets its answer, and then the connection ends: %s', async (_, request) => {
    const { manual, call } = await requested(request)
    call.connection.ended()
    expect(manual.request().isDisconnected).toBe(false)
    manual.response(textReply('here'))
    await settled()
    expect(call.bodies).toEqual(['here'])
    expect(call.socket.calls).toEqual(['end'])
  })

  it('gets the responses to all the requests that it sent ahead', async () => {
    const call = new Call(async ({ target }) => textReply(target))
    call.connection.received(Buffer.from(get('/a') + get('/b') + get('/c')))
    call.connection.ended()
    await settled()
    expect(call.bodies).toEqual(['/a', '/b', '/c'])
    expect(call.socket.calls).toEqual(['end'])
  })

  it('is gone when its request is incomplete', async () => {
    const { manual, call } = await requested(awaited(10), 'half')
    call.connection.ended()
    expect(call.socket.calls).toEqual(['terminate'])
    call.connection.closed()
    expect(manual.request().isDisconnected).toBe(true)
  })

  it.each([
    ['before its request', ''],
    ['in the middle of the head', 'GET / HTT'],
  ])('has the connection ended at once %s', async (_, text) => {
    const call = new Call(async () => textReply(''))
    await call.send(text)
    call.connection.ended()
    expect(call.socket.calls).toEqual(['end'])
  })

  it.each([
    ['a second, when its request had a body', post('/', 'hello'), 999],
    ['half a minute, when it had none', get(), 29_999],
  ])('is taken for gone after %s', async (_, request, within) => {
    const { call } = await requested(request)
    call.connection.ended()
    await call.pass(within)
    expect(call.socket.calls).toEqual([])
    await call.pass(1)
    expect(call.socket.calls).toEqual(['terminate'])
  })

  it.each([
    ['with a body', post('/', 'hello')],
    ['without', get()],
  ])('is taken for gone in the middle of an answer that comes to a stand: %s', async (_, request) => {
    const { call } = await streaming(request)
    call.connection.ended()
    await call.pass(1000)
    expect(call.socket.calls).toEqual(['terminate'])
  })

  it('gets a streamed answer to its end when it took some of it meanwhile', async () => {
    const { call, source } = await streaming(post('/', 'hello'))
    call.connection.ended()
    source.write('more ')
    await call.pass(1000)
    await call.pass(20_000)
    source.sink.end('end')
    expect(call.responses()).toMatchObject([{ body: 'begun more end', isComplete: true }])
    expect(call.socket.calls).toEqual(['end'])
  })

  it('gets a streamed response that is made at once', async () => {
    const { manual, call } = await requested()
    call.connection.ended()
    manual.response(streamed((sink) => sink.end('all')))
    await settled()
    expect(call.bodies).toEqual(['all'])
  })
})
