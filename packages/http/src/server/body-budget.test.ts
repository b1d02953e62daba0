import { describe, expect, it } from 'bun:test'
import { errorOf } from '../client/test-support/error-of.ts'
import { ConnectionLostError } from '../wire/body.ts'
import { createByteBudget } from './byte-budget.ts'
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
    await manual.request().whole(100)
    expect(budget.takenBytes).toBe(60)
    manual.answer(textReply('done'))
    await settled()
    expect(budget.takenBytes).toBe(0)
  })

  it('hold their bytes while they are worked on for a caller who has hung up', async () => {
    const budget = createByteBudget(100)
    const manual = new ManualApplication()
    const call = new Call(manual.application, budget)
    await call.send(post('/', 'x'.repeat(60)))
    await manual.request().whole(100)
    call.connection.closed()
    expect(budget.takenBytes).toBe(60)
    manual.answer(textReply('for nobody'))
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
    expect(second.answers()).toMatchObject([{ status: 503, isWhole: true }])
    expect(second.answers()[0]?.headers.get('retry-after')).toBe('1')
    expect(second.answers()[0]?.headers.get('connection')).toBe('close')
    expect(manual.targets).toEqual(['/first'])
  })

  it('are refused while they come in chunks, and their application is told', async () => {
    const budget = createByteBudget(100)
    const manual = new ManualApplication()
    const call = new Call(manual.application, budget)
    await call.send(message('POST', '/', ['Transfer-Encoding: chunked']))
    const failure = errorOf(manual.request().whole(1000))
    await call.send(`64\r\n${'x'.repeat(100)}\r\n`)
    expect(call.statuses).toEqual([503])
    expect(manual.request().isGone).toBe(true)
    expect(await failure).toBeInstanceOf(ConnectionLostError)
    expect(budget.takenBytes).toBe(0)
    manual.answer(textReply('late'))
    await settled()
    expect(call.statuses).toEqual([503])
  })

  it('end their connection when their answer had begun before they found no room', async () => {
    const budget = createByteBudget(100)
    const manual = new ManualApplication()
    const call = new Call(manual.application, budget)
    await call.send(message('POST', '/', ['Transfer-Encoding: chunked']))
    manual.answer({
      status: 200,
      headers: {},
      body: { pipe: (sink) => void sink.write([Buffer.from('begun')]) },
    })
    await settled()
    await call.send(`64\r\n${'x'.repeat(100)}\r\n`)
    expect(call.socket.calls).toContain('terminate')
  })

  it('that are empty need no room', async () => {
    const call = new Call(echo, createByteBudget(0))
    await call.send(get('/a'))
    expect(call.statuses).toEqual([200])
  })
})
