import { describe, expect, it } from 'bun:test'
import {
  answering,
  DisconnectCounter,
  echo,
  ManualApplication,
  streamed,
} from './test-support/applications.ts'
import { awaited, requested, streaming } from './test-support/asked.ts'
import { Call, idleMs, settled, textReply } from './test-support/call.ts'
import { get, post } from './test-support/messages.ts'

describe('a connection that was waited for long enough', () => {
  it('is ended when it is idle, also after a response', async () => {
    const call = new Call(echo)
    await call.pass(idleMs - 1)
    await call.send(get())
    await call.pass(idleMs - 1)
    expect(call.socket.calls).toEqual([])
    await call.pass(1)
    expect(call.socket.calls).toEqual(['end'])
    expect(call.statuses).toEqual([200])
  })

  it('is ended when it sends nothing but line breaks', async () => {
    const call = new Call(echo)
    await call.pass(idleMs - 1)
    await call.send('\r\n', '\r\n')
    await call.pass(1)
    expect(call.socket.isEnded).toBe(true)
    expect(call.text).toBe('')
  })

  it('is refused when its head is incomplete, however steadily it comes', async () => {
    const manual = new ManualApplication()
    const call = new Call(manual.application)
    for (const unit of get('/slow').slice(0, 17)) {
      await call.pass(idleMs / 16)
      await call.send(unit)
    }
    expect(call.statuses).toEqual([408])
    expect(call.socket.calls).toEqual(['shutdown'])
    expect(manual.targets).toEqual([])
  })

  it('is refused when its body has stalled, and not while it comes', async () => {
    const { manual, call } = await requested(awaited(2_000_000))
    const counter = new DisconnectCounter(manual.request())
    for (let piece = 0; piece < 3; piece += 1) {
      await call.pass(idleMs - 1)
      expect(call.statuses).toEqual([])
      await call.send('x'.repeat(600_000))
      await manual.request().read()
    }
    await call.pass(idleMs)
    expect(call.statuses).toEqual([408])
    expect(counter.times).toBe(1)
  })

  it('is refused when its body comes in drops, however steadily', async () => {
    const { call } = await requested(awaited(4000))
    let seconds = 0
    for (; call.statuses.length === 0 && seconds < 1000; seconds += 1) {
      await call.pass(1000)
      await call.send('x')
    }
    expect(call.statuses).toEqual([408])
    expect(seconds).toBeLessThan(70)
  })

  it('is not refused while its body comes at the least rate, however long it is', async () => {
    const { manual, call } = await requested(awaited(100 * 8192))
    const body = manual.request().buffered(1_000_000)
    for (let second = 0; second < 100; second += 1) {
      await call.pass(1000)
      await call.send('x'.repeat(8192))
    }
    expect((await body)?.length).toBe(100 * 8192)
  })

  it('is not ended while the application is waited for', async () => {
    const { manual, call } = await requested(post('/', 'hello'))
    await call.pass(100 * idleMs)
    manual.response(textReply('late'))
    await settled()
    expect(call.bodies).toEqual(['late'])
    await call.pass(idleMs - 1)
    expect(call.socket.isEnded).toBe(false)
  })

  it('is not ended while nobody reads its body, of which more has come than is kept', async () => {
    const { manual, call } = await requested(awaited(1_000_000), 'x'.repeat(300_000))
    await call.pass(100 * idleMs)
    expect(call.socket.isEnded).toBe(false)
    await manual.request().read()
    await call.pass(idleMs)
    expect(call.statuses).toEqual([408])
  })

  it('is ended later when its request was allowed a longer silence, and the next was not', async () => {
    const { manual, call } = await requested(post('/', 'ab'))
    manual.request().allowSilence(5 * idleMs)
    call.socket.takes = () => 1
    manual.response(textReply('ok'))
    await call.pass(5 * idleMs - 1)
    expect(call.socket.isEnded).toBe(false)
    call.socket.takes = (offered) => offered
    await call.take()
    await call.pass(idleMs)
    expect(call.socket.isEnded).toBe(true)
  })

  it('is not ended while nobody reads its body, whatever silence it was allowed', async () => {
    const { manual, call } = await requested(awaited(1_000_000), 'x'.repeat(300_000))
    manual.request().allowSilence(2 * idleMs)
    await call.pass(100 * idleMs)
    expect(call.socket.isEnded).toBe(false)
  })

  it('is ended when a buffered response is not taken, and not while it is', async () => {
    const call = new Call(answering(textReply('x'.repeat(100_000))))
    call.socket.takes = () => 100
    await call.send(get())
    for (let turn = 0; turn < 3; turn += 1) {
      await call.pass(idleMs - 1)
      call.connection.writable()
    }
    expect(call.socket.isEnded).toBe(false)
    await call.pass(idleMs)
    expect(call.socket.isEnded).toBe(true)
  })

  it('is ended when a streamed response is not taken, and not while it is', async () => {
    const { call, source } = await streaming()
    call.socket.takes = () => 100
    source.write('x'.repeat(100_000))
    for (let turn = 0; turn < 3; turn += 1) {
      await call.pass(idleMs - 1)
      call.connection.writable()
    }
    expect(call.socket.isEnded).toBe(false)
    await call.pass(idleMs)
    expect(call.socket.isEnded).toBe(true)
  })

  it.each([
    ['sends requests ahead, more than are read', [get()], ['x'.repeat(70_000)]],
    ['sends its body all the same, more than is read', [awaited(1_000_000)], ['x'.repeat(300_000)]],
    ['sends the end of its body', [awaited(4), 'ab'], ['cd']],
  ] as const)('is ended when an answer is not taken by a caller that %s', async (_, before, after) => {
    for (const isStreamed of [false, true]) {
      const { manual, call } = await requested(...before)
      call.socket.takes = () => 0
      manual.response(isStreamed ? streamed((sink) => sink.end('no')) : textReply('no', 401))
      await settled()
      await call.send(...after)
      await call.pass(idleMs)
      expect(call.socket.isEnded).toBe(true)
    }
  })

  it('is not ended while a streamed response has nothing to say', async () => {
    const { call, source } = await streaming()
    call.socket.takes = () => 1
    source.write('x'.repeat(1000))
    call.socket.takes = (offered) => offered
    await call.take()
    await call.pass(100 * idleMs)
    source.sink.end('done')
    expect(call.responses()).toMatchObject([{ isComplete: true }])
  })

  it('is ended when its caller does not close after a response that ends it', async () => {
    const call = new Call(answering(textReply('no', 401)))
    await call.send(awaited(100))
    await call.pass(idleMs)
    expect(call.socket.calls).toEqual(['shutdown', 'terminate'])
  })

  it('is ended although its caller still sends after a response that ends it', async () => {
    const call = new Call(answering(textReply('no', 401)))
    await call.send(awaited(1_000_000))
    for (let second = 0; second < 60; second += 1) {
      await call.pass(1000)
      await call.send('x')
    }
    expect(call.socket.calls).toContain('terminate')
  })
})
