import { unixSeconds } from '@tollgate/base'
import { Mutex } from '../lib/async/mutex.ts'
import type { Services } from '../services.ts'
import type { QuotaWarningRepository } from '../store/repositories/quota-warnings.ts'
import type { Quota } from '../store/units.ts'
import type { DirectoryUser, UserDirectory } from '../users/user-directory.ts'
import { quotaWarning } from './messages.ts'
import type { Notifier } from './notifier.ts'

interface Dependencies extends Pick<Services, 'settings' | 'bus' | 'clock' | 'logger'> {
  readonly warnings: QuotaWarningRepository
  readonly users: UserDirectory
  /** The current balance, for accounts that memory does not have; `undefined` when the account does not exist. */
  readonly balanceOf: (userId: number) => Promise<Quota | undefined>
  readonly notifier: Pick<Notifier, 'notify'>
}

/**
 * Warns a person once when their balance falls below their threshold, and again only after it was above. Compares
 * balances when the database has the calls that moved them, never during a call; memory and the store record who was
 * warned, so that a restart neither repeats nor loses a warning.
 */
export async function startQuotaWarnings(deps: Dependencies) {
  const { warnings, users, settings, notifier, bus, clock, logger } = deps
  const stored = await warnings.listAll()
  const warned = new Set(stored.map(({ userId }) => userId))
  /** Balance changes, in their order. */
  const writes = new Mutex()
  let written: Promise<void> = Promise.resolve()

  function write(work: () => Promise<void>): void {
    written = writes
      .run(work)
      .catch((error: unknown) => logger.error({ err: error }, 'a quota warning could not be written down'))
  }

  function send(userId: number, balance: Quota): void {
    notifier.notify(userId, quotaWarning(balance, settings.current), () =>
      write(() => warnings.markSettled(userId)),
    )
  }

  const isLow = (user: DirectoryUser, balance: Quota) =>
    balance < (user.quotaWarningThreshold ?? settings.current.QuotaRemindThreshold)

  function evaluate(user: DirectoryUser, balance: Quota): void {
    const low = isLow(user, balance)
    if (low === warned.has(user.id)) return
    if (low) {
      warned.add(user.id)
      write(() => warnings.add(user.id, unixSeconds(clock)))
      send(user.id, balance)
    } else {
      warned.delete(user.id)
      write(() => warnings.remove(user.id))
    }
  }

  /** Reads accounts that memory does not have, and compares their current balances. */
  async function evaluateLater(userId: number, evaluated: typeof evaluate): Promise<void> {
    const [user, balance] = await Promise.all([users.find(userId), deps.balanceOf(userId)])
    if (user !== undefined && balance !== undefined) evaluated(user, balance)
  }

  /** Warnings that a stop interrupted: to be sent, unless their reason is gone. */
  async function resume(): Promise<void> {
    for (const { userId } of stored.filter(({ settled }) => !settled))
      await evaluateLater(userId, (user, balance) =>
        isLow(user, balance) ? send(userId, balance) : evaluate(user, balance),
      )
  }

  const report = (error: unknown) => logger.error({ err: error }, 'a balance could not be judged')
  const unsubscribe = bus.subscribe('balances-changed', ({ balances }) => {
    for (const [userId, balance] of balances) {
      const user = users.peek(userId)
      if (user) evaluate(user, balance)
      else if (user === undefined) evaluateLater(userId, evaluate).catch(report)
    }
  })
  const resumed = resume().catch(report)

  return {
    /** Resolves when every warning so far is recorded. Ignores later changes. */
    async close(): Promise<void> {
      unsubscribe()
      await resumed
      await written
    },
  }
}
