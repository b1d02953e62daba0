import type { CallOutcome, CountedOutcome } from '@tollgate/api'
import type { DirectoryToken } from '../../accounts/tokens/token-directory.ts'
import { pricedName } from '../../billing/pricing/price-table.ts'
import type { ModelRequest, RelayCall } from './call.ts'
import { faultOfAttempt, faultOfError } from './faults.ts'
import type { RelayError } from './relay-error.ts'

/** Where attempts are counted, by channel and model, and calls as their callers received them, by user and key. Must not throw. */
export interface AttemptCounter {
  countAttempt(attempt: {
    readonly channelId: number
    readonly model: string
    readonly outcome: CountedOutcome
    readonly ms: number
  }): void
  countCall(call: {
    readonly model: string
    readonly userId: number
    readonly tokenId: number
    readonly outcome: CallOutcome
    /** Whether any channel was tried. */
    readonly isTried: boolean
  }): void
}

/** Counts a call that a known key cannot make: its user's or its own balance, or another fault of the caller. */
export function countRefusedKey(
  { id, userId }: Pick<DirectoryToken, 'id' | 'userId'>,
  error: RelayError,
  counter: AttemptCounter,
): void {
  // What it asked for has not been read.
  counter.countCall({ model: '', userId, tokenId: id, outcome: faultOfError(error), isTried: false })
}

/** How a call ended: by whose fault, and whether a response had started. */
export interface CallEnd {
  readonly outcome: CountedOutcome
  readonly isServed: boolean
}

/**
 * Counts a call that is over, once, and its attempts: a response that broke off counts as its channel's failure though it had
 * started.
 * @param end for the call, and for the attempt that it was served with
 * @returns false when they had been counted before
 */
export function countAttempts(
  call: RelayCall<ModelRequest>,
  { outcome: end, isServed }: CallEnd,
  counter: AttemptCounter,
): boolean {
  const { trace, caller, request } = call
  if (trace.isCounted) return false
  trace.isCounted = true
  const model = pricedName(request.model)
  for (const { channel, kind, ms } of trace.attempts)
    counter.countAttempt({
      model,
      channelId: channel,
      outcome: kind === 'ok' ? end : faultOfAttempt(kind),
      ms,
    })
  counter.countCall({
    model,
    userId: caller.user.id,
    tokenId: caller.tokenId,
    outcome: outcomeOf(call, { outcome: end, isServed }),
    isTried: trace.attempts.length > 0,
  })
  return true
}

/** A call that no channel served failed as its last attempt did, which may be the caller's own fault. */
function outcomeOf({ trace }: RelayCall<ModelRequest>, { outcome, isServed }: CallEnd): CallOutcome {
  if (isServed) return outcome === 'ok' ? 'ok' : 'broken'
  const last = trace.attempts.at(-1)
  return last === undefined || last.kind === 'ok' ? outcome : faultOfAttempt(last.kind)
}
