import { type Clock, getOrInsert, monotonicClock } from '@tollgate/base'
import type { HttpExchange, HttpRequest, HttpTarget } from './http-message.ts'
import { Origin } from './origin.ts'
import { PendingExchange } from './pending-exchange.ts'

/** Options of one request. */
export interface SendOptions {
  /**
   * Addresses to connect to, one after the other, instead of looking the host up; the certificate must still be the host's.
   * Not empty.
   */
  readonly addresses?: readonly string[] | undefined
}

/** Sends over its own pool of kept-alive connections. Returns redirects like any other response. */
export interface HttpClient {
  send(request: HttpRequest, options?: SendOptions): HttpExchange
  close(): void
}

/** Limits and clock of a client. */
export interface HttpClientOptions {
  /** Limit for looking up, connecting and TLS together. */
  readonly connectTimeoutMs?: number
  readonly clock?: Clock
}

const defaultConnectTimeoutMs = 5000
const sweepMs = 5000

/** A client with connections of its own. */
export function createHttpClient({
  connectTimeoutMs = defaultConnectTimeoutMs,
  clock = monotonicClock,
}: HttpClientOptions = {}): HttpClient {
  const origins = new Map<string, Origin>()

  function originOf({ origin, endpoint }: HttpTarget, addresses: readonly string[] | undefined): Origin {
    const key = addresses === undefined ? origin : `${origin} ${[...addresses].sort().join()}`
    return getOrInsert(origins, key, () => new Origin({ endpoint, addresses, connectTimeoutMs, clock }))
  }

  function sweep(): void {
    const now = clock.now()
    for (const [key, origin] of origins) {
      if (origin.isUnused) origins.delete(key)
      else origin.closeIdle(now)
    }
  }

  const timer = setInterval(sweep, sweepMs)
  timer.unref()

  return {
    send: (request, options) => new PendingExchange(request, originOf(request.target, options?.addresses)),
    close() {
      clearInterval(timer)
      for (const origin of origins.values()) origin.close()
    },
  }
}
