import { type Clock, unixSeconds } from '@tollgate/base'
import type { Store } from '../store/store.ts'
import type { Sessions } from '../users/sessions.ts'
import type { Job } from './scheduler.ts'

const hourMs = 3_600_000

interface Dependencies {
  readonly sessions: Pick<Sessions, 'deleteExpired'>
  readonly oneTimeSecrets: Pick<Store['oneTimeSecrets'], 'deleteExpired'>
  readonly clock: Clock
}

/** What has expired is refused at once; this only keeps its tables small. */
export function expiryJob({ sessions, oneTimeSecrets, clock }: Dependencies): Job {
  return {
    name: 'delete-expired',
    everyMs: hourMs,
    async run() {
      await sessions.deleteExpired()
      await oneTimeSecrets.deleteExpired(unixSeconds(clock))
    },
  }
}
