import type { ModelRequest, RelayCall } from '../call.ts'
import type { InFlightEntry } from '../in-flight.ts'
import type { RelayDependencies } from '../relay-dependencies.ts'
import { RelayError } from '../relay-error.ts'
import type { Candidate } from '../routing/candidates.ts'
import type { CallCharge } from './call-charge.ts'
import { refusalOf } from './reserve.ts'

type WaitDependencies = Pick<RelayDependencies, 'deadlines' | 'settings' | 'clock'>

/** A call waits no longer for another call of its account that may use up the balance. */
const maxWaitMs = 30_000
/** Other nodes, and calls of other kinds, free a balance without a word. */
const lookAgainMs = 500

/**
 * Has the balance cover what the call may cost at a candidate. Returns the refusal where it cannot; `undefined`, at once, for
 * nearly every call. Where an account that is too small for what an unknown upstream would be believed serves such a call
 * already, the call waits until that one has shown what such calls cost.
 * @throws RelayError when the caller leaves, or the gateway stops, while the call waits
 */
export function secureCandidate(
  call: RelayCall<ModelRequest>,
  charge: Pick<CallCharge, 'secure' | 'nextEnd'>,
  candidate: Candidate,
  deps: WaitDependencies,
  entry: Pick<InFlightEntry, 'opened'>,
): RelayError | undefined | Promise<RelayError | undefined> {
  const securing = charge.secure(candidate)
  if (securing === undefined) return undefined
  if (!(securing instanceof Promise) && securing.ok) return undefined
  const again = () => charge.secure(candidate)
  return afterOthers({ call, charge, again, deps, entry }, securing)
}

interface Waiting {
  readonly call: RelayCall<ModelRequest>
  readonly charge: Pick<CallCharge, 'nextEnd'>
  readonly again: () => ReturnType<CallCharge['secure']>
  readonly deps: WaitDependencies
  readonly entry: Pick<InFlightEntry, 'opened'>
}

async function afterOthers(
  { call, charge, again, deps, entry }: Waiting,
  first: ReturnType<CallCharge['secure']>,
): Promise<RelayError | undefined> {
  const startedAt = deps.clock.now()
  const wait = new Wait(deps)
  entry.opened(wait)
  for (let securing = first; ; securing = again()) {
    const secured = await securing
    if (secured === undefined || secured.ok) return undefined
    const isLate = deps.clock.now() - startedAt > maxWaitMs
    if (!secured.isUncovered || isLate) return refusalOf(secured, deps)
    await wait.until(charge.nextEnd())
    if (call.connection.isDisconnected) throw new RelayError('client_gone', 'The caller hung up.')
    if (wait.isEnded) throw new RelayError('shutting_down', 'The gateway is restarting. Try again.')
  }
}

/** A wait that our side can end, as it ends an exchange. */
class Wait {
  isEnded = false
  readonly #ended = Promise.withResolvers<void>()
  readonly #deps: Pick<WaitDependencies, 'deadlines'>

  constructor(deps: Pick<WaitDependencies, 'deadlines'>) {
    this.#deps = deps
  }

  end(): void {
    this.isEnded = true
    this.#ended.resolve()
  }

  async until(event: Promise<void>): Promise<void> {
    const late = Promise.withResolvers<void>()
    const deadline = this.#deps.deadlines.start(lookAgainMs, late.resolve)
    await Promise.race([event, late.promise, this.#ended.promise])
    deadline.clear()
  }
}
