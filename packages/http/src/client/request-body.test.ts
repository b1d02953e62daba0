import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { ConnectionLostError } from '../wire/body.ts'
import {
  closeWorld,
  echoing,
  expectClosed,
  megabyte,
  ok,
  openWorld,
  send,
  serve,
  settled,
  textOf,
  world,
} from './test-support/client-world.ts'
import { errorOf } from './test-support/error-of.ts'
import { answering } from './test-support/scripted-server.ts'

beforeEach(() => openWorld())
afterEach(closeWorld)

const bytes = (text: string) => new TextEncoder().encode(text)

async function* sourceOf(...pieces: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    await Bun.sleep(1)
    yield bytes(piece)
  }
}

/** A source that never ends, and counts what was pulled out of it. */
class Endless implements AsyncIterable<Uint8Array> {
  pulled = 0
  isClosed = false

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        this.pulled += megabyte
        yield new Uint8Array(megabyte)
      }
    } finally {
      this.isClosed = true
    }
  }
}

describe('a request', () => {
  it.each([
    ['GET', undefined, undefined],
    ['HEAD', undefined, undefined],
    ['DELETE', undefined, undefined],
    ['POST', undefined, '0'],
    ['PUT', undefined, '0'],
    ['DELETE', '', '0'],
    ['PATCH', 'abc', '3'],
  ] as const)('%s with the body %j has the length %j', async (method, body, length) => {
    await serve(answering('HTTP/1.1 204 No Content\r\n\r\n'))
    await send(method, body).response
    const text = String(world.server.connections[0]?.requests[0])
    expect(text.startsWith(`${method} / HTTP/1.1\r\n`)).toBe(true)
    expect(/content-length: (\d+)/.exec(text)?.[1]).toBe(length)
  })

  it.each([
    ['bytes', bytes('a\xff日')],
    ['parts', [bytes('a'), bytes(''), bytes('bc')]],
    ['long parts', [new Uint8Array(megabyte).fill(1), new Uint8Array(4 * megabyte).fill(2)]],
    ['no parts', []],
  ] as const)('may have a body of %s', async (_, body) => {
    await serve(echoing)
    const all = Buffer.concat(body instanceof Uint8Array ? [body] : [...body])
    const echoed = await (await send('POST', body).response).buffered(all.length)
    expect(Buffer.from(echoed ?? []).equals(all)).toBe(true)
  })

  it('streams a body of a known length', async () => {
    await serve(echoing)
    expect(await textOf(send('POST', { source: sourceOf('he', '', 'llo'), length: 5 }))).toBe('hello')
  })

  it('streams a body of an unknown length in chunks, and the connection goes on', async () => {
    const server = Bun.serve({ port: 0, fetch: async (request) => new Response(await request.text()) })
    await serve(answering(ok))
    const { httpTarget } = await import('./http-message.ts')
    const target = httpTarget(server.url.href, new Headers())
    for (const pieces of [['he', '', 'llo'], []]) {
      const exchange = world.client.send({ target, method: 'POST', body: { source: sourceOf(...pieces) } })
      expect(await textOf(exchange)).toBe(pieces.join(''))
    }
    await server.stop(true)
  })

  it.each([
    ['longer', 4],
    ['shorter', 6],
  ])('fails, and its connection is closed, when its body is %s than it said', async (_, length) => {
    await serve(echoing)
    expect(await errorOf(send('POST', { source: sourceOf('he', 'llo'), length }).response)).toBeInstanceOf(
      RangeError,
    )
    await expectClosed(0)
  })

  it('fails as the source of its body does, and its connection is closed', async () => {
    await serve(echoing)
    const failure = new Error('no more')
    async function* failing() {
      yield bytes('a')
      throw failure
    }
    expect(await errorOf(send('POST', { source: failing() }).response)).toBe(failure)
    await expectClosed(0)
  })

  it('pulls its body no faster than the server reads it, and not at all once it is aborted', async () => {
    await serve(({ socket }) => void socket.pause())
    const source = new Endless()
    const exchange = send('POST', { source })
    await settled(() => source.pulled)
    expect(source.pulled).toBeLessThan(20 * megabyte)
    expect(source.isClosed).toBe(false)
    exchange.abort()
    expect(await errorOf(exchange.response)).toBeInstanceOf(ConnectionLostError)
    await settled(() => source.pulled)
    expect(source.isClosed).toBe(true)
  })

  it('stops pulling its body when it was answered', async () => {
    await serve(({ socket }) => {
      socket.once('data', () => socket.pause().write(ok))
    })
    const source = new Endless()
    expect(await textOf(send('POST', { source }))).toBe('ok')
    await settled(() => source.pulled)
    expect(source.isClosed).toBe(true)
  })
})
