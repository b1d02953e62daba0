import {
  ConnectError,
  fetchExchange,
  type HttpClient,
  type HttpExchange,
  type RequestBody,
  type SendOptions,
} from '@tollgate/http/client'
import { prepareRequest } from '../lib/outbound/outbound-fetch.ts'
import type { OutboundGuard } from '../lib/outbound/outbound-guard.ts'
import type { RequestTarget } from './request-target.ts'
import { createSocksBridge, type SocksBridge } from './socks/bridge.ts'
import { type WebSocketRequest, webSocketExchange } from './websocket/exchange.ts'
import type { WebSocketRoute } from './websocket/session.ts'

/** One request to send. */
export interface TransportRequest {
  readonly target: RequestTarget
  readonly body: RequestBody | undefined
  /** Set for addresses that a user below root chose: blocks private networks. */
  readonly guard: OutboundGuard | undefined
  /** http(s) or socks5; empty for none. */
  readonly proxy: string
  /** Set for a request over a WebSocket. */
  readonly webSocket?: Pick<WebSocketRequest, 'isLast'> | undefined
}

/** Sends a prepared request. */
export type Send = () => HttpExchange

/** Transport of requests out of this process. */
export interface Transport {
  /**
   * Sends a request at once, or prepares it when it must wait first (for the guard's host look-up): the caller may have
   * disconnected by then, and decides whether to send. Rejects with the error of that wait.
   */
  send(request: TransportRequest): HttpExchange | Promise<Send>
  /** Prepares a request in any case. */
  prepare(request: TransportRequest): Promise<Send>
  /** Finds the route of a WebSocket. Rejects as `send` does. */
  route(request: Pick<TransportRequest, 'target' | 'guard' | 'proxy'>): Promise<WebSocketRoute>
}

interface TransportDependencies {
  readonly client: HttpClient
  /** Set when the environment names a proxy for outbound requests. */
  readonly isProxied: boolean
  /** The platform's client sends everything. */
  readonly viaFetch?: boolean
  readonly socks?: SocksBridge
}

/**
 * Sends requests over our own connections, and through the runtime's `fetch` where a proxy is set: the channel's own, or the
 * environment's, whose exceptions `fetch` knows. Both keep to the addresses that a guard has checked.
 */
export function createTransport({
  client,
  isProxied,
  viaFetch = false,
  socks = createSocksBridge(),
}: TransportDependencies): Transport {
  const isFetched = ({ proxy, webSocket }: TransportRequest) =>
    webSocket === undefined && (viaFetch || isProxied || proxy !== '')
  const isDirect = (request: TransportRequest) =>
    !isFetched(request) && !isProxied && request.proxy === '' && request.guard === undefined
  async function prepare(request: TransportRequest): Promise<Send> {
    if (isDirect(request)) return () => send(client, request)
    const { guard, proxy, webSocket } = request
    if (webSocket !== undefined) {
      const taken = await route(request)
      return () => webSocketExchange({ ...messageOf(request), ...webSocket, ...taken })
    }
    if (isSocks(proxy)) return bySocks(request, socks)
    if (isFetched(request) || guard === undefined) return byFetch(request)
    return guarded(request, guard, client)
  }
  const route: Transport['route'] = (request) => webSocketRoute(request, isProxied, socks)
  return {
    send: (request) => (isDirect(request) ? send(client, request) : prepare(request)),
    prepare,
    route,
  }
}

function send(client: HttpClient, request: TransportRequest, options?: SendOptions): HttpExchange {
  const { target, body, webSocket } = request
  if (webSocket === undefined) return client.send({ target, method: target.method, body }, options)
  return webSocketExchange({ ...messageOf(request), ...webSocket })
}

/** The first message, which must be complete. Throws `TypeError` for a body whose bytes do not exist yet. */
function messageOf({ target, body = '' }: TransportRequest) {
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError('a message of a WebSocket must be whole')
  return { url: target.url, headers: target.headers, body }
}

/** Connects to the very addresses that the guard looked at, one after the other. */
async function guarded(request: TransportRequest, guard: OutboundGuard, client: HttpClient): Promise<Send> {
  const addresses = await guard.check(request.target.url)
  if (addresses.length === 0) throw new ConnectError('the guard names no address')
  return () => send(client, request, { addresses })
}

function isSocks(proxy: string): boolean {
  return /^socks5h?:/i.test(proxy)
}

/**
 * Sends through a SOCKS proxy. The proxy looks hosts up, unless a guard is set: then the proxy gets the address that the guard
 * has checked, because its own look-up could return another one. Each request opens a new tunnel, because the runtime must
 * not reuse one proxy's tunnel for another.
 */
async function bySocks(request: TransportRequest, socks: SocksBridge): Promise<Send> {
  const { target } = request
  const bridge = await socksProxy(request, socks)
  const { url, options } = await prepareRequest({
    url: target.url,
    headers: Object.fromEntries(target.headers),
    method: target.method,
    body: await fetchableBody(request.body),
    proxy: bridge,
  })
  return () => fetchExchange(url, { ...options, keepalive: false })
}

/** The address of the bridge that leads through a SOCKS proxy. */
async function socksProxy(
  { target, guard, proxy }: Pick<TransportRequest, 'target' | 'guard' | 'proxy'>,
  socks: SocksBridge,
): Promise<string> {
  const [proxyAddress] = (await guard?.check(proxy.replace(/^socks5h?:/i, 'http:'))) ?? []
  const [targetAddress] = (await guard?.check(target.url)) ?? []
  return socks.proxyFor({ proxy, proxyAddress, targetAddress })
}

async function byFetch(request: TransportRequest): Promise<Send> {
  const { target, body, guard, proxy } = request
  const { url, options } = await prepareRequest({
    url: target.url,
    headers: Object.fromEntries(target.headers),
    method: target.method,
    body: await fetchableBody(body),
    guard,
    proxy,
  })
  return () => fetchExchange(url, options)
}

/** Finds a WebSocket's route. Throws where only the environment names a proxy, which the runtime's WebSocket ignores. */
async function webSocketRoute(
  request: Pick<TransportRequest, 'target' | 'guard' | 'proxy'>,
  isProxied: boolean,
  socks: SocksBridge,
): Promise<WebSocketRoute> {
  const { target, guard, proxy } = request
  if (isSocks(proxy)) return { proxy: await socksProxy(request, socks) }
  if (isProxied && proxy === '')
    throw new ConnectError("a WebSocket cannot go through the environment's proxy")
  if (proxy !== '') await guard?.check(proxy)
  const addresses = await guard?.check(target.url)
  if (addresses?.length === 0) throw new ConnectError('the guard names no address')
  return proxy === '' ? { address: addresses?.[0] } : { proxy }
}

/** Buffers the body, as `fetch` through a proxy requires. */
async function fetchableBody(body: RequestBody | undefined): Promise<string | Uint8Array | undefined> {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body
  const pieces: Uint8Array[] = []
  // A source may reuse its buffer.
  for await (const piece of 'source' in body ? body.source : body) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}
