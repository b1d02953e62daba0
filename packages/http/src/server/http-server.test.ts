import { afterEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { Agent, request as requestByNode } from 'node:http'
import { text } from 'node:stream/consumers'
import { deadline } from '../../../../scripts/deadline/deadline.mjs'
import { errorOf } from '../client/test-support/error-of.ts'
import type { Application } from './connection-host.ts'
import { replyByFetch } from './fetch-handler.ts'
import type { BodySink } from './reply.ts'
import {
  DisconnectCounter,
  echo,
  ManualApplication,
  ManualBody,
  provided,
  streamed,
} from './test-support/applications.ts'
import { textReply } from './test-support/call.ts'
import { Caller, eventually, type Loopback, listen } from './test-support/loopback.ts'
import { get, message, post, postChunks } from './test-support/messages.ts'

setDefaultTimeout(deadline(10_000))

const kilobyte = 1024
const megabyte = 1024 * kilobyte
const everything = Number.POSITIVE_INFINITY

const servers: Loopback[] = []
const callers: Caller[] = []

afterEach(() => {
  for (const caller of callers.splice(0)) caller.hangUp()
  for (const server of servers.splice(0)) {
    server.cut()
    void server.stop()
  }
})

function serve(application: Application, settings: { idleMs?: number } = {}): Loopback {
  const server = listen(application, settings)
  servers.push(server)
  return server
}

async function connectTo(server: Loopback): Promise<Caller> {
  const caller = await Caller.to(server)
  callers.push(caller)
  return caller
}

/** Bytes of which none is where another could be. */
function patterned(size: number): Buffer {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32LE((at * 2_654_435_761) >>> 0, at)
  return bytes
}

/** Responds with the request's body, read a piece at a time with a pause in between. */
const slowReader: Application = async (request) => {
  const pieces: Uint8Array[] = []
  for (;;) {
    const { value } = await request.read()
    if (value === undefined) return { ...textReply(''), body: Buffer.concat(pieces) }
    pieces.push(value)
    if (pieces.length < 50) await Bun.sleep(1)
  }
}

describe('the callers of a server', () => {
  it('may be the fetch of the platform', async () => {
    const { url } = serve((inbound) =>
      replyByFetch(inbound, async (request) => new Response(await request.text())),
    )
    for (const body of ['hello', '', '日本'.repeat(50_000)]) {
      const response = await fetch(url, { method: 'POST', body })
      expect([response.status, await response.text()]).toEqual([200, body])
    }
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200)
  })

  it('may be an agent of Node that keeps its connection', async () => {
    const peers = new Set<string>()
    const { port } = serve(async (request) => {
      peers.add(request.peerAddress)
      return echo(request)
    })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = (path: string, body: string) =>
      new Promise<string>((resolve, reject) => {
        const requested = requestByNode(
          { agent, port, host: '127.0.0.1', path, method: 'POST' },
          (response) => resolve(text(response)),
        )
        requested.on('error', reject)
        requested.end(body)
      })
    for (const path of ['/a', '/b', '/c']) expect(await ask(path, 'hello')).toBe(`POST ${path} hello`)
    agent.destroy()
    expect([...peers]).toEqual(['127.0.0.1'])
  })

  it('may send their requests all at once, or byte by byte', async () => {
    const server = serve(echo)
    const requests = post('/a', 'hello') + postChunks('/b', 'wide ', 'world') + get('/c')
    const atOnce = await connectTo(server)
    atOnce.send(requests)
    const byByte = await connectTo(server)
    for (const unit of requests) {
      byByte.send(unit)
      await new Promise((resolve) => setImmediate(resolve))
    }
    const bodies = ['POST /a hello', 'POST /b wide world', 'GET /c ']
    expect((await atOnce.received(3)).map(({ body }) => body)).toEqual(bodies)
    expect((await byByte.received(3)).map(({ body }) => body)).toEqual(bodies)
  })

  it('get a body whole whose memory is returned once it is on its way', async () => {
    const sent = patterned(3 * megabyte)
    const bodies = [Buffer.from(sent), Buffer.from(sent)]
    const [freed = sent, others = sent] = bodies
    const { url } = serve(async () => {
      const body = bodies.shift() ?? sent
      return { status: 200, headers: {}, body, isBodyFreed: body === freed }
    })
    for (let call = 0; call < 2; call += 1) {
      const received = await (await fetch(url)).arrayBuffer()
      expect(Buffer.from(received).equals(sent)).toBe(true)
    }
    expect([freed.length, others.length]).toEqual([0, sent.length])
  })

  it('may be two hundred at a time, each with several requests', async () => {
    const manual = new ManualApplication()
    const server = serve(manual.application)
    const all = await Promise.all(Array.from({ length: 200 }, () => connectTo(server)))
    for (let round = 1; round <= 3; round += 1) {
      for (const [index, caller] of all.entries()) caller.send(post(`/${index}`, `round ${round}`))
      await eventually(() => manual.requests.length === round * 200)
      for (let index = (round - 1) * 200; index < round * 200; index += 1)
        manual.response(textReply(manual.request(index).target), index)
      for (const caller of all) await caller.received(round)
    }
    for (const [index, caller] of all.entries())
      expect(caller.responses.map(({ body }) => body)).toEqual(Array(3).fill(`/${index}`))
  })

  it('receive 100 Continue where they wait before their body', async () => {
    const caller = await connectTo(serve(echo))
    caller.send(message('POST', '/', ['Content-Length: 5', 'Expect: 100-continue']))
    await eventually(() => caller.size > 0)
    expect(caller.responses.map(({ status }) => status)).toEqual([100])
    caller.send('hello')
    expect((await caller.received(2)).map(({ body }) => body)).toEqual(['', 'POST / hello'])
  })
})

describe('large messages', () => {
  const body = patterned(10 * megabyte)

  it('come whole although they are read slowly', async () => {
    const { url } = serve(slowReader)
    const response = await fetch(url, { method: 'POST', body })
    expect(body.equals(await response.bytes())).toBe(true)
  })

  it.each([
    ['whole', () => ({ ...textReply(''), body })],
    [
      'streamed',
      (reported: () => void) =>
        streamed((sink: BodySink) => {
          let at = 0
          const goOn = (): void => {
            while (at < body.length) {
              const piece = body.subarray(at, at + 50_000)
              at += piece.length
              if (sink.write([piece])) continue
              reported()
              sink.whenDrained(goOn)
              return
            }
            sink.end('')
          }
          goOn()
        }),
    ],
  ] as const)(
    'reach a caller that takes them slowly: %s',
    async (kind, replyWith) => {
      let waits = 0
      const caller = await connectTo(serve(async () => replyWith(() => (waits += 1))))
      caller.socket.pause()
      caller.send(get('/', 'Connection: close'))
      await Bun.sleep(50)
      if (kind === 'streamed') await eventually(() => waits === 1)
      caller.socket.on('data', () => {
        caller.socket.pause()
        setImmediate(() => caller.socket.resume())
      })
      caller.socket.resume()
      expect(await caller.ended).toBe('end')
      const [response] = caller.responses
      expect(response?.isComplete).toBe(true)
      expect(body.equals(Buffer.from(response?.body ?? '', 'latin1'))).toBe(true)
      if (kind === 'streamed') expect(waits).toBeGreaterThan(1)
    },
    deadline(10_000),
  )

  it('wait at their sender while nobody reads them', async () => {
    const manual = new ManualApplication()
    const caller = await connectTo(serve(manual.application))
    caller.send(message('POST', '/', [`Content-Length: ${body.length}`]))
    caller.send(body)
    await eventually(() => manual.requests.length === 1)
    await Bun.sleep(100)
    expect(manual.request().isComplete).toBe(false)
    const buffered = await manual.request().buffered(everything)
    expect(body.equals(buffered ?? new Uint8Array())).toBe(true)
  })

  it('that are refused while they come leave their caller a response to read', async () => {
    const server = serve(async (request) => textReply(String(await request.buffered(1000)), 413))
    const caller = await connectTo(server)
    caller.send(message('POST', '/', [`Content-Length: ${5 * megabyte}`]))
    for (let part = 0; part < 5; part += 1) {
      caller.send(body.subarray(0, megabyte))
      await Bun.sleep(1)
    }
    expect(await caller.ended).toBe('end')
    expect(caller.responses).toMatchObject([{ status: 413, body: 'undefined', isComplete: true }])
    const response = await fetch(server.url, { method: 'POST', body: body.subarray(0, 5 * megabyte) })
    expect(response.status).toBe(413)
  })
})

describe('a caller that hangs up', () => {
  it.each([
    ['before its answer', false],
    ['in the middle of its answer', true],
  ])('is reported soon: %s', async (_, isStarted) => {
    const manual = new ManualApplication()
    const caller = await connectTo(serve(manual.application))
    caller.send(post('/', 'body'))
    await eventually(() => manual.requests.length === 1)
    const counter = new DisconnectCounter(manual.request())
    let sink: BodySink | undefined
    if (isStarted) {
      manual.response(
        streamed((provided) => {
          sink = provided
          sink.write([Buffer.from('begun')])
        }),
      )
      await eventually(() => caller.bytes.includes('begun'))
    }
    caller.hangUp()
    await eventually(() => counter.times === 1)
    expect(sink?.write([Buffer.from('late')]) ?? false).toBe(false)
  })

  it.each(['before its answer', 'in the middle of its answer'])(
    'is reported at once after a reset: %s',
    async (when) => {
      const manual = new ManualApplication()
      const caller = await connectTo(serve(manual.application))
      caller.send(post('/', 'body'))
      await eventually(() => manual.requests.length === 1)
      if (when !== 'before its answer')
        manual.response(streamed((sink) => sink.write([Buffer.from('begun')])))
      caller.socket.resetAndDestroy()
      await eventually(() => manual.request().isDisconnected, 1000)
    },
  )

  it('is reported at once in the middle of its response, when more of it is written', async () => {
    const manual = new ManualApplication()
    const caller = await connectTo(serve(manual.application))
    caller.send(post('/', 'body'))
    await eventually(() => manual.requests.length === 1)
    const source = new ManualBody()
    manual.response(streamed((sink) => source.pipe(sink)))
    await eventually(() => source.isStreamed)
    source.write('begun')
    caller.hangUp()
    const writing = setInterval(() => source.write('more'), 10)
    await eventually(() => manual.request().isDisconnected, 700)
    clearInterval(writing)
  })

  it('has its address also when nobody asked for it before', async () => {
    const manual = new ManualApplication()
    const caller = await connectTo(serve(manual.application))
    caller.send(post('/', 'body'))
    await eventually(() => manual.requests.length === 1)
    caller.hangUp()
    await eventually(() => manual.request().isDisconnected)
    expect(manual.request().peerAddress).toBe('127.0.0.1')
  })

  it('is reported although the client does not read its response', async () => {
    const manual = new ManualApplication()
    const caller = await connectTo(serve(manual.application))
    caller.socket.pause()
    caller.send(post('/', 'body'))
    await eventually(() => manual.requests.length === 1)
    const counter = new DisconnectCounter(manual.request())
    manual.response({ ...textReply(''), body: Buffer.alloc(20 * megabyte) })
    await Bun.sleep(20)
    caller.hangUp()
    await eventually(() => counter.times === 1, 1000)
  })

  it('surfaces an error of the listener, and the server goes on', async () => {
    const manual = new ManualApplication()
    const server = serve(manual.application)
    const caller = await connectTo(server)
    caller.send(post('/a', 'body'))
    await eventually(() => manual.requests.length === 1)
    const fault = new Error('told what it cannot bear')
    manual.request().onDisconnect({
      disconnected() {
        throw fault
      },
    })
    caller.hangUp()
    await eventually(() => server.faults.length > 0)
    expect(server.faults).toEqual([fault])
    const next = await connectTo(server)
    next.send(get('/b'))
    await eventually(() => manual.requests.length === 2)
  })
})

describe('a streamed response', () => {
  it.each([
    ['HTTP/1.1', get(), 'begun and ended'],
    ['HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n', 'begun and ended'],
  ] as const)('comes piece by piece in %s', async (_, request, body) => {
    let sink: BodySink | undefined
    const caller = await connectTo(
      serve(async () =>
        streamed((provided) => {
          sink = provided
          sink.write([Buffer.from('begun')])
        }),
      ),
    )
    caller.send(request)
    await eventually(() => caller.bytes.includes('begun'))
    provided(sink).write([Buffer.from(' and')])
    await eventually(() => caller.bytes.includes(' and'))
    provided(sink).write([Buffer.from(' ended')])
    provided(sink).end('')
    await eventually(() => caller.responses[0]?.body === body)
    expect(caller.responses).toHaveLength(1)
  })

  it.each([
    ['HTTP/1.1', get()],
    ['HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n'],
  ] as const)('that is cut off is not taken for the whole in %s', async (version, request) => {
    let sink: BodySink | undefined
    const caller = await connectTo(
      serve(async () =>
        streamed((provided) => {
          sink = provided
          sink.write([Buffer.from('begun')])
        }),
      ),
    )
    caller.send(request)
    await eventually(() => caller.bytes.includes('begun'))
    provided(sink).abort()
    const ending = await caller.ended
    expect(caller.responses).toMatchObject([{ body: 'begun', isComplete: false }])
    // Where nothing else tells the end of a body, an orderly end would be one.
    if (version === 'HTTP/1.0') expect(ending).toBe('reset')
  })
})

describe('an invalid request', () => {
  it.each([
    ['a TLS hello', Buffer.from('1603010200010001fc0303', 'hex'), 400],
    ['the preface of HTTP/2', Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\x12\x04\0\0\0\0\0'), 505],
    ['a proxy header', Buffer.from('PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n\r\n'), 400],
  ] as const)('is refused at once: %s', async (_, bytes, status) => {
    const manual = new ManualApplication()
    const caller = await connectTo(serve(manual.application))
    caller.send(bytes)
    expect((await caller.allResponses()).map((response) => response.status)).toEqual([status])
    expect(manual.requests).toEqual([])
  })
})

describe('a caller that is waited for', () => {
  it('is not kept when it is idle, before a request and after one', async () => {
    const server = serve(echo, { idleMs: 50 })
    const [fresh, used] = [await connectTo(server), await connectTo(server)]
    used.send(get())
    expect(await fresh.allResponses()).toEqual([])
    expect(await used.allResponses()).toHaveLength(1)
    expect(await used.ended).toBe('end')
  })

  it('reports a head that comes too slowly, and gets its response', async () => {
    const caller = await connectTo(serve(echo, { idleMs: 50 }))
    const head = get(`/${'slow'.repeat(1000)}`)
    for (let at = 0; at < head.length && caller.size === 0; at += 1) {
      caller.send(head[at] ?? '')
      await Bun.sleep(10)
    }
    expect((await caller.allResponses()).map(({ status }) => status)).toEqual([408])
  })
})

describe('a server that stops', () => {
  it('lets a call end, and closes what is idle at once', async () => {
    const manual = new ManualApplication()
    const server = serve(manual.application)
    const [idle, busy] = [await connectTo(server), await connectTo(server)]
    busy.send(get())
    await eventually(() => manual.requests.length === 1)
    let isStopped = false
    const stopped = server.stop().then(() => {
      isStopped = true
    })
    expect(await idle.ended).toBe('end')
    expect(await errorOf(Caller.to(server))).toBeInstanceOf(Error)
    expect(isStopped).toBe(false)
    manual.response(textReply('last'))
    const [response] = await busy.allResponses()
    expect(response).toMatchObject({ body: 'last', isComplete: true })
    expect(response?.headers.get('connection')).toBe('close')
    await stopped
  })

  it('stops at once without connections, and the port is free again', async () => {
    const first = serve(echo)
    await first.stop()
    const second = listen(echo, { port: first.port })
    servers.push(second)
    expect((await fetch(second.url)).status).toBe(200)
  })

  it('says in each response that the connection ends with it while it drains, and takes new ones', async () => {
    const server = serve(echo)
    const retained = await connectTo(server)
    retained.send(get('/before'))
    await eventually(() => retained.responses.length === 1)
    server.drain()
    retained.send(get('/after'))
    const fresh = await connectTo(server)
    fresh.send(get('/fresh'))
    const connections = [...(await retained.allResponses()), ...(await fresh.allResponses())].map(
      ({ headers }) => headers.get('connection'),
    )
    expect(connections).toEqual([null, 'close', 'close'])
  })

  it('serves a request that was on its way over a kept connection, and then ends those that stay idle', async () => {
    const server = serve(echo)
    const [used, unused] = [await connectTo(server), await connectTo(server)]
    const stopped = server.stop(2000)
    expect(await errorOf(Caller.to(server))).toBeInstanceOf(Error)
    used.send(post('/', 'late'))
    expect((await used.allResponses()).map(({ body }) => body)).toEqual(['POST / late'])
    expect(await unused.ended).toBe('end')
    await stopped
  })

  it.skipIf(process.platform !== 'linux')(
    'loses no connection that it accepted, however busy it is',
    async () => {
      let served = 0
      const server = serve(async () => {
        const until = performance.now() + 0.3
        while (performance.now() < until);
        served += 1
        return textReply('ok')
      })
      const callers = Bun.spawn([
        process.execPath,
        new URL('test-support/call-until-refused.ts', import.meta.url).pathname,
        String(server.port),
      ])
      await eventually(() => served > 100)
      await server.refuse()
      await server.stop(100)
      expect(await new Response(callers.stdout).text()).toBe('0')
    },
  )

  it('may cut off what does not end', async () => {
    const manual = new ManualApplication()
    const server = serve(manual.application)
    const caller = await connectTo(server)
    caller.send(get())
    await eventually(() => manual.requests.length === 1)
    const stopped = server.stop()
    server.cut()
    await stopped
    expect(await caller.ended).toBeDefined()
    expect(manual.request().isDisconnected).toBe(true)
    expect(caller.size).toBe(0)
  })
})

it('does not share its port', () => {
  const { port } = serve(echo)
  let code: unknown
  try {
    listen(echo, { port })
  } catch (error) {
    code = (error as { code?: string }).code
  }
  expect(code).toBe('EADDRINUSE')
})
