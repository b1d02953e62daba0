import { type OutboundResponse, outboundFetch } from './outbound-fetch.ts'
import { OutboundForbiddenError, type OutboundGuard } from './outbound-guard.ts'

/** A proxy that fetches for the gateway, so that users' servers never learn its address. */
export interface WorkerProxy {
  readonly url: string
  /** Authenticates the gateway to the worker. */
  readonly key: string
}

export interface UserRequest {
  /** https only. */
  readonly url: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  /** Headers for requests through a worker alone. */
  readonly headersByWorker?: Readonly<Record<string, string>>
  /** Body as `JSON.stringify` writes it: a worker gets it as JSON and writes it the same way. */
  readonly json?: string
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly signal?: AbortSignal
}

/** Requests to addresses that users chose. Throws the errors of the guard and of `outboundFetch`. */
export type UserFetch = (request: UserRequest) => Promise<OutboundResponse>

interface Dependencies {
  readonly guard: OutboundGuard
  /** The configured worker; `undefined` for none. */
  readonly worker: () => WorkerProxy | undefined
}

/** The guard checks the address in either case: a worker must not bypass it. */
export function createUserFetch({ guard, worker }: Dependencies): UserFetch {
  return async (request) => {
    if (!isHttps(request.url)) throw new OutboundForbiddenError('an address that a user chose is not https')
    const proxy = worker()
    if (proxy === undefined) return outboundFetch({ ...direct(request), guard })
    await guard.check(request.url)
    return outboundFetch(throughWorker(request, proxy))
  }
}

function isHttps(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === 'https:'
}

function direct({ json, headersByWorker: _, ...request }: UserRequest) {
  return json === undefined ? request : { ...request, headers: withJsonType(request.headers), body: json }
}

function throughWorker(request: UserRequest, { url, key }: WorkerProxy) {
  const { json, method = 'GET', timeoutMs, maxBytes, signal } = request
  const headers = { ...request.headers, ...request.headersByWorker }
  const requested = {
    url: request.url,
    key,
    method,
    headers: json === undefined ? headers : withJsonType(headers),
    ...(json !== undefined && { body: JSON.parse(json) as unknown }),
  }
  return {
    url: `${url}/`,
    method: 'POST',
    headers: withJsonType(),
    body: JSON.stringify(requested),
    timeoutMs,
    maxBytes,
    ...(signal !== undefined && { signal }),
  }
}

function withJsonType(headers: Readonly<Record<string, string>> = {}) {
  return { ...headers, 'content-type': 'application/json' }
}
