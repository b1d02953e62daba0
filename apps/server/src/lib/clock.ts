/** Time as a dependency, so that expiry, windows and rollups can be tested. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
}

export const systemClock: Clock = { now: Date.now }

export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000)
}
