/** Attempts at a channel in the last hour, on all nodes. */
export interface RecentAttempts {
  readonly ok: number
  /** Failed by the channel's fault. */
  readonly failed: number
  /** Failed by another's fault, such as the caller's. */
  readonly otherFailures: number
  /** Mean time to the first event of those that succeeded; 0 without any. */
  readonly latencyMs: number
}

export const noAttempts: RecentAttempts = { ok: 0, failed: 0, otherFailures: 0, latencyMs: 0 }

/** The attempts of the last hour by channel id; a channel without any is absent. */
export type ReadRecentAttempts = () => Promise<ReadonlyMap<number, RecentAttempts>>

/** Share of attempts that failed by the channel's fault, of those that say something about it; 0 without any. */
export function failedShare({ ok, failed }: RecentAttempts): number {
  return failed === 0 ? 0 : failed / (ok + failed)
}

/** From this share of failures on, calls no longer say that a channel works. */
const mostlyFailing = 0.5

/** Decides whether a channel works by its calls of the last hour, which prove more than a test or a balance. */
export function callsSucceed(recent: RecentAttempts = noAttempts): boolean {
  return recent.ok > 0 && failedShare(recent) < mostlyFailing
}

/** All attempts, whatever their outcome. */
export function attemptCount({ ok, failed, otherFailures }: RecentAttempts): number {
  return ok + failed + otherFailures
}
