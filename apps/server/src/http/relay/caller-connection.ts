import type { CallerConnection } from '../../relay/call.ts'
import type { Deadlines } from '../../relay/deadlines.ts'
import type { PeerLookup } from '../client-address.ts'

/** Calls that are over sooner are not watched. */
const quickMs = 20

/**
 * The connection a call came by. The runtime tells of a hang-up through the request's signal, and making that costs
 * as much as half of a quick call: so only calls that last ask for it, and learn then of a hang-up before.
 */
export function callerConnection(
  request: Request,
  peers: PeerLookup | undefined,
  watches: Deadlines,
): CallerConnection {
  let signal: AbortSignal | undefined
  let tell: (() => void) | undefined
  const watch = watches.start(quickMs, () => {
    // Uploads may be slow and streams silent for as long as the relay's own deadlines allow.
    peers?.timeout?.(request, 0)
    signal = request.signal
    if (signal.aborted) tell?.()
    else signal.addEventListener('abort', () => tell?.(), { once: true })
  })
  return {
    get isGone() {
      return signal?.aborted ?? false
    },
    whenGone(listener) {
      tell = listener
      if (signal?.aborted) listener()
    },
    release: watch.clear,
  }
}
