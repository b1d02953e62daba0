import type { SettingValues } from '@tollgate/api/settings'
import { unixSeconds } from '@tollgate/base'
import { Mutex } from '../../lib/async/mutex.ts'
import { lastTryAfterMs } from '../../lib/outbound/delivery-queue.ts'
import type { Services } from '../../services.ts'
import type { QuotaWarningRepository } from '../../store/accounts/quota-warnings.ts'
import type { Quota } from '../../store/units.ts'
import type { DirectoryUser, UserDirectory } from '../users/user-directory.ts'
import { quotaWarning } from './messages.ts'
import type { Notifier } from './notifier.ts'

interface Dependencies extends Pick<Services, 'settings' | 'bus' | 'clock' | 'logger'> {
  readonly warnings: QuotaWarningRepository
  readonly users: UserDirectory
  /** The current balance, for accounts that memory does not have; `undefined` when the account does not exist. */
  readonly balanceOf: (userId: number) => Promise<Quota | undefined>
  readonly notifier: Pick<Notifier, 'notify'>
  /** There is no other node: what is not delivered is delivered by nobody. */
  readonly isAlone: boolean
}

/** A warning that is under way for longer than its last try and the tries take is under way no more: its node is gone. */
const resumedAfterSeconds = lastTryAfterMs / 1000 + 300

/**
 * Warns a person once when their balance falls below their threshold, and again only after it was above. Compares
 * balances when the database has the calls that moved them, never during a call; memory and the store record who was
 * warned, so that neither a restart nor another node repeats or loses a warning.
 */
export async function startQuotaWarnings(deps: Dependencies) {
  const { warnings, users, settings, notifier, bus, clock, logger } = deps
  let warned = new Set<number>()
  /** Users whose warning this node is delivering. */
  const underWay = new Set<number>()
  /** Queue of writes, in the order in which this process saw the balances. The store's rows decide which node warns. */
  const writes = new Mutex()
  let written: Promise<void> = Promise.resolve()

  function write(work: () => Promise<void>): void {
    written = writes
      .run(work)
      .catch((error: unknown) =>
        logger.error(
          { err: error },
          'a quota warning was not recorded, and may be sent twice: check the database',
        ),
      )
  }

  async function readAll(): Promise<void> {
    warned = new Set((await warnings.listAll()).map(({ userId }) => userId))
  }

  async function readAgain(userId: number): Promise<void> {
    if (await warnings.isWarned(userId)) warned.add(userId)
    else warned.delete(userId)
  }

  async function warn(userId: number, balance: Quota): Promise<void> {
    try {
      if (await warnings.add(userId, unixSeconds(clock))) send(userId, balance)
    } catch (error) {
      warned.delete(userId)
      throw error
    }
  }

  function send(userId: number, balance: Quota): void {
    underWay.add(userId)
    notifier.notify(userId, quotaWarning(balance, settings.current), () => {
      underWay.delete(userId)
      write(() => warnings.markSettled(userId))
    })
  }

  function evaluate(user: DirectoryUser, balance: Quota): void {
    const low = isLow(user, balance, settings.current)
    if (low === warned.has(user.id)) return
    if (low) {
      warned.add(user.id)
      write(() => warn(user.id, balance))
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
  async function resume(warnedBefore = Number.POSITIVE_INFINITY): Promise<void> {
    const left = (await warnings.listAll()).filter(
      ({ userId, settled, warnedAt }) => !settled && warnedAt < warnedBefore && !underWay.has(userId),
    )
    for (const { userId } of left)
      await evaluateLater(userId, (user, balance) =>
        isLow(user, balance, settings.current) ? send(userId, balance) : evaluate(user, balance),
      )
  }

  const report = (error: unknown) =>
    logger.error(
      { err: error },
      'a balance could not be compared with its warning threshold: check the database',
    )
  await readAll()
  const ends = [
    bus.subscribe('balances-changed', ({ balances }) => {
      for (const [userId, balance] of balances) {
        const user = users.peek(userId)
        if (user) evaluate(user, balance)
        else if (user === undefined) evaluateLater(userId, evaluate).catch(report)
      }
    }),
    bus.subscribe('quota-warning-changed', ({ userId }) => write(() => readAgain(userId))),
    bus.subscribe('everything-changed', () => write(readAll)),
  ]
  const resumed = deps.isAlone ? resume().catch(report) : Promise.resolve()

  return {
    /** Delivers what nodes that are gone left behind. The only node does so at its start. */
    resumeOld: (): Promise<void> => resume(unixSeconds(clock) - resumedAfterSeconds),
    /** Resolves when every warning so far is recorded. */
    settled: (): Promise<void> => written,
    /** The same. Ignores later changes. */
    async close(): Promise<void> {
      for (const end of ends) end()
      await resumed
      await written
    },
  }
}

function isLow(user: DirectoryUser, balance: Quota, { QuotaRemindThreshold }: SettingValues): boolean {
  return balance < (user.quotaWarningThreshold ?? QuotaRemindThreshold)
}
