/** Time as a dependency, so that tests set it. */
export interface Clock {
  /** Milliseconds: since 1970 for a wall clock, since any fixed moment for a monotonic one. */
  now(): number
}

/** The wall clock, for times that people read. The operator may set it, forwards and backwards. */
export const systemClock: Clock = { now: Date.now }

/** Measures durations and deadlines: it never goes back, and changes of the wall clock do not affect it. */
export const monotonicClock: Clock = { now: () => performance.now() }

/** Reads the clock in whole seconds, for whom the clock's kind does not matter. */
export function secondsOf(clock: Clock): () => number {
  return () => unixSeconds(clock)
}

/** The clock's time in whole seconds. */
export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000)
}
