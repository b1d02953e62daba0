import { describe, expect, it } from 'bun:test'
import { errorOf } from '../client/test-support/error-of.ts'
import { ConnectionLostError } from '../wire/body.ts'
import { createAccountBodyBudgets, createByteBudget } from './byte-budget.ts'
import { ShareExceededError } from './request-receiver.ts'
import { echo, ManualApplication } from './test-support/applications.ts'
import { awaited } from './test-support/asked.ts'
import { Call, settled, textReply } from './test-support/call.ts'
import { get, message, post } from './test-support/messages.ts'

describe('a byte budget', () => {
  it('gives what is left, and no part of more', () => {
    const budget = createByteBudget(10)
    expect([budget.tryTake(6), budget.tryTake(5), budget.tryTake(4), budget.tryTake(1)]).toEqual([
      true,
      false,
      true,
      false,
    ])
    budget.release(6)
    expect([budget.takenBytes, budget.tryTake(6)]).toEqual([4, true])
  })
})

describe('the bodies of requests', () => {
  it('hold their bytes until they are answered', async () => {
    const budget = createByteBudget(100)
    const manual = new ManualApplication()
    const call = new Call(manual.application, budget)
    await call.send(post('/', 'x'.repeat(60)))
    await manual.request().buffered(100)
    expect(budget.takenBytes).toBe(60)
    manual.response(textReply('done'))
    await settled()
    expect(budget.takenBytes).toBe(0)
  })

  it('hold their bytes while they are worked on for a caller who has hung up', async () => {
    const budget = createByteBudget(100)
    const manual = new ManualApplication()
    const call = new Call(manual.application, budget)
    await call.send(post('/', 'x'.repeat(60)))
    await manual.request().buffered(100)
    call.connection.closed()
    expect(budget.takenBytes).toBe(60)
    manual.response(textReply('for nobody'))
    await settled()
    expect(budget.takenBytes).toBe(0)
  })

  it('hold nothing when their caller hangs up before they have come whole', async () => {
    const budget = createByteBudget(100)
    const call = new Call(new ManualApplication().application, budget)
    await call.send(awaited(60), 'x'.repeat(30))
    expect(budget.takenBytes).toBe(30)
    call.connection.closed()
    expect(budget.takenBytes).toBe(0)
  })

  it('are refused with 503 and Retry-After when they find no room, before they come', async () => {
    const budget = createByteBudget(100)
    const manual = new ManualApplication()
    await new Call(manual.application, budget).send(post('/first', 'x'.repeat(60)))
    const second = new Call(manual.application, budget)
    await second.send(awaited(41))
    expect(second.responses()).toMatchObject([{ status: 503, isComplete: true }])
    expect(second.responses()[0]?.headers.get('retry-after')).toBe('1')
    expect(second.responses()[0]?.headers.get('connection')).toBe('close')
    expect(manual.targets).toEqual(['/first'])
  })

  it('are refused while they come in chunks, and the application learns of it', async () => {
    const budget = createByteBudget(100)
    const manual = new ManualApplication()
    const call = new Call(manual.application, budget)
    await call.send(message('POST', '/', ['Transfer-Encoding: chunked']))
    const failure = errorOf(manual.request().buffered(1000))
    await call.send(`64\r\n${'x'.repeat(100)}\r\n`)
    expect(call.statuses).toEqual([503])
    expect(manual.request().isDisconnected).toBe(true)
    expect(await failure).toBeInstanceOf(ConnectionLostError)
    expect(budget.takenBytes).toBe(0)
    manual.response(textReply('late'))
    await settled()
    expect(call.statuses).toEqual([503])
  })

  it('end their connection when their response had begun before they found no room', async () => {
    const budget = createByteBudget(100)
    const manual = new ManualApplication()
    const call = new Call(manual.application, budget)
    await call.send(message('POST', '/', ['Transfer-Encoding: chunked']))
    manual.response({
      status: 200,
      headers: {},
      body: { pipe: (sink) => void sink.write([Buffer.from('begun')]) },
    })
    await settled()
    await call.send(`64\r\n${'x'.repeat(100)}\r\n`)
    expect(call.socket.calls).toContain('terminate')
  })

  it('are taken within the share of their account, and leave it when they are answered', async () => {
    const budget = createByteBudget(1000)
    const shares = createAccountBodyBudgets(100)
    const manual = new ManualApplication()
    const first = new Call(manual.application, budget)
    await first.send(post('/first', 'x'.repeat(80)))
    expect(manual.request().countAgainst(shares.enter(7))).toBe(true)
    const second = new Call(manual.application, budget)
    await second.send(post('/second', 'x'.repeat(30)))
    expect(manual.request(1).countAgainst(shares.enter(7))).toBe(false)
    expect(manual.request(1).countAgainst(shares.enter(8))).toBe(true)
    manual.response(textReply('done'))
    await settled()
    expect(shares.size).toBe(1)
    manual.response(textReply('done'), 1)
    await settled()
    expect([shares.size, budget.takenBytes]).toEqual([0, 0])
  })

  it('fail while they come when their account holds its share, and can be answered', async () => {
    const budget = createByteBudget(1000)
    const manual = new ManualApplication()
    const call = new Call(manual.application, budget)
    await call.send(awaited(500), 'x'.repeat(60))
    manual.request().countAgainst(createAccountBodyBudgets(100).enter(7))
    const failure = errorOf(manual.request().buffered(1000))
    await call.send('x'.repeat(60))
    expect(await failure).toBeInstanceOf(ShareExceededError)
    manual.response(textReply('too much', 429))
    await settled()
    expect(call.statuses).toEqual([429])
    expect(budget.takenBytes).toBe(0)
  })

  it('let go of what is in memory no longer', async () => {
    const budget = createByteBudget(1000)
    const shares = createAccountBodyBudgets(100)
    const manual = new ManualApplication()
    const call = new Call(manual.application, budget)
    await call.send(awaited(500), 'x'.repeat(60))
    manual.request().countAgainst(shares.enter(7))
    for (let piece = 0; piece < 4; piece += 1) {
      manual.request().releaseBytes(60)
      await call.send('x'.repeat(60))
    }
    expect(budget.takenBytes).toBe(60)
    call.connection.closed()
    manual.response(textReply('for nobody'))
    await settled()
    expect([shares.size, budget.takenBytes]).toEqual([0, 0])
  })

  it('that are empty need no room', async () => {
    const call = new Call(echo, createByteBudget(0))
    await call.send(get('/a'))
    expect(call.statuses).toEqual([200])
  })
})
