/** Browser programs may call the relay from any origin: the key, not the origin, is what is trusted. */
const preflightHeaders = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE, OPTIONS',
  'Access-Control-Max-Age': '43200',
} as const

/** Adds the headers a browser needs to read an answer; looks at nothing of it for callers that are no browser. */
export function allowOrigin(request: Request, answer: { readonly headers: Headers }): void {
  if (request.headers.get('origin') === null) return
  answer.headers.set('Access-Control-Allow-Origin', '*')
  answer.headers.set('Access-Control-Expose-Headers', '*')
}

/** @param named headers of every answer */
export function preflightAnswer(request: Request, named: Readonly<Record<string, string>>): Response {
  const headers = new Headers({ ...preflightHeaders, ...named })
  headers.set('Access-Control-Allow-Headers', request.headers.get('access-control-request-headers') ?? '*')
  allowOrigin(request, { headers })
  return new Response(null, { status: 204, headers })
}
