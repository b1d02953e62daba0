import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createHttpClient, type HttpClient, type HttpExchange, httpTarget } from '@tollgate/http/client'
import { answering, errorOf, type ScriptedServer, startServer } from '@tollgate/http/test-support'
import { createOutboundGuard, OutboundForbiddenError } from '../lib/outbound/outbound-guard.ts'
import { requestTarget } from './request-target.ts'
import { createTransport, type TransportRequest } from './transport.ts'

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const deadProxy = 'http://127.0.0.1:1'
/** No resolver knows it: only a client that was given its address reaches it. */
const unknownHost = 'upstream.invalid'

/** Resolves every host to the loopback address, which the guard allows or not. */
const guardFor = (...allowed: readonly string[]) =>
  createOutboundGuard({ allowedRanges: () => allowed, lookup: async () => ['127.0.0.1'] })

let client: HttpClient
let upstream: ScriptedServer
let proxy: Server
let proxyUrl: string
/** The proxy's requests. */
let requested: string[]

/** A forward proxy; every upstream is on the loopback for it. */
async function startProxy(): Promise<void> {
  requested = []
  proxy = createServer(async (request, proxyResponse) => {
    requested.push(`${request.method} ${request.url}`)
    const headers = new Headers({ authorization: request.headers.authorization ?? '' })
    const target = httpTarget(request.url ?? '', headers)
    const response = await client.send(
      { target, method: 'POST', body: await text(request) },
      { addresses: ['127.0.0.1'] },
    ).response
    proxyResponse.writeHead(response.status).end(await response.buffered(1000))
  })
  proxy.on('connect', (request, socket) => {
    requested.push(`CONNECT ${request.url}`)
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

beforeEach(async () => {
  client = createHttpClient()
  upstream = await startServer(answering(ok))
  await startProxy()
})
afterEach(() => {
  client.close()
  upstream.close()
  proxy.close()
})

function requestTo(url: string, more: Partial<TransportRequest> = {}): TransportRequest {
  const target = requestTarget({ url, headers: { authorization: 'Bearer key' } })
  return { target, body: '{"a":"é"}', guard: undefined, proxy: '', ...more }
}

const unknownUrl = () => `http://${unknownHost}:${upstream.port}/v1?a=b`

async function exchangeOf(
  request: TransportRequest,
  ways: { readonly isProxied?: boolean; readonly viaFetch?: boolean } = {},
): Promise<HttpExchange> {
  const sent = await createTransport({ client, isProxied: false, ...ways }).send(request)
  return typeof sent === 'function' ? sent() : sent
}

/** Body of the response to a call. */
async function send(...call: Parameters<typeof exchangeOf>): Promise<string> {
  const exchange = await exchangeOf(...call)
  return Buffer.from((await (await exchange.response).buffered(1000)) ?? []).toString()
}

/** The same while the environment names a proxy. */
async function sendFromBehind(environmentProxy: string, request: TransportRequest): Promise<string> {
  const { http_proxy, no_proxy } = process.env
  Object.assign(process.env, { http_proxy: environmentProxy, no_proxy: '' })
  try {
    return await send(request, { isProxied: true })
  } finally {
    restore({ http_proxy, no_proxy })
  }
}

function restore(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
}

/** Returns all that the upstream received, as one text. */
const received = () => upstream.connections.flatMap(({ requests }) => requests).join('\n')

describe('a call', () => {
  it('goes straight to the upstream', async () => {
    expect(await send(requestTo(upstream.url))).toBe('ok')
    expect(received()).toContain('authorization: Bearer key\r\n')
    expect(received()).toEndWith('content-length: 10\r\n\r\n{"a":"é"}')
    expect(requested).toEqual([])
  })

  it("goes through the channel's proxy, and nowhere else", async () => {
    expect(await send(requestTo(unknownUrl(), { proxy: proxyUrl }))).toBe('ok')
    expect(requested).toEqual([`POST ${unknownUrl()}`])
    expect(received()).toContain('authorization: Bearer key\r\n')
    expect(received()).toEndWith('{"a":"é"}')
  })

  it("goes through the environment's proxy, and nowhere else", async () => {
    expect(await sendFromBehind(proxyUrl, requestTo(unknownUrl()))).toBe('ok')
    expect(requested).toEqual([`POST ${unknownUrl()}`])
  })

  it("prefers the channel's proxy to the environment's", async () => {
    expect(await sendFromBehind(deadProxy, requestTo(unknownUrl(), { proxy: proxyUrl }))).toBe('ok')
    expect(requested).toEqual([`POST ${unknownUrl()}`])
  })

  it('has the proxy make a tunnel when it is secure, and fails when there is none', async () => {
    const call = send(requestTo('https://upstream.invalid/v1', { proxy: proxyUrl }))
    expect(await errorOf(call)).toBeInstanceOf(Error)
    expect(requested).toEqual([`CONNECT ${unknownHost}:443`])
  })

  it('fails when its proxy is down: the upstream is never reached without it', async () => {
    const request = requestTo(upstream.url)
    expect(await errorOf(send({ ...request, proxy: deadProxy }))).toBeInstanceOf(Error)
    expect(await errorOf(sendFromBehind(deadProxy, request))).toBeInstanceOf(Error)
    expect(upstream.connections).toEqual([])
  })

  it('through a proxy returns the upstream’s response, also one without a body', async () => {
    const other = await startServer(answering('HTTP/1.1 304 Not Modified\r\nETag: a\r\n\r\n'))
    const exchange = await exchangeOf(requestTo(unknownUrl(), { proxy: other.url }))
    const response = await exchange.response
    expect([response.status, response.header('etag'), response.headers()]).toEqual([304, 'a', { etag: 'a' }])
    expect(await response.read()).toEqual({ done: true })
    other.close()
  })

  it('through a proxy is given up at once', async () => {
    const silent = await startServer(async (visit) => {
      await visit.request()
      exchange.abort()
    })
    const exchange = await exchangeOf(requestTo(unknownUrl(), { proxy: silent.url }))
    expect(await errorOf(exchange.response)).toBeInstanceOf(Error)
    expect(await silent.connections[0]?.closesSoon()).toBe(true)
    silent.close()
  })
})

describe('a call by the platform’s client', () => {
  const viaFetch = { viaFetch: true }

  it('reaches the upstream without the own client', async () => {
    client.close()
    expect(await send(requestTo(upstream.url), viaFetch)).toBe('ok')
    expect(received()).toMatch(/authorization: Bearer key\r\n/i)
    expect(received()).toEndWith('{"a":"é"}')
  })

  it('keeps to the address that the guard checked, and is refused by it before anything connects', async () => {
    const guarded = requestTo(unknownUrl(), { guard: guardFor('127.0.0.0/8') })
    expect(await send(guarded, viaFetch)).toBe('ok')
    expect(received()).toMatch(new RegExp(`host: ${unknownHost}`, 'i'))
    const refused = send(requestTo(unknownUrl(), { guard: guardFor() }), viaFetch)
    expect(await errorOf(refused)).toBeInstanceOf(OutboundForbiddenError)
  })

  it('goes through the proxy of its channel', async () => {
    expect(await send(requestTo(unknownUrl(), { proxy: proxyUrl }), viaFetch)).toBe('ok')
    expect(requested).toEqual([`POST ${unknownUrl()}`])
  })
})

describe('a guarded call', () => {
  it('connects to the address that the guard checked, with the host name of the URL', async () => {
    expect(await send(requestTo(unknownUrl(), { guard: guardFor('127.0.0.0/8') }))).toBe('ok')
    expect(received()).toContain(`host: ${unknownHost}:${upstream.port}\r\n`)
  })

  it('is refused by the guard before anything connects', async () => {
    for (const more of [{}, { proxy: proxyUrl }, { proxy: 'http://proxy.invalid' }]) {
      const call = send(requestTo(unknownUrl(), { guard: guardFor(), ...more }))
      expect(await errorOf(call)).toBeInstanceOf(OutboundForbiddenError)
    }
    expect([upstream.connections, requested]).toEqual([[], []])
  })

  it('goes through the proxy of its channel when the guard allows both', async () => {
    expect(await send(requestTo(unknownUrl(), { guard: guardFor('127.0.0.0/8'), proxy: proxyUrl }))).toBe(
      'ok',
    )
    expect(requested).toEqual([`POST ${unknownUrl()}`])
  })
})
