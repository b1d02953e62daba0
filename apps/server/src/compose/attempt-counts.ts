import { secondsOf } from '@tollgate/base'
import type { ReadRecentAttempts } from '../channels/health/recent-attempts.ts'
import { attemptCountJobs } from '../operations/jobs/attempt-count-jobs.ts'
import type { Job } from '../operations/jobs/scheduler.ts'
import { AttemptCounter } from '../telemetry/statistics/attempt-counter.ts'
import { createRecentAttempts } from '../telemetry/statistics/recent-attempts.ts'
import { createAttemptCountWriter } from '../telemetry/statistics/write-attempt-counts.ts'
import type { AllServices } from './services.ts'

export interface AttemptParts {
  readonly counter: AttemptCounter
  /** Writes what was counted; figures are read after it. */
  readonly write: () => Promise<void>
  readonly recent: ReadRecentAttempts
  readonly jobs: readonly Job[]
}

/** Counts of attempts: in memory, in the database, and as channels show them. */
export function composeAttempts({ store, clock }: AllServices): AttemptParts {
  const { attemptCounts } = store
  const counter = new AttemptCounter(secondsOf(clock))
  const write = createAttemptCountWriter({ counter, attemptCounts })
  return {
    counter,
    write,
    recent: createRecentAttempts({ attemptCounts, write, clock }),
    jobs: attemptCountJobs({ attemptCounts, write, clock }),
  }
}
