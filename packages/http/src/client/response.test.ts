import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { ConnectionLostError, MalformedMessageError } from '../wire/body.ts'
import {
  chunkedHead,
  closeWorld,
  echoing,
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
  settled,
  textOf,
  useNewClient,
  world,
} from './test-support/client-world.ts'
import { errorOf } from './test-support/error-of.ts'
import { answering } from './test-support/scripted-server.ts'

beforeEach(() => openWorld())
afterEach(closeWorld)

describe('the response', () => {
  it.each([
    ['its length', `${lengthHead(5)}hello`],
    ['chunks', `${chunkedHead}2\r\nhe\r\n3;x\r\nllo\r\n0\r\nTrailer: x\r\n\r\n`],
  ])('is read by %s, whole however it is split', async (_, bytes) => {
    await serve(async (connection) => {
      for (let position = 1; position < bytes.length; position += 1) {
        await connection.request()
        await connection.sendPieces([bytes.slice(0, position), bytes.slice(position)])
      }
      await connection.request()
      await connection.sendPieces([...bytes])
    })
    for (let position = 1; position <= bytes.length; position += 1) expect(await textOf(post())).toBe('hello')
    expect(world.server.connections.length).toBe(1)
  })

  it('is read until the connection is closed when it announces no end', async () => {
    await serve(async (connection) => {
      await connection.request()
      await connection.sendPieces([`${endlessHead}he`, 'llo'])
      connection.socket.end()
    })
    expect(await textOf(post())).toBe('hello')
  })

  it.each(['204 No Content', '304 Not Modified', '200 OK\r\nContent-Length: 0'])(
    'has no body: %j',
    async (head) => {
      await serve(answering(`HTTP/1.1 ${head}\r\n\r\n`))
      expect(await (await post().response).read()).toEqual({ done: true })
      expect(await textOf(post())).toBe('')
      expect(world.server.connections.length).toBe(1)
    },
  )

  it('tells status and header fields, and is no error when its status is one', async () => {
    await serve(
      answering('HTTP/1.1 503 Busy\r\nContent-Type: a/b\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n'),
    )
    const response = await post().response
    expect(response.status).toBe(503)
    expect(response.headers()).toEqual({ 'content-type': 'a/b', 'retry-after': '1', 'content-length': '0' })
    expect([response.header('content-type'), response.header('retry-after'), response.header('x')]).toEqual([
      'a/b',
      '1',
      null,
    ])
  })

  it('comes head first, and then piece by piece as it is sent', async () => {
    const steps = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await serve(async (connection) => {
      await connection.request()
      connection.socket.write(chunkedHead)
      for (const [index, step] of steps.entries()) {
        await step.promise
        connection.socket.write(`1\r\n${index}\r\n`)
      }
    })
    const exchange = post()
    await exchange.response
    for (const [index, step] of steps.entries()) {
      const reading = pieceOf(exchange)
      step.resolve()
      expect(await reading).toBe(String(index))
    }
  })

  it('is the final one: interim responses are read over', async () => {
    const interim =
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nContent-Length: 9\r\nConnection: close\r\n\r\n'
    await serve(answering(interim + ok))
    expect([await textOf(post()), await textOf(post())]).toEqual(['ok', 'ok'])
    expect(world.server.connections.length).toBe(1)
  })

  it('may have sixteen interim responses before it, and no more', async () => {
    const interim = 'HTTP/1.1 102 Processing\r\n\r\n'
    await serve(answering(interim.repeat(16) + ok), async (connection) => {
      await connection.request()
      await connection.sendPieces(Array<string>(17).fill(interim))
    })
    expect(await textOf(post())).toBe('ok')
    expect(await textOf(post())).toBe('ok')
    world.client.close()
    useNewClient()
    expect(await errorOf(post().response)).toBeInstanceOf(MalformedMessageError)
    await expectClosed(1)
  })

  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n\r\n'],
    ['another protocol without an empty line', '220 mail.example ready\r\n'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['bare line feeds', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok'],
    ['a head without end', `HTTP/1.1 200 OK\r\nA: ${'b'.repeat(65 * 1024)}`],
    ['too long a head', `HTTP/1.1 200 OK\r\nA: ${'b'.repeat(65 * 1024)}\r\n\r\n`],
    ['another protocol from here on', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'],
    ['two lengths', `HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok`],
  ])('is refused, and the connection closed, when it is not HTTP: %s', async (_, bytes) => {
    await serve(sendingOnce(bytes))
    expect(await errorOf(post().response)).toBeInstanceOf(MalformedMessageError)
    await expectClosed(0)
  })

  it('is refused, and the connection closed, when a chunk is malformed', async () => {
    await serve(sendingOnce(`${chunkedHead}2\r\nok\r\nno size\r\n`))
    const exchange = post()
    expect(await pieceOf(exchange)).toBe('ok')
    expect(await errorOf(pieceOf(exchange))).toBeInstanceOf(MalformedMessageError)
    await expectClosed(0)
  })

  it.each([
    ['its length', `${lengthHead(9)}hello`],
    ['chunks', `${chunkedHead}5\r\nhello\r\n`],
  ])('by %s gives what had come, and then an error, when the connection is cut', async (_, bytes) => {
    for (const cut of ['end', 'resetAndDestroy'] as const) {
      const read = Promise.withResolvers<void>()
      await serve(async (connection) => {
        await connection.request()
        connection.socket.write(bytes)
        await read.promise
        connection.socket[cut]()
      })
      const exchange = post()
      expect(await pieceOf(exchange)).toBe('hello')
      const next = errorOf(pieceOf(exchange))
      read.resolve()
      expect(await next).toBeInstanceOf(ConnectionLostError)
      expect(await errorOf(textOf(exchange))).toBeInstanceOf(ConnectionLostError)
      world.server.close()
    }
  })

  it('gives what had come before the connection was cut also to who reads later', async () => {
    await serve(async (connection) => {
      await connection.request()
      connection.socket.end(`${lengthHead(9)}hello`)
    })
    const exchange = post()
    await exchange.response
    await expectClosed(0)
    expect(await pieceOf(exchange)).toBe('hello')
    expect(await errorOf(pieceOf(exchange))).toBeInstanceOf(ConnectionLostError)
  })

  it.each([
    ['its length', lengthHead(2 * megabyte)],
    ['the end of the connection', endlessHead],
  ])('by %s is whole also for a reader who comes when the connection was closed', async (_, head) => {
    await serve(async (connection) => {
      await connection.request()
      connection.socket.write(head)
      connection.socket.end(Buffer.alloc(2 * megabyte))
    })
    const response = await post().response
    await Bun.sleep(30)
    expect((await response.buffered(2 * megabyte))?.length).toBe(2 * megabyte)
  })

  it('is not whole when a connection that ends it is reset', async () => {
    const read = Promise.withResolvers<void>()
    await serve(async (connection) => {
      await connection.request()
      connection.socket.write(`${endlessHead}hello`)
      await read.promise
      connection.socket.resetAndDestroy()
    })
    const exchange = post()
    expect(await pieceOf(exchange)).toBe('hello')
    read.resolve()
    expect(await errorOf(pieceOf(exchange))).toBeInstanceOf(ConnectionLostError)
  })

  it('is each its own of 200 requests at once', async () => {
    await serve(echoing)
    for (const round of ['first', 'second']) {
      const bodies = Array.from({ length: 200 }, (_, index) => `${round} ${index}`)
      expect(await Promise.all(bodies.map((body) => textOf(post(body))))).toEqual(bodies)
    }
    expect(world.server.connections.length).toBe(200)
  })

  it('is not read far ahead of its reader, and arrives whole', async () => {
    const body = Buffer.alloc(50 * megabyte, '0123456789abcdefg')
    let accepted = 0
    await serve(async (connection) => {
      await connection.request()
      connection.socket.write(lengthHead(body.length))
      for (; accepted < body.length; accepted += megabyte) {
        const piece = body.subarray(accepted, accepted + megabyte)
        await new Promise((resolve) => connection.socket.write(piece, resolve))
      }
    })
    const response = await post().response
    await settled(() => accepted)
    // What the system keeps for both sockets, and a little of ours.
    expect(accepted).toBeLessThan(body.length / 2)
    const buffered = await response.buffered(body.length)
    expect(buffered?.length).toBe(body.length)
    expect(Bun.hash(buffered ?? '')).toBe(Bun.hash(body))
  })

  it.each([
    ['its length', `${lengthHead(5)}hello`],
    ['chunks', `${chunkedHead}5\r\nhello\r\n0\r\n\r\n`],
    ['the end of the connection', `${endlessHead}hello`],
  ])('by %s is given whole when it is as long as the limit', async (_, bytes) => {
    await serve(async (connection) => {
      await connection.request()
      connection.socket.end(bytes)
    })
    const buffered = await (await post().response).buffered(5)
    expect(Buffer.from(buffered ?? []).toString()).toBe('hello')
  })

  it.each([
    ['its length, before it has come', lengthHead(6)],
    ['chunks', `${chunkedHead}3\r\nabc\r\n3\r\ndef\r\n`],
    ['the end of the connection', `${endlessHead}abcdef`],
  ])('by %s is not given, and the connection closed, when it is longer than the limit', async (_, bytes) => {
    await serve(sendingOnce(bytes))
    expect(await (await post().response).buffered(5)).toBeUndefined()
    await expectClosed(0)
  })
})
