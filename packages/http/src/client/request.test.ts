import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { ConnectionLostError } from '../wire/body.ts'
import { fetchExchange } from './fetched-exchange.ts'
import { ConnectError, httpTarget } from './http-message.ts'
import {
  closeWorld,
  echoing,
  megabyte,
  ok,
  openWorld,
  post,
  serve,
  textOf,
  world,
} from './test-support/client-world.ts'
import { errorOf } from './test-support/error-of.ts'
import { answering } from './test-support/scripted-server.ts'

beforeEach(() => openWorld())
afterEach(closeWorld)

describe('how far a request got', () => {
  const big = 'x'.repeat(64 * megabyte)

  it.each([
    ['reset after it came whole', 'x', true],
    ['closed after it came whole', 'x', true],
    ['reset while it was written', big, false],
  ] as const)('is known when its connection is %s', async (what, body, isSent) => {
    await serve(async (connection) => {
      if (body === big) await new Promise((resolve) => connection.socket.once('data', resolve))
      else await connection.request()
      if (what.startsWith('reset')) connection.socket.resetAndDestroy()
      else connection.socket.end()
    })
    const exchange = post(body)
    expect(exchange.isSent).toBe(false)
    expect(await errorOf(exchange.response)).toBeInstanceOf(ConnectionLostError)
    expect(exchange.isSent).toBe(isSent)
  })

  it('is known of a kept connection that ends under it', async () => {
    await serve(async (connection) => {
      await connection.request()
      connection.socket.write(ok)
      await connection.request()
      connection.socket.resetAndDestroy()
    })
    expect(await textOf(post('x'))).toBe('ok')
    const second = post('x')
    await errorOf(second.response)
    expect(second.isSent).toBe(true)
  })

  it('is known while it waits, and when it is given up', async () => {
    await serve(async (connection) => {
      await connection.request()
    })
    const exchange = post('x')
    while (!exchange.isSent) await Bun.sleep(1)
    exchange.abort()
    await errorOf(exchange.response)
    expect(exchange.isSent).toBe(true)
  })

  it('is nowhere where nobody could be connected to', async () => {
    await serve(answering(ok))
    world.server.close()
    const exchange = post('x')
    expect(await errorOf(exchange.response)).toBeInstanceOf(ConnectError)
    expect(exchange.isSent).toBe(false)
  })

  it('is unknown of the runtime, unless it could not connect', async () => {
    await serve(async (connection) => {
      await connection.request()
      connection.socket.resetAndDestroy()
    })
    const lost = fetchExchange(world.server.url, { method: 'POST', body: 'x' })
    await errorOf(lost.response)
    expect(lost.isSent).toBe(true)
    const refused = fetchExchange('http://127.0.0.1:1/', { method: 'POST', body: 'x' })
    await errorOf(refused.response)
    expect(refused.isSent).toBe(false)
  })
})

describe('the request', () => {
  it('is sent byte for byte as it was composed', async () => {
    await serve(answering(ok))
    const headers = new Headers({
      Authorization: 'Bearer a b',
      'X-Tab': 'a\tb',
      Host: 'elsewhere',
      Connection: 'close',
      'Content-Length': '7',
      'Transfer-Encoding': 'chunked',
    })
    const body = '{"text":"é 日本 😀"}'
    const target = httpTarget(`${world.server.url}v1/a%20b?c=d&e=%C3%A9#part`, headers)
    await textOf(world.client.send({ target, method: 'POST', body }))
    expect(world.server.connections[0]?.requests.join('')).toBe(
      [
        'POST /v1/a%20b?c=d&e=%C3%A9 HTTP/1.1',
        `host: 127.0.0.1:${world.server.port}`,
        'authorization: Bearer a b',
        'x-tab: a\tb',
        `content-length: ${Buffer.byteLength(body)}`,
        '',
        body,
      ].join('\r\n'),
    )
  })

  it.each([
    ['nothing', ''],
    ['two bytes per character', 'é'.repeat(60_000)],
    ['three bytes per character', '日'.repeat(60_000)],
    ['more than is written at once', '日本😀é'.repeat(100_000)],
  ])('announces and sends its body in UTF-8: %s', async (_, body) => {
    await serve(echoing)
    expect(await textOf(post(body))).toBe(body)
  })

  it.each([
    ['http://api.example/a', { secure: false, hostname: 'api.example', port: 80 }, 'api.example'],
    ['https://API.example:443', { secure: true, hostname: 'api.example', port: 443 }, 'api.example'],
    ['https://api.example:80', { secure: true, hostname: 'api.example', port: 80 }, 'api.example:80'],
    ['http://[::1]:81/', { secure: false, hostname: '::1', port: 81 }, '[::1]:81'],
  ])('goes where the URL says: %s', (url, endpoint, host) => {
    const target = httpTarget(url, new Headers())
    expect(target.endpoint).toEqual(endpoint)
    expect(target.head).toContain(`\r\nhost: ${host}\r\n`)
  })

  it.each(['ftp://a.example/', 'ws://a.example/', 'file:///etc/passwd', 'data:,a', '/path', ''])(
    'is a TypeError for the URL %j',
    (url) => expect(() => httpTarget(url, new Headers())).toThrow(TypeError),
  )

  it('is a TypeError with a header that is not ASCII', () => {
    for (const value of ['é', '\x7f', 'a\x01b']) {
      expect(() => httpTarget('http://a.example/', new Headers({ authorization: value }))).toThrow(TypeError)
    }
  })

  it('connects to the address it is given, and names the host', async () => {
    await serve(answering(ok))
    const url = `http://upstream.invalid:${world.server.port}/`
    expect(await textOf(post('', url, ['127.0.0.1']))).toBe('ok')
    expect(String(world.server.connections[0]?.requests[0])).toContain(
      `\r\nhost: upstream.invalid:${world.server.port}\r\n`,
    )
    // The connection is kept for that address alone.
    expect(await errorOf(post('', url).response)).toBeInstanceOf(ConnectError)
  })

  it('fails when nobody listens, or nobody has the name', async () => {
    await serve(answering(ok))
    world.server.close()
    for (const url of [world.server.url, 'http://upstream.invalid/']) {
      expect(await errorOf(post('', url).response)).toBeInstanceOf(ConnectError)
    }
  })

  it('arrives whole at a server that reads slowly', async () => {
    const body = '0123456789abcdefg'.repeat(1_200_000)
    const received = Promise.withResolvers<Buffer>()
    await serve(async (connection) => {
      connection.socket.pause()
      setTimeout(() => connection.socket.resume(), 30)
      received.resolve(await connection.request())
      connection.socket.write(ok)
    })
    expect(await textOf(post(body))).toBe('ok')
    expect((await received.promise).subarray(-body.length).equals(Buffer.from(body))).toBe(true)
  })
})
