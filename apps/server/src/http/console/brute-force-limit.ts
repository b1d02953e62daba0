import type { Clock } from '@tollgate/base'
import { networksOf } from '../../lib/outbound/addresses.ts'
import { combineWindows, createSlidingWindow, type SlidingWindow } from '../../lib/sliding-window.ts'

/** How many times the limit of one subscriber a /48, a /56 and a /64 may use up. An IPv4 address counts as the last. */
const shares = [4, 2, 1] as const
/** Some 10 MB at most. */
const maximumKeys = 100_000

interface Options {
  /** Tries of one subscriber: an IPv4 address, or 64 bits of IPv6. */
  readonly limit: number
  readonly windowSeconds: number
  readonly clock: Clock
}

/**
 * Counts tries at secrets by address. Unlike a throttle of traffic it forgets nothing under pressure: it counts the /48 and
 * the /56 of an IPv6 address beside its /64, and addresses for which there is no room share one count. A spent network is
 * refused before anything of it is counted, so it cannot fill the table either.
 */
export function createBruteForceLimit({ limit, windowSeconds, clock }: Options): SlidingWindow {
  const windows = shares.map((share) =>
    createSlidingWindow({ limit: limit * share, windowSeconds, clock, maximumKeys, whenFull: 'share' }),
  )

  return combineWindows((address) => {
    const networks = networksOf(address)
    return windows
      .slice(-networks.length)
      .map((window, place) => ({ key: networks[place] ?? address, window }))
  })
}
