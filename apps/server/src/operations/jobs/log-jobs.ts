import { type Clock, unixSeconds } from '@tollgate/base'
import type { Logger } from '../../lib/logger.ts'
import { partitionWidth, startOf } from '../../store/log/partitions/ranges.ts'
import type { UsageRepository } from '../../store/log/usage.ts'
import type { Seconds } from '../../store/units.ts'
import type { Job } from './scheduler.ts'

const minuteMs = 60_000
const secondsPerDay = 86_400
/** Partitions are added so far ahead: until then no row misses them, even if this job does not run. */
const aheadSeconds = 7 * secondsPerDay

interface Dependencies {
  readonly usage: Pick<UsageRepository, 'cover' | 'clearBefore'>
  /** Days that details of calls are kept; 0 means for ever. */
  readonly retentionDays: () => number
  readonly clock: Clock
  readonly logger: Pick<Logger, 'info'>
}

/** Returns the jobs by which the usage log can grow without end: they add partitions ahead of its rows, and drop old ones. */
export function logJobs({ usage, retentionDays, clock, logger }: Dependencies): readonly Job[] {
  let expiredBefore = 0
  return [
    {
      name: 'add-log-partitions',
      scope: 'fleet',
      everyMs: minuteMs,
      async run() {
        const now = unixSeconds(clock)
        await usage.cover({ from: now, to: now + aheadSeconds }, partitionWidth(retentionDays()))
      },
    },
    {
      name: 'delete-old-log-rows',
      scope: 'fleet',
      everyMs: minuteMs,
      async run(signal) {
        const days = retentionDays()
        const before = days === 0 ? 0 : storedFrom(days, unixSeconds(clock))
        if (before <= expiredBefore) return
        const deleted = await usage.clearBefore(before, undefined, signal)
        if (deleted > 0) logger.info({ deleted, before }, 'old rows of the usage log were deleted')
        if (!signal.aborted) expiredBefore = before
      },
    },
  ]
}

/** The start of the oldest partition that still has a row of the last `days` days. */
export function storedFrom(days: number, now: Seconds): Seconds {
  return startOf(partitionWidth(days), now - days * secondsPerDay)
}
