import { type Clock, unixSeconds } from '@tollgate/base'
import type { Erasure } from '../../accounts/users/leave/erase-account.ts'
import type { ErasedList } from '../../accounts/users/leave/erased-list.ts'
import type { Job } from './scheduler.ts'

const everyMs = 10 * 60_000
const daySeconds = 24 * 3600

interface Dependencies {
  readonly erasure: Pick<Erasure, 'eraseDue'>
  readonly erasedList: Pick<ErasedList, 'note'>
  readonly settleMerged: () => Promise<unknown>
  /** Days for which a deleted account can be brought back. */
  readonly deletedAccountDays: () => number
  readonly clock: Clock
}

/** Erases accounts whose term has passed, keeps each node's list of the erased, and moves what merges left behind. */
export function peopleJobs(deps: Dependencies): readonly Job[] {
  const { erasure, erasedList, settleMerged, deletedAccountDays, clock } = deps
  return [
    {
      name: 'erase-accounts',
      scope: 'fleet',
      everyMs,
      async run() {
        await erasure.eraseDue(unixSeconds(clock) - deletedAccountDays() * daySeconds)
      },
    },
    { name: 'note-erased-accounts', scope: 'node', everyMs, run: () => erasedList.note() },
    {
      name: 'settle-merged-accounts',
      scope: 'fleet',
      everyMs,
      async run() {
        await settleMerged()
      },
    },
  ]
}
