import { isIP } from 'node:net'
import type { OutboundGuard } from './outbound-guard.ts'

export type OutboundFailure = 'timeout' | 'unreachable' | 'redirect' | 'too-large' | 'aborted'

interface OutboundErrorOptions extends ErrorOptions {
  /** See `OutboundError.isSent`. */
  readonly isSent?: boolean
}

/** A request of the gateway got no usable response. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly failure: OutboundFailure
  /** The other side may have processed the request: it was sent completely, or this is unknown. */
  readonly isSent: boolean

  constructor(failure: OutboundFailure, { isSent = true, ...options }: OutboundErrorOptions = {}) {
    super(`outbound request: ${failure}`, options)
    this.failure = failure
    this.isSent = isSent
  }
}

export interface OutboundRequest {
  readonly url: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
  readonly timeoutMs: number
  /** Longest response that is read, after decompression. */
  readonly maxBytes: number
  /** http(s) address of a proxy; empty for none. */
  readonly proxy?: string
  /** Required when a role below root chose the address (or the proxy). */
  readonly guard?: OutboundGuard | undefined
  readonly signal?: AbortSignal
}

export interface OutboundResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * One small request that is not a relayed call: bounded in time and size, never redirected (a redirect would carry
 * credentials to another host), and connected to the very addresses that the guard checked, one after the other. Throws
 * `OutboundError`, or the errors of the guard.
 */
export async function outboundFetch(request: OutboundRequest): Promise<OutboundResponse> {
  const timeout = AbortSignal.timeout(request.timeoutMs)
  const signal = request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal])
  const prepared = await prepareRequests(request)
  try {
    const response = await fetchFirst(prepared, signal)
    if (response.status >= 300 && response.status < 400) throw new OutboundError('redirect')
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await readText(response, request.maxBytes),
    }
  } catch (error) {
    if (error instanceof OutboundError) throw error
    const failure = timeout.aborted ? 'timeout' : signal.aborted ? 'aborted' : 'unreachable'
    throw new OutboundError(failure, { cause: error })
  }
}

/** A response with its body unread, from the first of the guarded addresses that accepts a connection. */
export async function openOutbound(request: GuardedRequest, signal: AbortSignal): Promise<Response> {
  const prepared = await prepareRequests(request)
  try {
    return await fetchFirst(prepared, signal)
  } catch (error) {
    throw new OutboundError(signal.aborted ? 'aborted' : 'unreachable', { cause: error })
  }
}

/** Arguments of `fetch`. */
interface PreparedRequest {
  readonly url: string
  readonly options: BunFetchRequestInit
}

type GuardedRequest = Pick<OutboundRequest, 'url' | 'method' | 'headers' | 'body' | 'proxy' | 'guard'>

/** Codes of `fetch` for a connection that was never made, so nothing was sent. */
const notConnected = new Set<unknown>(['ConnectionRefused', 'FailedToOpenSocket', 'ECONNREFUSED'])

/** The response of the first address that accepts a connection. */
async function fetchFirst(prepared: readonly PreparedRequest[], signal: AbortSignal): Promise<Response> {
  for (const [index, { url, options }] of prepared.entries()) {
    try {
      return await fetch(url, { ...options, signal })
    } catch (error) {
      const isLast = index === prepared.length - 1
      if (isLast || !notConnected.has((error as { code?: unknown }).code)) throw error
    }
  }
  throw new Error('there is no address to connect to')
}

/** The arguments of `fetch` for a request that a guard checks. Throws the errors of the guard. */
export async function prepareRequest(request: GuardedRequest): Promise<PreparedRequest> {
  const [first] = await prepareRequests(request)
  if (first === undefined) throw new Error('there is no address to connect to')
  return first
}

/** One for each address that the guard allows. */
async function prepareRequests(request: GuardedRequest): Promise<readonly PreparedRequest[]> {
  const { proxy = '', guard } = request
  const options: BunFetchRequestInit = {
    method: request.method ?? 'GET',
    headers: request.headers ?? {},
    redirect: 'manual',
    ...(request.body === undefined ? {} : { body: request.body }),
    ...(proxy === '' ? {} : { proxy }),
  }
  if (guard === undefined) return [{ url: request.url, options }]
  if (proxy !== '') await guard.check(proxy)
  const addresses = await guard.check(request.url)
  // The proxy connects; its own look-up cannot be pinned.
  if (proxy !== '') return [{ url: request.url, options }]
  return addresses.map((address) => pin(request.url, address, options))
}

/** Connects to `address` while still asking for, and verifying, the host that the URL names. */
function pin(url: string, address: string, options: BunFetchRequestInit): PreparedRequest {
  const target = new URL(url)
  const { host, hostname } = target
  target.hostname = isIP(address) === 6 ? `[${address}]` : address
  return {
    url: target.href,
    options: {
      ...options,
      headers: { ...(options.headers as Record<string, string>), host },
      // A pooled connection to this address may have been verified for another host.
      keepalive: false,
      ...(isIP(hostname) === 0 ? { tls: { serverName: hostname } as BunFetchRequestInitTLS } : {}),
    },
  }
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return ''
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new OutboundError('too-large')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
