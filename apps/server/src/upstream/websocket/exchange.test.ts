import { afterEach, describe, expect, it } from 'bun:test'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { ConnectionLostError } from '@tollgate/http'
import { ConnectError, createHttpClient, type HttpExchange } from '@tollgate/http/client'
import { errorOf } from '@tollgate/http/test-support'
import { createOutboundGuard, OutboundForbiddenError } from '../../lib/outbound/outbound-guard.ts'
import { requestTarget } from '../request-target.ts'
import { createTransport, type TransportRequest } from '../transport.ts'
import { type WebSocketRequest, webSocketExchange } from './exchange.ts'

type Socket = Bun.ServerWebSocket<undefined>

const unknownHost = 'upstream.invalid'
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

interface Upstream {
  readonly url: string
  readonly port: number
  /** Requested hosts. */
  readonly hosts: string[]
  readonly closed: Promise<number>
}

function startUpstream(response: (socket: Socket, message: string) => void): Upstream {
  const hosts: string[] = []
  const { promise: closed, resolve } = Promise.withResolvers<number>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, self) {
      hosts.push(request.headers.get('host') ?? '')
      return self.upgrade(request, { data: undefined }) ? undefined : new Response('', { status: 400 })
    },
    websocket: {
      backpressureLimit: 64 << 20,
      message: (socket: Socket, message) => response(socket, String(message)),
      close: (_, code) => resolve(code),
    },
  })
  closers.push(() => server.stop(true))
  const port = Number(server.port)
  return { url: `ws://127.0.0.1:${port}/`, port, hosts, closed }
}

function ask(url: string, more: Partial<WebSocketRequest> = {}): HttpExchange {
  return webSocketExchange({
    url,
    headers: new Headers(),
    body: 'ask',
    isLast: (text) => text === 'last',
    ...more,
  })
}

const textOf = async ({ response }: HttpExchange) =>
  Buffer.from((await (await response).buffered(1 << 20)) ?? 'too long').toString()

describe('webSocketExchange', () => {
  it('gives a line for each message, whatever it is made of, until the last', async () => {
    const { url, closed } = startUpstream((socket, message) => {
      socket.send(`{"said":"${message}",\r\n "b":1}`)
      socket.send(Buffer.from('{"ä":2}'))
      socket.send('last')
      socket.send('more')
    })
    expect(await textOf(ask(url))).toBe('{"said":"ask",  "b":1}\n{"ä":2}\nlast\n')
    expect(await closed).toBe(1000)
  })

  it('ends with a normal closure, and breaks off with any other', async () => {
    const ended = startUpstream((socket) => {
      socket.send('a')
      socket.close(1000)
    })
    expect(await textOf(ask(ended.url))).toBe('a\n')
    const broken = startUpstream((socket) => {
      socket.send('a')
      socket.close(1011, 'fault')
    })
    const response = await ask(broken.url).response
    expect(Buffer.from((await response.read()).value ?? []).toString()).toBe('a\n')
    expect(await errorOf(response.read())).toBeInstanceOf(ConnectionLostError)
  })

  it('is closed at once when it is given up', async () => {
    const { url, closed } = startUpstream((socket) => socket.send('a'))
    const exchange = ask(url)
    const response = await exchange.response
    await response.read()
    const waiting = response.read()
    exchange.abort()
    expect(await errorOf(waiting)).toBeInstanceOf(ConnectionLostError)
    expect(await closed).toBeGreaterThan(1000)
  })

  it('can be given up before it is open', async () => {
    const exchange = ask(startUpstream(() => {}).url)
    exchange.abort()
    expect(await errorOf(exchange.response)).toBeInstanceOf(ConnectionLostError)
  })

  it('is closed when its messages come faster than they are read', async () => {
    const { url, closed } = startUpstream((socket) => {
      for (let sent = 0; sent < 40; sent += 1) socket.send('x'.repeat(1000))
    })
    const response = await ask(url, { maxWaitingBytes: 10_000 }).response
    await closed
    const { value } = await response.read()
    expect(value?.length).toBeLessThan(12_000)
    expect(await errorOf(response.read())).toBeInstanceOf(ConnectionLostError)
  })

  it('notifies listeners, and stops a response that is too long', async () => {
    const { url, closed } = startUpstream((socket) => {
      for (let sent = 0; sent < 100; sent += 1) socket.send('x'.repeat(1000))
    })
    const response = await ask(url).response
    const piece = await new Promise<Uint8Array>((resolve, reject) =>
      response.next({ piece: resolve, ended: reject, failed: reject }),
    )
    expect(piece.length).toBeGreaterThan(0)
    expect(await response.buffered(2000)).toBeUndefined()
    expect(await closed).toBeGreaterThan(1000)
  })
})

describe('the way out of a WebSocket', () => {
  const last = (socket: Socket) => void socket.send('last')

  async function send(url: string, more: Partial<TransportRequest> = {}, isProxied = false): Promise<string> {
    const client = createHttpClient()
    closers.push(() => client.close())
    const target = requestTarget({ method: 'GET', url, headers: {} })
    const webSocket = { isLast: (text: string) => text === 'last' }
    const request = { target, body: 'ask', guard: undefined, proxy: '', webSocket, ...more }
    const sending = createTransport({ client, isProxied }).send(request)
    return textOf(sending instanceof Promise ? (await sending)() : sending)
  }

  /** Creates a guard for which every host is the loopback, which is open or not. */
  const guardFor = (...allowed: readonly string[]) =>
    createOutboundGuard({ allowedRanges: () => allowed, lookup: async () => ['127.0.0.1'] })

  /** A proxy that knows where `upstream.invalid` is. */
  async function startProxy(port: number): Promise<{ url: string; requested: string[] }> {
    const requested: string[] = []
    const proxy: Server = createServer((_, response) => response.writeHead(400).end())
    proxy.on('connect', (request, socket) => {
      requested.push(request.url ?? '')
      const upstream = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
      upstream.on('error', () => socket.destroy())
      socket.on('error', () => upstream.destroy())
      socket.pipe(upstream)
      upstream.pipe(socket)
    })
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    closers.push(() => proxy.close())
    return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, requested }
  }

  it('connects to the address that the guard checked, with the host name of the URL', async () => {
    const { port, hosts } = startUpstream(last)
    const url = `ws://${unknownHost}:${port}/a`
    expect(await send(url, { guard: guardFor('127.0.0.0/8') })).toBe('last\n')
    expect(hosts).toEqual([`${unknownHost}:${port}`])
  })

  it('is refused by the guard before anything connects', async () => {
    const { url, hosts, port } = startUpstream(last)
    const proxy = await startProxy(port)
    for (const more of [{}, { proxy: proxy.url }])
      expect(await errorOf(send(url, { guard: guardFor(), ...more }))).toBeInstanceOf(OutboundForbiddenError)
    expect([hosts, proxy.requested]).toEqual([[], []])
  })

  it("goes through the channel's proxy, and nowhere else", async () => {
    const { port, url, hosts } = startUpstream(last)
    const proxy = await startProxy(port)
    expect(await send(`ws://${unknownHost}/a`, { proxy: proxy.url })).toBe('last\n')
    expect(proxy.requested).toEqual([`${unknownHost}:80`])
    for (const dead of ['http://127.0.0.1:1', 'socks5://127.0.0.1:1'])
      expect(await errorOf(send(url, { proxy: dead }))).toBeInstanceOf(ConnectError)
    expect(hosts).toHaveLength(1)
  })

  it('does not connect where the environment names a proxy, which WebSockets ignore', async () => {
    const { url, hosts } = startUpstream(last)
    expect(await errorOf(send(url, {}, true))).toBeInstanceOf(ConnectError)
    expect(hosts).toEqual([])
  })
})
