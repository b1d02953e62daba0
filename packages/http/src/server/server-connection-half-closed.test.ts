import { describe, expect, it } from 'bun:test'
import { streamed } from './test-support/applications.ts'
import { asked, awaited, streaming } from './test-support/asked.ts'
import { Call, settled, textReply } from './test-support/call.ts'
import { get, post } from './test-support/messages.ts'

describe('a caller that ends its side after its request', () => {
  it.each([
    ['without a body', get('/a')],
    ['with a body', post('/a', 'hello')],
  ])('gets its answer, and then the connection ends: %s', async (_, request) => {
    const { manual, call } = await asked(request)
    call.connection.ended()
    expect(manual.request().isDisconnected).toBe(false)
    manual.response(textReply('here'))
    await settled()
    expect(call.bodies).toEqual(['here'])
    expect(call.socket.calls).toEqual(['end'])
  })

  it('gets the answers to all the requests that it sent ahead', async () => {
    const call = new Call(async ({ target }) => textReply(target))
    call.connection.received(Buffer.from(get('/a') + get('/b') + get('/c')))
    call.connection.ended()
    await settled()
    expect(call.bodies).toEqual(['/a', '/b', '/c'])
    expect(call.socket.calls).toEqual(['end'])
  })

  it('is gone when its request is not whole', async () => {
    const { manual, call } = await asked(awaited(10), 'half')
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
    const { call } = await asked(request)
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

  it('gets a streamed answer that is made at once', async () => {
    const { manual, call } = await asked()
    call.connection.ended()
    manual.response(streamed((sink) => sink.end('all')))
    await settled()
    expect(call.bodies).toEqual(['all'])
  })
})
