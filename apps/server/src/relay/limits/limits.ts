import type { Usage } from '@tollgate/formats'
import type { AskedModel, RelayCall } from '../call.ts'
import { RelayError } from '../relay-error.ts'

/** One limit on calls: so many of something for somebody. Asked between route and reserve. */
export interface Limit {
  /** At once, or after asking a store that several nodes share. */
  acquire(call: RelayCall<AskedModel>): Permission | Promise<Permission>
}

/** `undefined` when the limit does not concern the call. */
export type Permission = GrantedPermission | RefusedPermission | undefined

export interface GrantedPermission {
  readonly granted: true
  /** Told once, when the call is over. */
  over?(outcome: CallOutcome): void
}

export interface RefusedPermission {
  readonly granted: false
  readonly message: string
  readonly retryAfterSeconds: number
}

export interface CallOutcome {
  readonly succeeded: boolean
  /** As it was charged; absent for a call that was not. */
  readonly usage?: Usage | undefined
}

/** What a call was let through with; every call releases it once. */
export interface Permit {
  release(outcome: CallOutcome): void
}

/** A call that no limit concerns, which is nearly every call. */
const unlimited: Permit = { release: () => {} }

/**
 * Passes all limits, in their order. What was granted is given back when a later one refuses.
 * @throws RelayError 429 with the seconds to wait
 */
export function passLimits(limits: readonly Limit[], call: RelayCall<AskedModel>): Permit | Promise<Permit> {
  const granted: GrantedPermission[] = []
  for (const [index, limit] of limits.entries()) {
    const permission = limit.acquire(call)
    if (permission instanceof Promise) return passRest(permission, limits.slice(index + 1), call, granted)
    take(permission, granted)
  }
  return permitOf(granted)
}

async function passRest(
  first: Promise<Permission>,
  rest: readonly Limit[],
  call: RelayCall<AskedModel>,
  granted: GrantedPermission[],
): Promise<Permit> {
  take(await first, granted)
  for (const limit of rest) take(await limit.acquire(call), granted)
  return permitOf(granted)
}

function take(permission: Permission, granted: GrantedPermission[]): void {
  if (permission === undefined) return
  if (permission.granted) {
    granted.push(permission)
    return
  }
  for (const each of granted) each.over?.({ succeeded: false })
  const { message, retryAfterSeconds } = permission
  throw new RelayError('too_many_requests', message, { retryAfterSeconds })
}

function permitOf(granted: readonly GrantedPermission[]): Permit {
  return granted.length === 0 ? unlimited : new HeldPermit(granted)
}

class HeldPermit implements Permit {
  readonly #granted: readonly GrantedPermission[]
  #isReleased = false

  constructor(granted: readonly GrantedPermission[]) {
    this.#granted = granted
  }

  release(outcome: CallOutcome): void {
    if (this.#isReleased) return
    this.#isReleased = true
    for (const each of this.#granted) each.over?.(outcome)
  }
}
