import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { ConnectionLostError, MalformedMessageError } from '../wire/body.ts'
import { ConnectError, type HttpExchange } from './http-answer.ts'
import { createHttpClient, type HttpClient, httpTarget } from './http-client.ts'
import { errorOf } from './test-support/error-of.ts'
import {
  answering,
  type Script,
  type ScriptedServer,
  startServer,
  type Visit,
} from './test-support/scripted-server.ts'

const megabyte = 1024 * 1024
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const chunkedHead = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
const endlessHead = 'HTTP/1.1 200 OK\r\n\r\n'
const lengthHead = (length: number) => `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n`

let now: number
let client: HttpClient
let server: ScriptedServer

beforeEach(() => {
  now = 1_700_000_000_000
  client = createHttpClient({ now: () => now })
})
afterEach(() => {
  client.close()
  server?.close()
})

async function serve(...scripts: readonly Script[]): Promise<void> {
  server = await startServer(...scripts)
}

function post(body = '', url = server.url, address?: string): HttpExchange {
  return client.post(httpTarget(url, new Headers()), body, address)
}

/** Body of an answer, however long. */
async function textOf({ answer }: HttpExchange): Promise<string> {
  return Buffer.from((await (await answer).whole(Number.POSITIVE_INFINITY)) ?? []).toString()
}

async function pieceOf({ answer }: HttpExchange): Promise<string> {
  return Buffer.from((await (await answer).read()).value ?? []).toString()
}

/** Connection number `index`, once it has been made. */
async function visitOf(index: number): Promise<Visit> {
  for (;;) {
    const visit = server.visits[index]
    if (visit !== undefined) return visit
    await Bun.sleep(1)
  }
}

/** The connection is closed although the server did nothing to it. */
async function expectClosed(index: number): Promise<void> {
  expect(await (await visitOf(index)).closesSoon()).toBe(true)
}

/** A number that the test does not control has stopped growing. */
async function settled(value: () => number): Promise<void> {
  for (let last = -1; last !== value(); await Bun.sleep(50)) last = value()
}

/** Answers its first request, and does this with the next. */
function thenOnReuse(second: (visit: Visit) => unknown): Script {
  return async (visit) => {
    await visit.request()
    visit.socket.write(ok)
    await visit.request()
    second(visit)
  }
}

/** Answers its first request with these bytes, and sends nothing more. */
function sendingOnce(bytes: string | Buffer): Script {
  return async (visit) => {
    await visit.request()
    visit.socket.write(bytes)
  }
}

/** Closes the connection instead of an answer. */
const ending: Script = async (visit) => {
  await visit.request()
  visit.socket.end()
}

/** Every request is its answer. */
const echoing: Script = async (visit) => {
  for (;;) {
    const request = await visit.request()
    const body = request.subarray(request.indexOf('\r\n\r\n') + 4)
    visit.socket.write(Buffer.concat([Buffer.from(lengthHead(body.length)), body]))
  }
}

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
    const target = httpTarget(`${server.url}v1/a%20b?c=d&e=%C3%A9#part`, headers)
    await textOf(client.post(target, body))
    expect(server.visits[0]?.requests.join('')).toBe(
      [
        'POST /v1/a%20b?c=d&e=%C3%A9 HTTP/1.1',
        `host: 127.0.0.1:${server.port}`,
        'authorization: Bearer a b',
        'x-tab: a\tb',
        `content-length: ${Buffer.byteLength(body)}`,
        '',
        body,
      ].join('\r\n'),
    )
  })

  it('says own headers instead of shared ones of the same name', async () => {
    await serve(echoing)
    const shared = new Headers({ accept: '*/*', 'user-agent': 'shared', host: 'elsewhere' })
    const own = new Headers({ 'User-Agent': 'own', 'x-key': '1' })
    await textOf(client.post(httpTarget(server.url, own, shared), 'body'))
    expect(server.visits[0]?.requests.join('').split('\r\n')).toEqual([
      'POST / HTTP/1.1',
      `host: 127.0.0.1:${server.port}`,
      'accept: */*',
      'user-agent: own',
      'x-key: 1',
      'content-length: 4',
      '',
      'body',
    ])
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
    expect(target.sharedHead).toContain(`\r\nhost: ${host}\r\n`)
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
    const url = `http://upstream.invalid:${server.port}/`
    expect(await textOf(post('', url, '127.0.0.1'))).toBe('ok')
    expect(String(server.visits[0]?.requests[0])).toContain(`\r\nhost: upstream.invalid:${server.port}\r\n`)
    // The connection is kept for that address alone.
    expect(await errorOf(post('', url).answer)).toBeInstanceOf(ConnectError)
  })

  it('fails when nobody listens, or nobody has the name', async () => {
    await serve(answering(ok))
    server.close()
    for (const url of [server.url, 'http://upstream.invalid/']) {
      expect(await errorOf(post('', url).answer)).toBeInstanceOf(ConnectError)
    }
  })

  it('arrives whole at a server that reads slowly', async () => {
    const body = '0123456789abcdefg'.repeat(1_200_000)
    const received = Promise.withResolvers<Buffer>()
    await serve(async (visit) => {
      visit.socket.pause()
      setTimeout(() => visit.socket.resume(), 30)
      received.resolve(await visit.request())
      visit.socket.write(ok)
    })
    expect(await textOf(post(body))).toBe('ok')
    expect((await received.promise).subarray(-body.length).equals(Buffer.from(body))).toBe(true)
  })
})

describe('the answer', () => {
  it.each([
    ['its length', `${lengthHead(5)}hello`],
    ['chunks', `${chunkedHead}2\r\nhe\r\n3;x\r\nllo\r\n0\r\nTrailer: x\r\n\r\n`],
  ])('is read by %s, whole however it is split', async (_, bytes) => {
    await serve(async (visit) => {
      for (let place = 1; place < bytes.length; place += 1) {
        await visit.request()
        await visit.sendPieces([bytes.slice(0, place), bytes.slice(place)])
      }
      await visit.request()
      await visit.sendPieces([...bytes])
    })
    for (let place = 1; place <= bytes.length; place += 1) expect(await textOf(post())).toBe('hello')
    expect(server.visits.length).toBe(1)
  })

  it('is read until the connection is closed when it announces no end', async () => {
    await serve(async (visit) => {
      await visit.request()
      await visit.sendPieces([`${endlessHead}he`, 'llo'])
      visit.socket.end()
    })
    expect(await textOf(post())).toBe('hello')
  })

  it.each(['204 No Content', '304 Not Modified', '200 OK\r\nContent-Length: 0'])(
    'has no body: %j',
    async (head) => {
      await serve(answering(`HTTP/1.1 ${head}\r\n\r\n`))
      expect(await (await post().answer).read()).toEqual({ done: true })
      expect(await textOf(post())).toBe('')
      expect(server.visits.length).toBe(1)
    },
  )

  it('tells status and header fields, and is no error when its status is one', async () => {
    await serve(
      answering('HTTP/1.1 503 Busy\r\nContent-Type: a/b\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n'),
    )
    const answer = await post().answer
    expect(answer.status).toBe(503)
    expect(answer.headers()).toEqual({ 'content-type': 'a/b', 'retry-after': '1', 'content-length': '0' })
    expect([answer.header('content-type'), answer.header('retry-after'), answer.header('x')]).toEqual([
      'a/b',
      '1',
      null,
    ])
  })

  it('comes head first, and then piece by piece as it is sent', async () => {
    const steps = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await serve(async (visit) => {
      await visit.request()
      visit.socket.write(chunkedHead)
      for (const [index, step] of steps.entries()) {
        await step.promise
        visit.socket.write(`1\r\n${index}\r\n`)
      }
    })
    const exchange = post()
    await exchange.answer
    for (const [index, step] of steps.entries()) {
      const reading = pieceOf(exchange)
      step.resolve()
      expect(await reading).toBe(String(index))
    }
  })

  it('is the final one: interim answers are read over', async () => {
    const interim =
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nContent-Length: 9\r\nConnection: close\r\n\r\n'
    await serve(answering(interim + ok))
    expect([await textOf(post()), await textOf(post())]).toEqual(['ok', 'ok'])
    expect(server.visits.length).toBe(1)
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
    expect(await errorOf(post().answer)).toBeInstanceOf(MalformedMessageError)
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
      await serve(async (visit) => {
        await visit.request()
        visit.socket.write(bytes)
        await read.promise
        visit.socket[cut]()
      })
      const exchange = post()
      expect(await pieceOf(exchange)).toBe('hello')
      const next = errorOf(pieceOf(exchange))
      read.resolve()
      expect(await next).toBeInstanceOf(ConnectionLostError)
      expect(await errorOf(textOf(exchange))).toBeInstanceOf(ConnectionLostError)
      server.close()
    }
  })

  it('gives what had come before the connection was cut also to who reads later', async () => {
    await serve(async (visit) => {
      await visit.request()
      visit.socket.end(`${lengthHead(9)}hello`)
    })
    const exchange = post()
    await exchange.answer
    await expectClosed(0)
    expect(await pieceOf(exchange)).toBe('hello')
    expect(await errorOf(pieceOf(exchange))).toBeInstanceOf(ConnectionLostError)
  })

  it.each([
    ['its length', lengthHead(2 * megabyte)],
    ['the end of the connection', endlessHead],
  ])('by %s is whole also for a reader who comes when the connection was closed', async (_, head) => {
    await serve(async (visit) => {
      await visit.request()
      visit.socket.write(head)
      visit.socket.end(Buffer.alloc(2 * megabyte))
    })
    const answer = await post().answer
    await Bun.sleep(30)
    expect((await answer.whole(2 * megabyte))?.length).toBe(2 * megabyte)
  })

  it('is not whole when a connection that ends it is reset', async () => {
    const read = Promise.withResolvers<void>()
    await serve(async (visit) => {
      await visit.request()
      visit.socket.write(`${endlessHead}hello`)
      await read.promise
      visit.socket.resetAndDestroy()
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
    expect(server.visits.length).toBe(200)
  })

  it('is not read far ahead of its reader, and arrives whole', async () => {
    const body = Buffer.alloc(50 * megabyte, '0123456789abcdefg')
    let accepted = 0
    await serve(async (visit) => {
      await visit.request()
      visit.socket.write(lengthHead(body.length))
      for (; accepted < body.length; accepted += megabyte) {
        const piece = body.subarray(accepted, accepted + megabyte)
        await new Promise((resolve) => visit.socket.write(piece, resolve))
      }
    })
    const answer = await post().answer
    await settled(() => accepted)
    // What the system keeps for both sockets, and a little of ours.
    expect(accepted).toBeLessThan(body.length / 2)
    const whole = await answer.whole(body.length)
    expect(whole?.length).toBe(body.length)
    expect(Bun.hash(whole ?? '')).toBe(Bun.hash(body))
  })

  it.each([
    ['its length', `${lengthHead(5)}hello`],
    ['chunks', `${chunkedHead}5\r\nhello\r\n0\r\n\r\n`],
    ['the end of the connection', `${endlessHead}hello`],
  ])('by %s is given whole when it is as long as the limit', async (_, bytes) => {
    await serve(async (visit) => {
      await visit.request()
      visit.socket.end(bytes)
    })
    const whole = await (await post().answer).whole(5)
    expect(Buffer.from(whole ?? []).toString()).toBe('hello')
  })

  it.each([
    ['its length, before it has come', lengthHead(6)],
    ['chunks', `${chunkedHead}3\r\nabc\r\n3\r\ndef\r\n`],
    ['the end of the connection', `${endlessHead}abcdef`],
  ])('by %s is not given, and the connection closed, when it is longer than the limit', async (_, bytes) => {
    await serve(sendingOnce(bytes))
    expect(await (await post().answer).whole(5)).toBeUndefined()
    await expectClosed(0)
  })
})

describe('a connection', () => {
  it('serves one request after another', async () => {
    await serve(echoing)
    for (const body of ['a', '', 'c']) expect(await textOf(post(body))).toBe(body)
    expect(server.visits.length).toBe(1)
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
    expect(server.visits.length).toBe(2)
  })

  it('is closed after an answer that came before the request was wholly written', async () => {
    await serve((visit) => {
      visit.socket.once('data', () => visit.socket.pause().write(ok))
    }, answering(ok))
    expect(await textOf(post('x'.repeat(20 * megabyte)))).toBe('ok')
    expect(await textOf(post())).toBe('ok')
    server.visits[0]?.socket.resume()
    await expectClosed(0)
    expect(server.visits.length).toBe(2)
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
      now += within
      await textOf(post())
    }
    expect(server.visits.length).toBe(1)
    now += after
    await textOf(post())
    await expectClosed(0)
    expect(server.visits.length).toBe(2)
  })

  it.each(['end', 'resetAndDestroy'] as const)(
    'that ends (%s) just when it is used again has the request sent once more on a fresh one',
    async (end) => {
      await serve(
        thenOnReuse(({ socket }) => socket[end]()),
        echoing,
      )
      await textOf(post('first'))
      expect(await textOf(post('second'))).toBe('second')
      expect(server.visits[1]?.requests).toEqual(server.visits[0]?.requests.slice(1) ?? [])
    },
  )

  it('that ends after a long silence does not: the server may have been at work', async () => {
    await serve(
      thenOnReuse(({ socket }) => {
        now += 1001
        socket.end()
      }),
    )
    await textOf(post())
    expect(await errorOf(post().answer)).toBeInstanceOf(ConnectionLostError)
    expect(server.visits.length).toBe(1)
  })

  it('that is fresh and ends so has the request fail', async () => {
    await serve(ending)
    expect(await errorOf(post().answer)).toBeInstanceOf(ConnectionLostError)
    expect(server.visits.length).toBe(1)
  })

  it('that is fresh because another had ended so has the request fail as well', async () => {
    await serve(
      thenOnReuse(({ socket }) => socket.end()),
      ending,
    )
    await textOf(post())
    expect(await errorOf(post().answer)).toBeInstanceOf(ConnectionLostError)
    expect(server.visits.length).toBe(2)
  })

  it.each(['H', 'HTTP/1.1 100 Continue\r\n\r\n', lengthHead(2)])(
    'that ends after %j does not have the request sent once more',
    async (part) => {
      await serve(thenOnReuse(({ socket }) => socket.end(part)))
      await textOf(post())
      expect(await errorOf(textOf(post()))).toBeInstanceOf(ConnectionLostError)
      expect(server.visits.length).toBe(1)
    },
  )

  it('on which bytes come that nobody asked for is closed, and they answer nothing', async () => {
    const answered = Promise.withResolvers<void>()
    await serve(async (visit) => {
      await visit.request()
      visit.socket.write(ok)
      await answered.promise
      visit.socket.write(ok.replaceAll('ok', 'no'))
    }, answering(ok))
    await textOf(post())
    answered.resolve()
    await expectClosed(0)
    expect(await textOf(post())).toBe('ok')
    expect(server.visits.length).toBe(2)
  })

  it('is closed with the client when it idles, and while it serves when it has', async () => {
    const closed = Promise.withResolvers<void>()
    await serve(answering(ok), async (visit) => {
      await visit.request()
      await closed.promise
      visit.socket.write(ok)
    })
    const [idle, busy] = [post(), post()]
    await textOf(idle)
    client.close()
    await expectClosed(0)
    closed.resolve()
    expect(await textOf(busy)).toBe('ok')
    await expectClosed(1)
  })
})

describe('abort', () => {
  it('before the answer rejects it and closes the connection', async () => {
    await serve(async (visit) => {
      await visit.request()
      exchange.abort()
    })
    const exchange = post()
    expect(await errorOf(exchange.answer)).toBeInstanceOf(ConnectionLostError)
    await expectClosed(0)
  })

  it('while it connects rejects the answer and sends nothing', async () => {
    await serve(answering(ok))
    const exchange = post('given up')
    exchange.abort()
    expect(await errorOf(exchange.answer)).toBeInstanceOf(ConnectionLostError)
    expect(await textOf(post('wanted'))).toBe('ok')
    const requests = server.visits.flatMap((visit) => visit.requests.map(String))
    expect(requests.map((request) => request.endsWith('wanted'))).toEqual([true])
  })

  it('of a request on a kept connection does not have it sent once more', async () => {
    await serve(
      thenOnReuse(() => exchange.abort()),
      answering(ok),
    )
    await textOf(post())
    const exchange = post()
    expect(await errorOf(exchange.answer)).toBeInstanceOf(ConnectionLostError)
    await expectClosed(0)
    expect(server.visits.length).toBe(1)
  })

  it.each([
    ['a piece', (exchange: HttpExchange) => pieceOf(exchange)],
    ['the whole', (exchange: HttpExchange) => textOf(exchange)],
  ])('in mid-body rejects what waits for %s, and closes the connection', async (_, wait) => {
    await serve(sendingOnce(lengthHead(9)))
    const exchange = post()
    await exchange.answer
    const waiting = errorOf(wait(exchange))
    exchange.abort()
    expect(await waiting).toBeInstanceOf(ConnectionLostError)
    await expectClosed(0)
  })

  it('closes a connection that waits for its reader', async () => {
    await serve(sendingOnce(Buffer.concat([Buffer.from(endlessHead), Buffer.alloc(megabyte)])))
    const exchange = post()
    await exchange.answer
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
    const answer = await exchange.answer
    const next = post()
    exchange.abort()
    // A limit that is passed would cut the connection as well.
    expect(await answer.whole(1)).toBeUndefined()
    expect(await pieceOf(exchange)).toBe('ok')
    held.resolve()
    expect(await textOf(next)).toBe('next')
    expect(server.visits.length).toBe(1)
  })
})
