import { describe, expect, it } from 'bun:test'
import { ManualApplication, ManualBody, streamed } from './test-support/applications.ts'
import { Call, nextTurn, settled, textReply } from './test-support/call.ts'
import { get } from './test-support/messages.ts'

const counting = (served: string[]) => async (request: { readonly target: string }) => {
  served.push(request.target)
  return textReply(request.target)
}

describe('requests that are sent ahead', () => {
  it('are served one in a turn of the event loop', async () => {
    const served: string[] = []
    const call = new Call(counting(served))
    call.connection.received(Buffer.from(Array.from({ length: 5 }, (_, index) => get(`/${index}`)).join('')))
    for (let turn = 1; turn <= 5; turn += 1) {
      await nextTurn()
      expect(served.length).toBeLessThanOrEqual(turn + 1)
    }
    await settled()
    expect(served).toEqual(['/0', '/1', '/2', '/3', '/4'])
  })

  it('do not let those that come meanwhile overtake them', async () => {
    const served: string[] = []
    const call = new Call(counting(served))
    call.connection.received(Buffer.from(get('/a') + get('/b')))
    await Promise.resolve()
    await Promise.resolve()
    call.connection.received(Buffer.from(get('/c')))
    await settled()
    expect(served).toEqual(['/a', '/b', '/c'])
  })

  it('leave a turn to every other connection', async () => {
    const order: string[] = []
    const flood = new Call(async () => {
      order.push('flood')
      return textReply('')
    })
    const other = new Call(async () => {
      order.push('other')
      return textReply('')
    })
    flood.connection.received(Buffer.from(get().repeat(500)))
    await nextTurn()
    other.connection.received(Buffer.from(get()))
    await nextTurn()
    expect(order.indexOf('other')).toBeLessThan(4)
    await settled()
    expect(order.length).toBe(501)
  })

  it('are not read while an answer is not taken', async () => {
    const manual = new ManualApplication()
    const call = new Call(manual.application)
    call.socket.takes = () => 10
    await call.send(get('/a'))
    manual.response(textReply('an answer that is not taken'))
    await settled()
    await call.send(get('/b'))
    expect(call.socket.isPaused).toBe(true)
    expect(manual.targets).toEqual(['/a'])
    call.socket.takes = (offered) => offered
    await call.take()
    expect(call.socket.isPaused).toBe(false)
    expect(manual.targets).toEqual(['/a', '/b'])
  })

  it('are not read while a streamed answer is not taken, and read again when it is', async () => {
    const manual = new ManualApplication()
    const source = new ManualBody()
    const call = new Call(manual.application)
    await call.send(get('/a'))
    manual.response(streamed((sink) => source.pipe(sink)))
    await settled()
    call.socket.takes = () => 10
    source.write('a piece that is not taken at once')
    await call.send(get('/b'))
    expect(call.socket.isPaused).toBe(true)
    call.socket.takes = (offered) => offered
    await call.take()
    expect(call.socket.isPaused).toBe(false)
  })

  it('end with their connection when it breaks, although it is not read', async () => {
    const call = new Call(async () => textReply('x'))
    call.connection.received(Buffer.from(get().repeat(5000)))
    expect(call.socket.isPaused).toBe(true)
    call.socket.isBroken = true
    await settled()
    expect(call.socket.calls).toContain('terminate')
    expect(call.connection.isServing).toBe(true)
    call.connection.closed()
    expect(call.connection.isServing).toBe(false)
  })

  it('are not read without end while they wait to be served', async () => {
    const call = new Call(async () => textReply(''))
    const flood = Buffer.from(get().repeat(20_000))
    call.connection.received(flood)
    expect(call.socket.isPaused).toBe(true)
    await settled()
    expect(call.socket.isPaused).toBe(false)
    expect(call.statuses.length).toBe(20_000)
  }, 20_000)
})
