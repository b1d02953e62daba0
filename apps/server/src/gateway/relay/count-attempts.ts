import type { CountedOutcome } from '@tollgate/api'
import type { DirectoryToken } from '../../accounts/tokens/token-directory.ts'
import { pricedName } from '../../billing/pricing/price-table.ts'
import type { ModelRequest, RelayCall } from './call.ts'
import { faultOfAttempt, faultOfError } from './faults.ts'
import type { RelayError } from './relay-error.ts'

/** Counter of attempts, by channel, model, user and key. Must not throw. */
export interface AttemptCounter {
  count(attempt: {
    /** 0 for a call that was refused before any attempt. */
    readonly channelId: number
    readonly model: string
    readonly userId: number
    readonly tokenId: number
    readonly outcome: CountedOutcome
    readonly ms: number
  }): void
}

/** Counts a call that a known key cannot make: its user's or its own balance, or another fault of the caller. */
export function countRefusedKey(
  { id, userId }: Pick<DirectoryToken, 'id' | 'userId'>,
  error: RelayError,
  counter: AttemptCounter,
): void {
  // What it asked for has not been read.
  counter.count({ channelId: 0, model: '', userId, tokenId: id, outcome: faultOfError(error), ms: 0 })
}

/**
 * Counts the attempts of a call that is over, once: a response that broke off counts as its channel's failure though it had
 * started.
 * @param end how the call ended, for the attempt that it was served with; a call without an attempt counts by it alone
 * @returns false when they had been counted before
 */
export function countAttempts(
  call: RelayCall<ModelRequest>,
  end: CountedOutcome,
  counter: AttemptCounter,
): boolean {
  const { trace, caller, request } = call
  if (trace.isCounted) return false
  trace.isCounted = true
  const of = { model: pricedName(request.model), userId: caller.user.id, tokenId: caller.tokenId }
  if (trace.attempts.length === 0 && end !== 'ok') counter.count({ ...of, channelId: 0, outcome: end, ms: 0 })
  for (const { channel, kind, ms } of trace.attempts)
    counter.count({ ...of, channelId: channel, outcome: kind === 'ok' ? end : faultOfAttempt(kind), ms })
  return true
}
