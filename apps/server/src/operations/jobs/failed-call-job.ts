import type { FailedCalls } from '../../gateway/failed-calls/failed-calls.ts'
import type { Job } from './scheduler.ts'

const fiveMinutesMs = 300_000

/** Deletes requests of failed calls that nobody may read any more. */
export function failedCallJob(failedCalls: Pick<FailedCalls, 'sweep'>): Job {
  return {
    name: 'delete-failed-calls',
    scope: 'fleet',
    everyMs: fiveMinutesMs,
    run: () => failedCalls.sweep(),
  }
}
