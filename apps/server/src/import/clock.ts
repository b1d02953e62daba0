import type { Clock } from '@tollgate/base'
import type { Seconds } from '../store/units.ts'

/** The moment of a run, for what takes a clock. */
export function fixedClock(now: Seconds): Clock {
  return { now: () => now * 1000 }
}
