import type { Corrections } from '../../billing/corrections/corrections.ts'
import type { Job } from './scheduler.ts'

const minuteMs = 60_000

/** Goes on with corrections that a crash has left half done. */
export function correctionJob(corrections: Pick<Corrections, 'resume'>): Job {
  return { name: 'finish-corrections', scope: 'fleet', everyMs: minuteMs, run: () => corrections.resume() }
}
