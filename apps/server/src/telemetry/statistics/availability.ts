import { type CallOutcome, operatorFaults } from '@tollgate/api'

/** Calls that their callers received whole, and those that failed by no fault of their own. */
export interface ServedCalls {
  ok: number
  failed: number
}

const failures: ReadonlySet<CallOutcome> = new Set([...operatorFaults, 'broken'])

/** Adds calls with one outcome; what failed by the caller's own fault counts nowhere. */
export function addServed(served: ServedCalls, outcome: CallOutcome, count: number): void {
  if (outcome === 'ok') served.ok += count
  else if (failures.has(outcome)) served.failed += count
}

/**
 * Returns the share of calls that succeeded, 0 to 1; `undefined` below `minCalls`. Rounded down to a tenth of a percent: a failure stays
 * visible, and nobody reads from the share how many calls there were.
 */
export function availabilityOf({ ok, failed }: ServedCalls, minCalls: number): number | undefined {
  const all = ok + failed
  return all < minCalls ? undefined : Math.floor((ok * 1000) / all) / 1000
}
