import type { HttpClient } from '@tollgate/http/client'
import { ConnectError, fetchExchange, type HttpExchange } from '@tollgate/http/client'
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

/** Sends what was prepared. */
export type Send = () => HttpExchange

/**
 * Sends a call, or prepares it while a guard looks its host up: whoever made the call may be gone by then. Rejects with
 * what the guard throws.
 */
export type UpstreamClient = (request: UpstreamRequest) => HttpExchange | Promise<Send>

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
    if (isProxied || request.proxy !== undefined) return byProxy(request)
    const { address, body, guard } = request
    return guard === undefined
      ? client.send({ target: address, method: 'POST', body })
      : guarded(request, guard, client)
  }
}

/** Connects to the very addresses that the guard looked at, one after the other. */
async function guarded(
  { address, body }: UpstreamRequest,
  guard: OutboundGuard,
  client: HttpClient,
): Promise<Send> {
  const addresses = await guard.check(address.url)
  if (addresses.length === 0) throw new ConnectError('the guard names no address')
  return () => client.send({ target: address, method: 'POST', body }, { addresses })
}

async function byProxy({ address, body, guard, proxy }: UpstreamRequest): Promise<Send> {
  const { url, options } = await prepareRequest({
    url: address.url,
    headers: Object.fromEntries(address.headers),
    method: 'POST',
    body,
    guard,
    ...(proxy === undefined ? {} : { proxy }),
  })
  return () => fetchExchange(url, options)
}

const proxyVariables = ['http_proxy', 'https_proxy', 'all_proxy']

/** Whether the environment names a proxy, as the runtime reads it. */
export function hasEnvironmentProxy(environment: Readonly<Record<string, string | undefined>>): boolean {
  return Object.entries(environment).some(
    ([name, value]) => proxyVariables.includes(name.toLowerCase()) && value !== undefined && value !== '',
  )
}
