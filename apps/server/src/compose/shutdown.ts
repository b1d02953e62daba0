import { type Clock, monotonicClock } from '@tollgate/base'
import type { HttpServer } from '@tollgate/http/server'
import type { Logger } from '../lib/logger.ts'
import type { InFlight } from '../relay/in-flight.ts'

/** How a gateway ends: asked to, or by a fault that nobody foresaw. */
export interface Shutdown {
  readonly isEnding: boolean
  /** Whether calls may still be admitted: those that were on their way when a stop was asked for may, for their time. */
  readonly admits: boolean
  /**
   * Takes no new connections, lets requests that are being received or answered end within their time, writes the books,
   * and closes everything.
   */
  stop(): Promise<void>
  /**
   * Logs a fault that reached nobody, with its origin. New calls are refused with 503 and `/readyz` says so until the calls
   * in flight have ended within their time; then as `stop`. What memory holds may be wrong by now: the process should end
   * with an exit code that is not 0.
   */
  fault(error: unknown, origin: FaultOrigin): Promise<void>
}

export type FaultOrigin = 'uncaughtException' | 'unhandledRejection'

interface Dependencies {
  readonly server: Pick<HttpServer, 'stop' | 'cut' | 'serving'>
  readonly inFlight: Pick<InFlight, 'drain'>
  /** How long what is in flight may take to end. */
  readonly limitMs: number
  /** Closes everything behind the server. */
  readonly close: () => Promise<void>
  readonly logger: Pick<Logger, 'fatal'>
  readonly clock?: Clock
}

/** How often it is looked whether requests are still being served. */
const lookMs = 20
/** How long settled answers may take to reach their callers after the last of them was written. */
const lastBytesMs = 2000

export function createShutdown(deps: Dependencies): Shutdown {
  const { server, inFlight, limitMs, clock = monotonicClock } = deps
  let admits = true
  let ending: Promise<void> | undefined

  /** Looking costs less than every request would by telling. */
  async function requestsServed(until: number): Promise<void> {
    while (server.serving > 0 && clock.now() < until) await Bun.sleep(lookMs)
  }

  async function end(): Promise<void> {
    const until = clock.now() + limitMs
    // The listener stays open meanwhile, so that callers and load balancers get the reason of their refusal.
    if (!admits) await inFlight.drain(limitMs)
    const closed = server.stop()
    await requestsServed(until)
    admits = false
    // Requests are answered by now, or their time is over: sessions have what is left of it.
    await inFlight.drain(Math.max(0, until - clock.now()))
    await Promise.race([closed, Bun.sleep(lastBytesMs)])
    server.cut()
    await deps.close()
  }

  return {
    get isEnding() {
      return ending !== undefined
    },
    get admits() {
      return admits
    },
    stop() {
      ending ??= end()
      return ending
    },
    fault(error, origin) {
      deps.logger.fatal({ err: error, origin }, 'a fault that nobody handled: the process ends')
      admits = false
      ending ??= end()
      return ending
    },
  }
}
