import type { Usage } from '@tollgate/formats'
import type { AskedModel, RelayCall } from '../call.ts'
import { RelayError } from '../relay-error.ts'
import type { Standing } from './limit-counts.ts'
import { limitHeaders } from './limit-headers.ts'

/** One limit on calls: so many of something for somebody. Asked between route and reserve. */
export interface Limit {
  /** At once, or after asking a store that several nodes share. */
  acquire(call: RelayCall<AskedModel>): Permission | Promise<Permission>
}

/** `undefined` when the limit does not concern the call. */
export type Permission = GrantedPermission | RefusedPermission | undefined

export interface GrantedPermission {
  readonly granted: true
  readonly standings?: readonly Standing[]
  /** Told once, when the call is over. */
  over?(outcome: CallOutcome): void
}

export interface RefusedPermission {
  readonly granted: false
  readonly message: string
  readonly retryAfterSeconds: number
  readonly standings?: readonly Standing[]
}

export interface CallOutcome {
  readonly succeeded: boolean
  /** As it was charged; absent for a call that was not. */
  readonly usage?: Usage | undefined
  /** Another limit refused it: it does not count at all, or calling again would prolong the wait. */
  readonly refused?: boolean
}

/** What a call was let through with; every call releases it once. */
export class Permit {
  #granted: GrantedPermission[] | undefined
  #isReleased = false

  /** One more of what is told when the call is over: limits, and the channel that serves it. */
  hold(granted: GrantedPermission): void {
    this.#granted ??= []
    this.#granted.push(granted)
  }

  /** How far the caller's limits are used; `undefined` for a call that none concerns, which is nearly every call. */
  standings(): readonly Standing[] | undefined {
    return this.#granted?.flatMap(({ standings = [] }) => standings)
  }

  release(outcome: CallOutcome): void {
    if (this.#isReleased) return
    this.#isReleased = true
    for (const each of this.#granted ?? []) each.over?.(outcome)
  }
}

/**
 * Passes all limits, in their order. What was granted is given back when a later one refuses.
 * @throws RelayError 429 with the seconds to wait
 */
export function passLimits(limits: readonly Limit[], call: RelayCall<AskedModel>): Permit | Promise<Permit> {
  const permit = new Permit()
  for (let index = 0; index < limits.length; index += 1) {
    const permission = limits[index]?.acquire(call)
    if (permission instanceof Promise) return passRest(permission, limits.slice(index + 1), call, permit)
    take(permission, permit, call)
  }
  return permit
}

async function passRest(
  first: Promise<Permission>,
  rest: readonly Limit[],
  call: RelayCall<AskedModel>,
  permit: Permit,
): Promise<Permit> {
  try {
    take(await first, permit, call)
    for (const limit of rest) take(await limit.acquire(call), permit, call)
    return permit
  } catch (error) {
    // A store that does not answer must not keep what other limits granted.
    permit.release(refused)
    throw error
  }
}

const refused: CallOutcome = { succeeded: false, refused: true }

function take(permission: Permission, permit: Permit, call: RelayCall<AskedModel>): void {
  if (permission === undefined) return
  if (permission.granted) {
    permit.hold(permission)
    return
  }
  permit.release(refused)
  const { message, retryAfterSeconds, standings = [] } = permission
  const headers = limitHeaders([...standings, ...(permit.standings() ?? [])], call)
  throw new RelayError('too_many_requests', message, { retryAfterSeconds, headers })
}
