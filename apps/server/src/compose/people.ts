import { secondsOf } from '@tollgate/base'
import { createErasure } from '../accounts/users/leave/erase-account.ts'
import { createErasedList } from '../accounts/users/leave/erased-list.ts'
import { settleMerged } from '../accounts/users/leave/merge-accounts.ts'
import { peopleJobs } from '../operations/jobs/people-jobs.ts'
import type { Job } from '../operations/jobs/scheduler.ts'
import type { AllServices } from './services.ts'

/** Erases accounts that a restored backup brought back, before anybody is served, and makes the jobs that erase the next. */
export async function composePeople(base: AllServices): Promise<readonly Job[]> {
  const { config, settings, clock, logger } = base
  const erasure = createErasure(base)
  const erasedList = createErasedList({
    ...base,
    dataDir: config.dataDir,
    erasure,
    nowSeconds: secondsOf(clock),
  })
  const erased = await erasedList.apply()
  if (erased > 0)
    logger.warn(
      { accounts: erased },
      'accounts that were erased before came back with a backup: they are erased again',
    )
  return peopleJobs({
    erasure,
    erasedList,
    settleMerged: () => settleMerged(base),
    deletedAccountDays: () => settings.current.DeletedAccountDays,
    clock,
  })
}
