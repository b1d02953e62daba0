/** Time as a dependency, so that expiry, windows and rollups can be tested. */
export interface Clock {
  /** Milliseconds: since 1970 for a wall clock, since any fixed moment for a monotonic one. */
  now(): number
}

/** The wall clock: for what is written down and shown. It may be set, forwards and backwards. */
export const systemClock: Clock = { now: Date.now }

/** For durations and deadlines: never goes back, and a change of the wall clock does not touch it. */
export const monotonicClock: Clock = { now: () => performance.now() }

export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000)
}
