import { preflightHeaders, readableHeaders } from '../relay/cors.ts'
import type { Visit } from './visit.ts'

/** Lets a browser program of any site read the answer of a call that a relay key opens, as of relayed calls. */
export function allowAnyOrigin({ request, responseHeaders }: Visit): void {
  if (request.headers.get('origin') === null) return
  for (const [name, value] of Object.entries(readableHeaders)) responseHeaders.set(name, value)
}

export function preflightResponse(request: Request): Response {
  const asked = request.headers.get('access-control-request-headers') ?? '*'
  const headers = { ...preflightHeaders, ...readableHeaders, 'access-control-allow-headers': asked }
  return new Response(null, { status: 204, headers })
}
