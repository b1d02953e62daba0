import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { ConnectionLostError } from '../wire/body.ts'
import {
  chunkedHead,
  closeWorld,
  echoing,
  ending,
  expectClosed,
  lengthHead,
  megabyte,
  ok,
  openWorld,
  passTime,
  post,
  send,
  sendingOnce,
  serve,
  textOf,
  thenOnReuse,
  world,
} from './test-support/client-world.ts'
import { errorOf } from './test-support/error-of.ts'
import { startResettingServer } from './test-support/resetting-server.ts'
import { answering } from './test-support/scripted-server.ts'

beforeEach(() => openWorld())
afterEach(closeWorld)

describe('a connection', () => {
  it('serves one request after another', async () => {
    await serve(echoing)
    for (const body of ['a', '', 'c']) expect(await textOf(post(body))).toBe(body)
    expect(world.server.connections.length).toBe(1)
  })

  it.each([
    ['an answer that says so', `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok`],
    ['an answer in HTTP/1.0', `HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok`],
    ['bytes beyond an answer by length', `${ok}HTTP/1.1 200 OK`],
    ['bytes beyond an answer by chunks', `${chunkedHead}2\r\nok\r\n0\r\n\r\n\r\n`],
  ])('is closed after %s', async (_, bytes) => {
    await serve(sendingOnce(bytes), answering(ok))
    expect(await textOf(post())).toBe('ok')
    expect(await textOf(post())).toBe('ok')
    await expectClosed(0)
    expect(world.server.connections.length).toBe(2)
  })

  it('is closed after a response that came before the request was wholly written', async () => {
    await serve((connection) => {
      connection.socket.once('data', () => connection.socket.pause().write(ok))
    }, answering(ok))
    expect(await textOf(post('x'.repeat(20 * megabyte)))).toBe('ok')
    expect(await textOf(post())).toBe('ok')
    world.server.connections[0]?.socket.resume()
    await expectClosed(0)
    expect(world.server.connections.length).toBe(2)
  })

  it.each([
    ['nothing', '', 29_999, 30_000],
    ['5 seconds', 'Keep-Alive: timeout=5\r\n', 3_999, 4_000],
    ['an hour', 'Keep-Alive: timeout=3600\r\n', 29_999, 30_000],
    ['no time at all', 'Keep-Alive: timeout=0\r\n', undefined, 0],
  ])('idles as long as the server surely keeps it, when it announces %s', async (_, field, within, after) => {
    await serve(answering(ok.replace('\r\n', `\r\n${field}`)))
    await textOf(post())
    if (within !== undefined) {
      passTime(within)
      await textOf(post())
    }
    expect(world.server.connections.length).toBe(1)
    passTime(after)
    await textOf(post())
    await expectClosed(0)
    expect(world.server.connections.length).toBe(2)
  })

  it.each(['end', 'resetAndDestroy'] as const)(
    'that ends (%s) instead of an answer does not have a POST sent once more: it may have been carried out',
    async (end) => {
      await serve(
        thenOnReuse(({ socket }) => socket[end]()),
        echoing,
      )
      await textOf(post('first'))
      expect(await errorOf(post('second').response)).toBeInstanceOf(ConnectionLostError)
      expect(world.server.connections.length).toBe(1)
    },
  )

  it.each(['GET', 'HEAD'])('that ends instead of a response has a %s sent once more', async (method) => {
    await serve(
      thenOnReuse(({ socket }) => socket.end()),
      answering(ok),
    )
    await textOf(post())
    const { status } = await send(method).response
    expect(status).toBe(200)
    expect(world.server.connections[1]?.requests).toEqual(
      world.server.connections[0]?.requests.slice(1) ?? [],
    )
  })

  it('that was reset before a POST was written has it sent over a fresh one', async () => {
    const resetting = await startResettingServer()
    const { url } = resetting
    await textOf(post('first', url))
    // The reset arrives unnoticed: the socket refuses the next request.
    resetting.resetNow()
    Bun.sleepSync(100)
    expect(await textOf(post('second', url))).toBe('ok')
    expect(await resetting.stop()).toEqual(['first', 'second'])
  })

  it('that is fresh and ends so has the request fail', async () => {
    await serve(ending)
    expect(await errorOf(post().response)).toBeInstanceOf(ConnectionLostError)
    expect(world.server.connections.length).toBe(1)
  })

  it('that is fresh because another had ended so has the request fail as well', async () => {
    await serve(
      thenOnReuse(({ socket }) => socket.end()),
      ending,
    )
    await textOf(post())
    expect(await errorOf(send('GET').response)).toBeInstanceOf(ConnectionLostError)
    expect(world.server.connections.length).toBe(2)
  })

  it.each(['H', 'HTTP/1.1 100 Continue\r\n\r\n', lengthHead(2)])(
    'that ends after %j does not have the request sent once more',
    async (part) => {
      await serve(thenOnReuse(({ socket }) => socket.end(part)))
      await textOf(post())
      expect(await errorOf(textOf(post()))).toBeInstanceOf(ConnectionLostError)
      expect(world.server.connections.length).toBe(1)
    },
  )

  it('is opened anew after five minutes, however busy it is', async () => {
    await serve(answering(ok))
    for (let second = 0; second < 300; second += 20) {
      await textOf(post())
      passTime(20_000)
    }
    expect(world.server.connections.length).toBe(1)
    await textOf(post())
    expect(world.server.connections.length).toBe(2)
    await expectClosed(0)
  })

  it('goes on after a response in HTTP/1.0 that says so', async () => {
    await serve(answering('HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok'))
    expect([await textOf(post()), await textOf(post())]).toEqual(['ok', 'ok'])
    expect(world.server.connections.length).toBe(1)
  })

  it('goes on after HEAD, whose response has no body whatever it says', async () => {
    await serve(answering(lengthHead(9), ok))
    const head = await send('HEAD').response
    expect(head.header('content-length')).toBe('9')
    expect(await head.read()).toEqual({ done: true })
    expect(await textOf(post())).toBe('ok')
    expect(world.server.connections.length).toBe(1)
  })

  it('on which bytes come that nobody asked for is closed, and they answer nothing', async () => {
    const responded = Promise.withResolvers<void>()
    await serve(async (connection) => {
      await connection.request()
      connection.socket.write(ok)
      await responded.promise
      connection.socket.write(ok.replaceAll('ok', 'no'))
    }, answering(ok))
    await textOf(post())
    responded.resolve()
    await expectClosed(0)
    expect(await textOf(post())).toBe('ok')
    expect(world.server.connections.length).toBe(2)
  })

  it('is closed with the client when it idles, and while it serves when it has', async () => {
    const closed = Promise.withResolvers<void>()
    await serve(answering(ok), async (connection) => {
      await connection.request()
      await closed.promise
      connection.socket.write(ok)
    })
    const [idle, busy] = [post(), post()]
    await textOf(idle)
    world.client.close()
    await expectClosed(0)
    closed.resolve()
    expect(await textOf(busy)).toBe('ok')
    await expectClosed(1)
  })
})
