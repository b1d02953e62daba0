import { type Clock, unixSeconds } from '@tollgate/base'
import type { StoredResponseRepository } from '../store/repositories/stored-responses.ts'
import type { Job } from './scheduler.ts'

const fiveMinutesMs = 300_000
/** Whoever else writes to the database gets in between two of them. */
const batchSize = 100

interface Dependencies {
  readonly repository: Pick<StoredResponseRepository, 'deleteExpired'>
  readonly clock: Clock
}

/** Answers that have expired are found by nobody; this deletes them. */
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
