import { fetchExchange } from '../lib/http-client/fetched-exchange.ts'
import { ConnectError, type HttpExchange } from '../lib/http-client/http-answer.ts'
import type { HttpClient } from '../lib/http-client/http-client.ts'
import { prepareRequest } from '../lib/outbound-fetch.ts'
import type { OutboundGuard } from '../lib/outbound-guard.ts'
import type { UpstreamAddress } from './addresses.ts'

/** One call as it is sent. */
export interface UpstreamRequest {
  readonly address: UpstreamAddress
  readonly body: string
  /** Set for addresses that somebody below root chose: keeps them away from private networks. */
  readonly guard: OutboundGuard | undefined
  readonly proxy: string | undefined
}

/** Sends a call on its way. What it returns at once, or rejects with, is up to the guard. */
export type UpstreamClient = (request: UpstreamRequest) => HttpExchange | Promise<HttpExchange>

interface UpstreamClientDependencies {
  readonly client: HttpClient
  /** The environment names a proxy for what leaves this host. */
  readonly isProxied: boolean
}

/**
 * Calls go over our own connections, and through the runtime's `fetch` where a proxy is to be used: the channel's own,
 * or the environment's, whose exceptions `fetch` knows.
 */
export function createUpstreamClient({ client, isProxied }: UpstreamClientDependencies): UpstreamClient {
  return (request) => {
    if (isProxied || request.proxy !== undefined) return sendByProxy(request)
    const { address, body, guard } = request
    return guard === undefined ? client.post(address.target, body) : sendGuarded(request, guard, client)
  }
}

/** Connects to the very address that the guard looked at. */
async function sendGuarded(
  { address, body }: UpstreamRequest,
  guard: OutboundGuard,
  client: HttpClient,
): Promise<HttpExchange> {
  const [allowed] = await guard.check(address.url)
  if (allowed === undefined) throw new ConnectError('the guard names no address')
  return client.post(address.target, body, allowed)
}

async function sendByProxy({ address, body, guard, proxy }: UpstreamRequest): Promise<HttpExchange> {
  const { url, options } = await prepareRequest({
    url: address.url,
    headers: Object.fromEntries(address.headers),
    method: 'POST',
    body,
    guard,
    ...(proxy === undefined ? {} : { proxy }),
  })
  return fetchExchange(url, options)
}

const proxyVariables = ['http_proxy', 'https_proxy', 'all_proxy']

/** Whether the environment names a proxy, as the runtime reads it. */
export function hasEnvironmentProxy(environment: Readonly<Record<string, string | undefined>>): boolean {
  return Object.entries(environment).some(
    ([name, value]) => proxyVariables.includes(name.toLowerCase()) && value !== undefined && value !== '',
  )
}
