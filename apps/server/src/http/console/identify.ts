import type { Access } from '@tollgate/api'
import { Refusal } from '../../lib/refusal.ts'
import type { SlidingWindow } from '../../lib/sliding-window.ts'
import type { Guard, Identity } from './guard.ts'
import type { RateLimits } from './rate-limits.ts'
import type { RequestContext } from './request-context.ts'

interface Dependencies {
  readonly guard: Guard
  readonly limits: RateLimits
}

const anonymous: Identity = { kind: 'anonymous' }

/**
 * Says who sent a request, and counts it: a person by their id, wherever they sit; a stranger by their address. An address
 * that has used up its share is refused before the database is asked who it is.
 */
export async function identifyWithinLimits(
  { guard, limits }: Dependencies,
  visit: RequestContext,
  access: Access,
): Promise<Identity> {
  // Whoever signs is counted for what they get wrong alone: see `countInvalidSignature`.
  if (access === 'signature') return anonymous
  const { byUser, byAddress } = limits
  const { limitSubject } = visit
  if (byAddress?.isSpent(limitSubject) && !guard.isCached(visit.sessionId))
    refuseTooMany(byAddress, limitSubject, visit)
  const identity = await identify(guard, visit, access)
  if (identity.kind === 'user') take(byUser, identity.user.id, visit)
  else take(byAddress, limitSubject, visit)
  return identity
}

async function identify(
  guard: Guard,
  { request, sessionId }: RequestContext,
  access: Access,
): Promise<Identity> {
  // Their proof is another one, which is checked when it has been counted.
  if (access === 'relay-key') return anonymous
  try {
    return await guard.identify(request.headers, sessionId)
  } catch (error) {
    // Public calls are answered to nobody in particular while the database cannot say who it is.
    if (access === 'public') return anonymous
    throw error
  }
}

/**
 * Counts a request whose signature is wrong by the address it came from. Those that are right count nowhere: a payment
 * provider that sends many notices from one address must not be told to wait.
 */
export function countInvalidSignature({ byAddress }: RateLimits, visit: RequestContext): void {
  take(byAddress, visit.limitSubject, visit)
}

/** Counts one use, or refuses with the time to wait; counts nothing where the limit is switched off. */
export function take<Key>(window: SlidingWindow<Key> | undefined, key: Key, visit: RequestContext): void {
  if (window?.take(key) === false) refuseTooMany(window, key, visit)
}

function refuseTooMany<Key>(
  window: SlidingWindow<Key>,
  key: Key,
  { responseHeaders }: RequestContext,
): never {
  responseHeaders.set('retry-after', String(window.retryAfterSeconds(key)))
  throw new Refusal('too_many_requests')
}
