import { monotonicClock } from '@tollgate/base'
import {
  createNotifier,
  notifyOfKeys,
  notifyOfPayments,
  notifyRootOfChannels,
} from '../accounts/notifications/notifier.ts'
import { startQuotaWarnings } from '../accounts/notifications/quota-warnings.ts'
import { createSecurityWebhook } from '../accounts/notifications/security-webhook.ts'
import { createUserFetch } from '../lib/outbound/user-fetch.ts'
import { createSlidingWindow } from '../lib/sliding-window.ts'
import type { Job } from '../operations/jobs/scheduler.ts'
import { isFleet } from './fleet.ts'
import type { AllServices } from './services.ts'

export interface Notifications {
  readonly jobs: readonly Job[]
  /** Stops noticing. Call it when deliveries have stopped; the next start resumes warnings that were not delivered. */
  close(): Promise<void>
}

/** Warnings of low balances, and notices to the super admin. */
export async function composeNotifications(base: AllServices): Promise<Notifications> {
  const { store, vault, settings, users, ledger, mailer, bus, clock, logger, config } = base
  const worker = () => {
    const { WorkerUrl: url, WorkerValidKey: key } = settings.current
    return url === '' ? undefined : { url, key }
  }
  const fetch = createUserFetch({ guard: base.outboundGuard, worker })
  const notifier = createNotifier({
    store,
    vault,
    mailer,
    fetch,
    queue: base.deliveries,
    limit: createSlidingWindow({
      limit: config.NOTIFY_LIMIT_COUNT,
      windowSeconds: config.NOTIFICATION_LIMIT_DURATION_MINUTE * 60,
      clock: monotonicClock,
      among: base.sharedCounts('notices'),
    }),
    clock,
    logger,
  })
  const endNotices = [
    notifyRootOfChannels(bus, notifier),
    notifyOfPayments(bus, notifier, settings),
    notifyOfKeys(bus, notifier),
    base.securityEvents.subscribe(createSecurityWebhook({ settings, fetch, queue: base.deliveries })),
  ]
  const warnings = await startQuotaWarnings({
    warnings: store.quotaWarnings,
    users: users.directory,
    settings,
    balanceOf: async (userId) => {
      await ledger.load(userId, 0)
      return ledger.balance('user', userId)
    },
    notifier,
    isAlone: !isFleet(config),
    bus,
    clock,
    logger,
  })
  const resume: Job = {
    name: 'resume-quota-warnings',
    everyMs: 60_000,
    scope: 'fleet',
    run: () => warnings.resumeOld(),
  }
  return {
    jobs: isFleet(config) ? [resume] : [],
    async close() {
      for (const end of endNotices) end()
      await warnings.close()
    },
  }
}
