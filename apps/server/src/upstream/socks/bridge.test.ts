import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { createHttpClient, type HttpClient } from '@tollgate/http/client'
import { errorOf } from '@tollgate/http/test-support'
import { type SocksProxyServer, startSocksProxy } from '../../../../../tests/support/network/socks-proxy.ts'
import { createOutboundGuard, OutboundForbiddenError } from '../../lib/outbound/outbound-guard.ts'
import { requestTarget } from '../request-target.ts'
import { createTransport, type TransportRequest } from '../transport.ts'

/** Only the proxy knows it. */
const hidden = 'upstream.invalid'
const pair = { username: 'me', password: 'p@ss:word' }
const signIn = `${pair.username}:${encodeURIComponent(pair.password)}`

let client: HttpClient
let proxy: SocksProxyServer
let upstream: ReturnType<typeof Bun.serve>
/** Takes what it is greeted with, and hangs up. */
let secure: Server
const greetings: Buffer[] = []

beforeAll(async () => {
  client = createHttpClient()
  proxy = await startSocksProxy({ ...pair, hosts: { [hidden]: '127.0.0.1' } })
  const response = async (request: Request) => {
    const { pathname, host } = new URL(request.url)
    const provided = request.headers.get('proxy-authorization')
    return new Response(`${request.method} ${host}${pathname} ${await request.text()} ${provided}`)
  }
  upstream = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request, server) =>
      server.upgrade(request, { data: undefined }) ? undefined : response(request),
    websocket: { message: (socket, message) => void socket.send(`echo ${message}`) },
  })
  secure = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', (bytes) => {
      greetings.push(Buffer.from(bytes))
      socket.destroy()
    })
  }).listen(0, '127.0.0.1')
  await once(secure, 'listening')
})
afterAll(() => {
  client.close()
  proxy.stop()
  upstream.stop(true)
  secure.close()
})

async function post(url: string, more: Partial<TransportRequest> = {}): Promise<string> {
  const transport = createTransport({ client, isProxied: false })
  const target = requestTarget({ url, headers: {} })
  const address = `socks5://${signIn}@127.0.0.1:${proxy.port}`
  const sending = transport.send({ target, body: 'hello', guard: undefined, proxy: address, ...more })
  const { response } = sending instanceof Promise ? (await sending)() : sending
  const bytes = await (await response).buffered(1000)
  return new TextDecoder().decode(bytes)
}

describe('a SOCKS5 proxy', () => {
  it('looks the host up by itself, and learns nothing else of the request', async () => {
    const port = Number(upstream.port)
    expect(await post(`http://${hidden}:${port}/a?b`)).toBe(`POST ${hidden}:${port}/a hello null`)
    expect(proxy.requests.at(-1)).toEqual({ host: hidden, port })
  })

  it('carries what is encrypted without reading it', async () => {
    const before = proxy.requests.length
    const { port } = secure.address() as AddressInfo
    expect(await errorOf(post(`https://${hidden}:${port}/`))).toBeInstanceOf(Error)
    expect(proxy.requests.slice(before)).toEqual([{ host: hidden, port }])
    // A handshake that names the host, and nothing of the request.
    expect(greetings[0]?.[0]).toBe(22)
    expect(greetings[0]?.toString('latin1')).toContain(hidden)
    expect(greetings[0]?.toString('latin1')).not.toContain('hello')
  })

  it('carries WebSockets', async () => {
    const webSocket = { isLast: () => true }
    expect(await post(`ws://${hidden}:${upstream.port}/`, { webSocket })).toBe('echo hello\n')
  })

  it('names an address of either family as an address', async () => {
    const before = proxy.requests.length
    expect(await errorOf(post('http://127.0.0.1:1/'))).toBeInstanceOf(Error)
    expect(await errorOf(post('http://[::1]:1/'))).toBeInstanceOf(Error)
    const sixteen = [...new Array<number>(15).fill(0), 1].join('.')
    expect(proxy.requests.slice(before)).toEqual([
      { host: '127.0.0.1', port: 1 },
      { host: sixteen, port: 1 },
    ])
  })

  it('refuses a wrong password', async () => {
    const wrong = `socks5://me:wrong@127.0.0.1:${proxy.port}`
    const before = proxy.requests.length
    expect(await errorOf(post(`http://${hidden}:${upstream.port}/`, { proxy: wrong }))).toBeInstanceOf(Error)
    expect(proxy.refusedPasswords).toBeGreaterThan(0)
    expect(proxy.requests).toHaveLength(before)
  })

  it('receives the address that the guard has checked, and no request where the guard refuses', async () => {
    const guard = (...allowed: readonly string[]) =>
      createOutboundGuard({ allowedRanges: () => allowed, lookup: async () => ['127.0.0.1'] })
    const url = `http://rebinding.example:${upstream.port}/`
    expect(await post(url, { guard: guard('127.0.0.0/8') })).toStartWith('POST rebinding.example')
    expect(proxy.requests.at(-1)?.host).toBe('127.0.0.1')
    const before = proxy.requests.length
    expect(await errorOf(post(url, { guard: guard() }))).toBeInstanceOf(OutboundForbiddenError)
    expect(proxy.requests).toHaveLength(before)
  })
})
