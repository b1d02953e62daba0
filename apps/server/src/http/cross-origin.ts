import type { InboundRequest, Reply } from '@tollgate/http/server'

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
