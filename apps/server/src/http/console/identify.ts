import type { Access } from '@tollgate/api'
import { Refusal } from '../../lib/refusal.ts'
import type { SlidingWindow } from '../../lib/sliding-window.ts'
import type { Guard, Identity } from './guard.ts'
import type { RateLimits } from './rate-limits.ts'
import type { Visit } from './visit.ts'

interface Dependencies {
  readonly guard: Guard
  readonly limits: RateLimits
}

const nobody: Identity = { kind: 'nobody' }

/**
 * Says who sent a request, and counts it: a person by their id, wherever they sit; a stranger by their address. An address
 * that has used up its share is refused before the database is asked who it is.
 */
export async function identifyWithinLimits(
  { guard, limits }: Dependencies,
  visit: Visit,
  access: Access,
): Promise<Identity> {
  // Whoever signs is counted for what they get wrong alone: see `countForged`.
  if (access === 'signature') return nobody
  const { people, strangers } = limits
  const { countedFor } = visit
  if (strangers?.isSpent(countedFor) && !guard.isHeld(visit.sessionId))
    refuseTooMany(strangers, countedFor, visit)
  const identity = await identify(guard, visit, access)
  if (identity.kind === 'user') take(people, identity.user.id, visit)
  else take(strangers, countedFor, visit)
  return identity
}

async function identify(guard: Guard, { request, sessionId }: Visit, access: Access): Promise<Identity> {
  // Their proof is another one, which is checked when it has been counted.
  if (access === 'relay-key') return nobody
  try {
    return await guard.identify(request.headers, sessionId)
  } catch (error) {
    // Public calls are answered to nobody in particular while the database cannot say who it is.
    if (access === 'public') return nobody
    throw error
  }
}

/**
 * Counts a request whose signature is wrong by the address it came from. Those that are right count nowhere: a payment
 * provider that sends many notices from one address must not be told to wait.
 */
export function countForged({ strangers }: RateLimits, visit: Visit): void {
  take(strangers, visit.countedFor, visit)
}

/** Counts one use, or refuses with the time to wait; counts nothing where the limit is switched off. */
export function take<Key>(window: SlidingWindow<Key> | undefined, key: Key, visit: Visit): void {
  if (window?.take(key) === false) refuseTooMany(window, key, visit)
}

function refuseTooMany<Key>(window: SlidingWindow<Key>, key: Key, { responseHeaders }: Visit): never {
  responseHeaders.set('retry-after', String(window.retryAfterSeconds(key)))
  throw new Refusal('too_many_requests')
}
