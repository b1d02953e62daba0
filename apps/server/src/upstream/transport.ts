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
import { type WebSocketRequest, webSocketExchange } from './websocket-exchange.ts'
import type { WebSocketRoute } from './websocket-session.ts'

/** One request as it is sent. */
export interface TransportRequest {
  readonly target: RequestTarget
  readonly body: RequestBody | undefined
  /** Set for addresses that somebody below root chose: keeps them away from private networks. */
  readonly guard: OutboundGuard | undefined
  /** http(s) or socks5; empty for none. */
  readonly proxy: string
  /** Set for what is asked over a WebSocket. */
  readonly webSocket?: Pick<WebSocketRequest, 'isLast'> | undefined
}

/** Sends what was prepared. */
export type Send = () => HttpExchange

/** How requests leave this process. */
export interface Transport {
  /**
   * Sends a request at once, or prepares it while something must be waited for (a guard looks its host up): whoever made
   * the call may be gone by then. Rejects with what was waited for.
   */
  send(request: TransportRequest): HttpExchange | Promise<Send>
  /** Prepares it in any case. */
  prepare(request: TransportRequest): Promise<Send>
  /** The way that a WebSocket takes. Rejects as `send` does. */
  route(request: Pick<TransportRequest, 'target' | 'guard' | 'proxy'>): Promise<WebSocketRoute>
}

interface TransportDependencies {
  readonly client: HttpClient
  /** The environment names a proxy for what leaves this host. */
  readonly isProxied: boolean
  readonly socks?: SocksBridge
}

/**
 * Requests go over our own connections, and through the runtime's `fetch` where a proxy is to be used: the channel's own,
 * or the environment's, whose exceptions `fetch` knows.
 */
export function createTransport({
  client,
  isProxied,
  socks = createSocksBridge(),
}: TransportDependencies): Transport {
  const isDirect = ({ proxy, guard }: TransportRequest) => !isProxied && proxy === '' && guard === undefined
  async function prepare(request: TransportRequest): Promise<Send> {
    if (isDirect(request)) return () => send(client, request)
    const { guard, proxy, webSocket } = request
    if (webSocket !== undefined) {
      const taken = await route(request)
      return () => webSocketExchange({ ...messageOf(request), ...webSocket, ...taken })
    }
    if (isSocks(proxy)) return bySocks(request, socks)
    if (isProxied || proxy !== '' || guard === undefined) return byProxy(request)
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

/** A first message is sent whole. Throws `TypeError` for a body that is not there yet. */
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
 * The proxy looks hosts up, unless a guard watches: then it is told to connect to the very address that the guard looked
 * at, as its own look-up could answer otherwise. The tunnel is made anew for each request: the runtime may not give one
 * proxy's to another.
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

async function byProxy(request: TransportRequest): Promise<Send> {
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

/** The runtime's WebSocket knows no proxy of the environment: without one of the channel there is no way out. */
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

/** `fetch` through a proxy takes a body whole. */
async function fetchableBody(body: RequestBody | undefined): Promise<string | Uint8Array | undefined> {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body
  const pieces: Uint8Array[] = []
  // A source may use its buffer again.
  for await (const piece of 'source' in body ? body.source : body) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

const proxyVariables = ['http_proxy', 'https_proxy', 'all_proxy']

/** Whether the environment names a proxy, as the runtime reads it. */
export function hasEnvironmentProxy(environment: Readonly<Record<string, string | undefined>>): boolean {
  return Object.entries(environment).some(
    ([name, value]) => proxyVariables.includes(name.toLowerCase()) && value !== undefined && value !== '',
  )
}
