import type { CallerConnection } from '../../relay/call.ts'
import type { Deadline, Deadlines } from '../../relay/deadlines.ts'
import type { PeerLookup } from '../client-address.ts'

/** Calls that are over sooner are not watched. With a sweep on top it must leave time to end an upstream within 100 ms. */
const quickMs = 40

/**
 * The connection a call came by. The runtime tells of a hang-up through the request's signal, and making that costs
 * as much as half of a quick call: so only calls that last ask for it, and learn then of a hang-up before.
 */
export class WatchedConnection implements CallerConnection {
  readonly #request: Request
  readonly #peers: PeerLookup | undefined
  readonly #watch: Deadline
  #signal: AbortSignal | undefined
  #tell: (() => void) | undefined

  constructor(request: Request, peers: PeerLookup | undefined, watches: Deadlines) {
    this.#request = request
    this.#peers = peers
    this.#watch = watches.start(quickMs, () => this.#watchSignal())
  }

  get isGone(): boolean {
    return this.#signal?.aborted ?? false
  }

  whenGone(listener: () => void): void {
    this.#tell = listener
    if (this.isGone) listener()
  }

  release(): void {
    this.#watch.clear()
  }

  #watchSignal(): void {
    // Uploads may be slow and streams silent for as long as the relay's own deadlines allow.
    this.#peers?.timeout?.(this.#request, 0)
    const { signal } = this.#request
    this.#signal = signal
    if (signal.aborted) this.#tell?.()
    else signal.addEventListener('abort', () => this.#tell?.(), { once: true })
  }
}
