import { timingSafeEqual } from 'node:crypto'
import { sha256 } from '../lib/crypto.ts'

interface Dependencies {
  /** The text of a scrape. */
  readonly read: () => Promise<{ readonly contentType: string; readonly body: string }>
  /** Token that a scraper must send; absent where the address itself is closed to others. */
  readonly token: string | undefined
}

export const metricsPath = '/metrics'

/** Serves metrics to those who have the token. */
export function createMetricsEndpoint({
  read,
  token,
}: Dependencies): (request: Request) => Promise<Response> {
  const expected = token === undefined ? undefined : Buffer.from(sha256(`Bearer ${token}`))
  return async ({ headers }) => {
    if (expected !== undefined) {
      const presented = Buffer.from(sha256(headers.get('authorization') ?? ''))
      if (!timingSafeEqual(presented, expected)) return unauthorized()
    }
    const { contentType, body } = await read()
    return new Response(body, { headers: { 'content-type': contentType, 'cache-control': 'no-store' } })
  }
}

function unauthorized(): Response {
  const headers = {
    'www-authenticate': 'Bearer realm="metrics"',
    'content-type': 'text/plain; charset=utf-8',
  }
  return new Response('METRICS_TOKEN is required as a bearer token.\n', { status: 401, headers })
}
