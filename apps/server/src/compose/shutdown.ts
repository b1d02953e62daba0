import { type Clock, monotonicClock } from '@tollgate/base'
import type { HttpServer } from '@tollgate/http/server'
import type { NodeState } from '../fleet/node-state.ts'
import type { InFlight } from '../gateway/relay/in-flight.ts'
import type { Logger } from '../lib/logger.ts'

/** Ways to end a gateway: by a request to stop, or by an unhandled fault. */
export interface Shutdown {
  /**
   * Drains: serves for a time as before, while load balancers turn to other nodes. Then it accepts no new connections, lets
   * running requests end within their time, flushes the ledger, and closes everything.
   */
  stop(): Promise<void>
  /**
   * Logs an unhandled fault, with its origin. New calls are refused with 503 and `/readyz` says so until the calls in
   * flight have ended within their time; then as `stop`. State in memory may be wrong by now: the process should end
   * with an exit code that is not 0.
   */
  fault(error: unknown, origin: FaultOrigin): Promise<void>
}

export type FaultOrigin = 'uncaughtException' | 'unhandledRejection'

interface Dependencies {
  readonly server: Pick<HttpServer, 'drain' | 'refuse' | 'stop' | 'cut' | 'serving'>
  readonly inFlight: Pick<InFlight, 'retire' | 'drain'>
  /** While every call is refused, nobody needs time to turn to other nodes. */
  readonly node: Pick<NodeState, 'isFit' | 'isOpen' | 'end' | 'close'>
  /** Time for which this node serves as before, and for which an idle connection may still bring a request after that. */
  readonly drainMs: () => number
  /** Time that calls in flight may take to end after that. */
  readonly limitMs: number
  /** Says that this node ends, and leaves to other nodes what they can take over at once. */
  readonly leave: () => void
  /** Closes everything behind the server. */
  readonly close: () => Promise<void>
  readonly logger: Pick<Logger, 'fatal'>
  readonly clock?: Clock
}

/** Interval of checks for requests in service. */
const lookMs = 20
/** Time that settled responses may take to reach their callers after the last of them was written. */
const lastBytesMs = 2000

export function createShutdown(deps: Dependencies): Shutdown {
  const { server, inFlight, node, limitMs, clock = monotonicClock } = deps
  let ending: Promise<void> | undefined

  async function drained(drainMs: number): Promise<void> {
    const until = clock.now() + drainMs
    // Each response has its caller connect anew, to another node.
    if (drainMs > 0) server.drain()
    while (node.isOpen && node.isFit && clock.now() < until) await Bun.sleep(lookMs)
    if (node.isOpen && drainMs > 0) await server.refuse()
  }

  /** Polling costs less than an event of every request. */
  async function requestsServed(until: number): Promise<void> {
    while (server.serving > 0 && clock.now() < until) await Bun.sleep(lookMs)
  }

  async function end(): Promise<void> {
    const drainMs = deps.drainMs()
    node.end()
    deps.leave()
    await drained(drainMs)
    const until = clock.now() + limitMs
    // The listener stays open meanwhile, so that callers and load balancers get the reason of their refusal.
    if (!node.isOpen) await inFlight.drain(limitMs)
    const closed = server.stop(node.isOpen ? drainMs : 0)
    inFlight.retire()
    await requestsServed(until)
    node.close()
    // Requests have ended by now, or their time is over: sessions get the rest of it.
    await inFlight.drain(Math.max(0, until - clock.now()))
    await Promise.race([closed, Bun.sleep(lastBytesMs)])
    server.cut()
    await deps.close()
  }

  return {
    stop() {
      ending ??= end()
      return ending
    },
    fault(error, origin) {
      deps.logger.fatal(
        { err: error, origin },
        'an unhandled fault ends the process: report it with this entry',
      )
      node.close()
      ending ??= end()
      return ending
    },
  }
}
