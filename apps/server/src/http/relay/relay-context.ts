import type { InboundRequest, Reply } from '@tollgate/http/server'
import type { CallOrigin } from '../../gateway/relay/admission.ts'
import type { ClientAddresses } from '../client-address.ts'

/** One request as the relay's edge passes it along. */
export class RelayContext implements CallOrigin {
  readonly request: InboundRequest
  readonly path: string
  readonly requestId: string
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number
  readonly #addresses: ClientAddresses

  constructor(
    request: InboundRequest,
    path: string,
    requestId: string,
    startedAt: number,
    addresses: ClientAddresses,
  ) {
    this.request = request
    this.path = path
    this.requestId = requestId
    this.startedAt = startedAt
    this.#addresses = addresses
  }

  get address(): string {
    return this.#addresses.of(this.request)
  }

  /** With its question mark; empty when there is none. */
  get query(): string {
    const { target } = this.request
    const start = target.indexOf('?')
    return start === -1 ? '' : target.slice(start)
  }
}

type Caller = Pick<InboundRequest, 'headers'>

/** Browser programs may call the relay from any origin: the key, not the origin, is what is trusted. */
export const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
  'access-control-max-age': '43200',
} as const

export const readableHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
} as const

/** Adds the CORS headers that a browser needs to read the response; returns it unchanged for other callers. */
export function allowOrigin(request: Caller, reply: Reply): Reply {
  if (request.headers.get('origin') === null) return reply
  return { ...reply, headers: { ...reply.headers, ...readableHeaders } }
}

/** @param named headers of every response */
export function preflightReply(request: Caller, named: Readonly<Record<string, string>>): Reply {
  const requestedHeaders = request.headers.get('access-control-request-headers') ?? '*'
  const headers = { ...preflightHeaders, ...named, 'access-control-allow-headers': requestedHeaders }
  return allowOrigin(request, { status: 204, headers, body: '' })
}
