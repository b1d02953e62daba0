import { type Clock, unixSeconds } from '@tollgate/base'
import type { AttemptCountRepository } from '../../store/channels/attempt-counts.ts'
import { countedSteps } from '../../store/channels/read-attempt-counts.ts'
import type { Job } from './scheduler.ts'

interface Dependencies {
  readonly attemptCounts: Pick<AttemptCountRepository, 'deleteMinutesBefore'>
  readonly write: () => Promise<void>
  readonly clock: Clock
}

/** A kill loses at most this much of the counts. */
const writeEveryMs = 5000
const deleteEveryMs = 10 * 60_000
/** An hour is shown; another covers clocks that differ and a restart. */
const storedMinutesSeconds = 2 * countedSteps.hour

/** Writes this node's counts of attempts, and deletes minutes that nothing shows; hours stay. */
export function attemptCountJobs({ attemptCounts, write, clock }: Dependencies): readonly Job[] {
  return [
    { name: 'write-attempt-counts', scope: 'node', everyMs: writeEveryMs, run: write },
    {
      name: 'delete-attempt-minutes',
      scope: 'fleet',
      everyMs: deleteEveryMs,
      run: () => attemptCounts.deleteMinutesBefore(unixSeconds(clock) - storedMinutesSeconds),
    },
  ]
}
