import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { ConnectionLostError } from '../wire/body.ts'
import type { HttpExchange } from './http-message.ts'
import {
  closeWorld,
  endlessHead,
  expectClosed,
  lengthHead,
  megabyte,
  ok,
  openWorld,
  pieceOf,
  post,
  sendingOnce,
  serve,
  textOf,
  thenOnReuse,
  world,
} from './test-support/client-world.ts'
import { errorOf } from './test-support/error-of.ts'
import { answering } from './test-support/scripted-server.ts'

beforeEach(() => openWorld())
afterEach(closeWorld)

describe('abort', () => {
  it('before the response rejects it and closes the connection', async () => {
    await serve(async (connection) => {
      await connection.request()
      exchange.abort()
    })
    const exchange = post()
    expect(await errorOf(exchange.response)).toBeInstanceOf(ConnectionLostError)
    await expectClosed(0)
  })

  it('while it connects rejects the response and sends nothing', async () => {
    await serve(answering(ok))
    const exchange = post('given up')
    exchange.abort()
    expect(await errorOf(exchange.response)).toBeInstanceOf(ConnectionLostError)
    expect(await textOf(post('wanted'))).toBe('ok')
    const requests = world.server.connections.flatMap((connection) => connection.requests.map(String))
    expect(requests.map((request) => request.endsWith('wanted'))).toEqual([true])
  })

  it('of a request on a kept connection does not have it sent once more', async () => {
    await serve(
      thenOnReuse(() => exchange.abort()),
      answering(ok),
    )
    await textOf(post())
    const exchange = post()
    expect(await errorOf(exchange.response)).toBeInstanceOf(ConnectionLostError)
    await expectClosed(0)
    expect(world.server.connections.length).toBe(1)
  })

  it.each([
    ['a piece', (exchange: HttpExchange) => pieceOf(exchange)],
    ['the whole', (exchange: HttpExchange) => textOf(exchange)],
  ])('in mid-body rejects what waits for %s, and closes the connection', async (_, wait) => {
    await serve(sendingOnce(lengthHead(9)))
    const exchange = post()
    await exchange.response
    const waiting = errorOf(wait(exchange))
    exchange.abort()
    expect(await waiting).toBeInstanceOf(ConnectionLostError)
    await expectClosed(0)
  })

  it('closes a connection that waits for its reader', async () => {
    await serve(sendingOnce(Buffer.concat([Buffer.from(endlessHead), Buffer.alloc(megabyte)])))
    const exchange = post()
    await exchange.response
    await Bun.sleep(20)
    exchange.abort()
    await expectClosed(0)
  })

  it('after the whole answer leaves it readable, and the next request on its connection alone', async () => {
    const held = Promise.withResolvers<void>()
    await serve(
      thenOnReuse(async ({ socket }) => {
        await held.promise
        socket.write(`${lengthHead(4)}next`)
      }),
    )
    const exchange = post()
    const response = await exchange.response
    const next = post()
    exchange.abort()
    // A limit that is passed would cut the connection as well.
    expect(await response.buffered(1)).toBeUndefined()
    expect(await pieceOf(exchange)).toBe('ok')
    held.resolve()
    expect(await textOf(next)).toBe('next')
    expect(world.server.connections.length).toBe(1)
  })
})
