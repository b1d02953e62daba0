import { preflightHeaders, readableHeaders } from '../relay/relay-context.ts'
import type { RequestContext } from './request-context.ts'

/** Lets a browser program of any site read the answer of a call that a relay key opens, as of relayed calls. */
export function allowAnyOrigin({ request, responseHeaders }: RequestContext): void {
  if (request.headers.get('origin') === null) return
  for (const [name, value] of Object.entries(readableHeaders)) responseHeaders.set(name, value)
}

export function preflightResponse(request: Request): Response {
  const requested = request.headers.get('access-control-request-headers') ?? '*'
  const headers = { ...preflightHeaders, ...readableHeaders, 'access-control-allow-headers': requested }
  return new Response(null, { status: 204, headers })
}
