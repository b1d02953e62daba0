import { quarterSeconds } from '@tollgate/api/calendar'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { QuarterRepository } from '../../store/log/quarters.ts'
import type { Job } from './scheduler.ts'

interface Dependencies {
  readonly quarters: QuarterRepository
  readonly clock: Clock
}

const everyMs = 30_000
/** Pause for flushes and clocks that are behind; rows of a quarter may also come later. */
const graceSeconds = 30

/** Takes quarter hours that are over into their hours, so that hourly tables have as many rows as there are hours. */
export function quarterJob({ quarters, clock }: Dependencies): Job {
  return {
    name: 'take-over-quarters',
    scope: 'fleet',
    everyMs,
    async run(signal) {
      for (const quarter of await quarters.listOpen(unixSeconds(clock) - quarterSeconds - graceSeconds)) {
        let isDone = false
        while (!isDone && !signal.aborted) isDone = await quarters.takeOver(quarter)
      }
    },
  }
}
