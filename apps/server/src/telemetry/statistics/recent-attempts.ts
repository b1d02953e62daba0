import { type Clock, unixSeconds } from '@tollgate/base'
import {
  noAttempts,
  type ReadRecentAttempts,
  type RecentAttempts,
} from '../../channels/health/recent-attempts.ts'
import type { AttemptCountRepository } from '../../store/channels/attempt-counts.ts'
import { type AttemptsByChannel, countedSteps } from '../../store/channels/read-attempt-counts.ts'

interface Dependencies {
  readonly attemptCounts: Pick<AttemptCountRepository, 'byChannel'>
  /** Writes what this node has counted. */
  readonly write: () => Promise<void>
  readonly clock: Clock
}

/** The last hour: this minute and the 59 before. */
export function createRecentAttempts({ attemptCounts, write, clock }: Dependencies): ReadRecentAttempts {
  return async () => {
    await write()
    const now = unixSeconds(clock)
    const { minute, hour } = countedSteps
    return byChannel(await attemptCounts.byChannel(now - (now % minute) - hour + minute))
  }
}

function byChannel(rows: readonly AttemptsByChannel[]): ReadonlyMap<number, RecentAttempts> {
  const found = new Map<number, RecentAttempts>()
  for (const row of rows) found.set(row.channelId, withRow(found.get(row.channelId) ?? noAttempts, row))
  return found
}

function withRow(known: RecentAttempts, { outcome, count, ms }: AttemptsByChannel): RecentAttempts {
  switch (outcome) {
    case 'ok':
      return { ...known, ok: count, latencyMs: Math.round(ms / count) }
    case 'upstream':
      return { ...known, failed: count }
    default:
      return { ...known, otherFailures: known.otherFailures + count }
  }
}
