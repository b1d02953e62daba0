import type { Clock } from '@tollgate/base'
import type { LeaseRepository } from '../../store/repositories/leases.ts'

/** A lease that is prolonged as long as it is asked for. */
export interface Lease {
  /** Whether it is ours now. Rejects when the store cannot tell; then it is not. */
  holds(): Promise<boolean>
  give(): Promise<void>
}

interface Dependencies {
  readonly leases: LeaseRepository
  readonly name: string
  /** Name of the node, the same over its restarts: two processes never run under one. */
  readonly holder: string
  readonly clock: Clock
}

const lifeMs = 30_000

/** Is asked for anew at half its life, so that a store that is slow once does not lose it. */
export function createLease({ leases, name, holder, clock }: Dependencies): Lease {
  let expiresMs = 0
  return {
    async holds() {
      const now = clock.now()
      const leftMs = expiresMs - now
      // More than a whole life is left where the clock was set back: others may have taken the lease since.
      if (leftMs > lifeMs / 2 && leftMs <= lifeMs) return true
      const next = now + lifeMs
      const taken = await leases.take({ name, holder, expiresMs: next }, now)
      expiresMs = taken ? next : 0
      return taken
    },
    async give() {
      if (expiresMs === 0) return
      expiresMs = 0
      await leases.give(name, holder)
    },
  }
}
