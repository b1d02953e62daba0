import { type Clock, unixSeconds } from '@tollgate/base'
import type { StoredResponseRepository } from '../../store/work/stored-responses.ts'
import type { Job } from './scheduler.ts'

const fiveMinutesMs = 300_000
/** Other writers get a turn between two batches. */
const batchSize = 100

interface Dependencies {
  readonly repository: Pick<StoredResponseRepository, 'deleteExpired'>
  readonly clock: Clock
}

/** Deletes expired responses; reads already ignore them. */
export function storedResponseJob({ repository, clock }: Dependencies): Job {
  return {
    name: 'delete-stored-responses',
    scope: 'fleet',
    everyMs: fiveMinutesMs,
    async run() {
      const now = unixSeconds(clock)
      while ((await repository.deleteExpired(now, batchSize)) === batchSize) await Bun.sleep(20)
    },
  }
}
