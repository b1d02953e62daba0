import type { Clock } from '@tollgate/base'
import type { Store } from '../../store/store.ts'
import type { Job } from './scheduler.ts'

interface Dependencies {
  readonly store: Pick<Store, 'checkPages'>
  readonly clock: Clock
}

/** The first look comes soon after a start: a power cut is what damages files. */
const firstMs = 600_000
const everyMs = 6 * 3_600_000

/** Looks for damage of the database's file that no call has met: `/readyz`, the console and metrics say what it finds. */
export function pageCheckJob({ store, clock }: Dependencies): Job {
  let next = 0
  return {
    name: 'check-pages',
    scope: 'node',
    everyMs: firstMs,
    async run(signal) {
      if (clock.now() < next) return
      next = clock.now() + everyMs
      await store.checkPages(signal)
    },
  }
}
