import { afterAll, describe, expect, it } from 'bun:test'
import { until } from '../../../../../tests/support/until.ts'
import { createEventBus } from '../../lib/async/event-bus.ts'
import { createLogger } from '../../lib/logger.ts'
import { lastTryAfterMs } from '../../lib/outbound/delivery-queue.ts'
import type { ChangeEvents } from '../../store/change-events.ts'
import type { Store } from '../../store/store.ts'
import { closeTestStores, openTestStore } from '../users/test-support/test-store.ts'
import type { DirectoryUser } from '../users/user-directory.ts'
import type { Notification } from './notification.ts'
import { startQuotaWarnings } from './quota-warnings.ts'

afterAll(closeTestStores)

const threshold = 1000
const logger = createLogger('silent')

async function watching(
  store: Store,
  own: Partial<DirectoryUser> = {},
  { isKnown = true, isAlone = true, now = (): number => 0 } = {},
) {
  const bus = createEventBus<ChangeEvents>((error) => {
    throw error
  })
  const sent: { userId: number; notification: Notification; settled: () => void }[] = []
  const balances = new Map<number, number>()
  // The fields that matter here.
  const user = (id: number) => ({ id, quotaWarningThreshold: undefined, ...own }) as DirectoryUser
  const watch = await startQuotaWarnings({
    warnings: store.quotaWarnings,
    users: { peek: (id) => (isKnown ? user(id) : undefined), find: async (id) => user(id) },
    settings: { current: { QuotaRemindThreshold: threshold, QuotaPerUnit: 1, ServerAddress: '' } as never },
    async balanceOf(id) {
      await Bun.sleep(1)
      return balances.get(id)
    },
    notifier: {
      notify: (userId, notification, settled = () => {}) => void sent.push({ userId, notification, settled }),
    },
    isAlone,
    bus,
    clock: { now },
    logger,
  })
  return {
    sent,
    watch,
    to: () => sent.map(({ userId }) => userId),
    async moved(id: number, balance: number) {
      balances.set(id, balance)
      bus.publish('balances-changed', { balances: new Map([[id, balance]]) })
      await watch.settled()
    },
    /** Announces what another node wrote of the user. */
    async heard(userId: number) {
      bus.publish('quota-warning-changed', { userId })
      await watch.settled()
    },
    balances,
  }
}

describe('a low balance', () => {
  it('warns once below the threshold, and again only after it was above it', async () => {
    const { moved, to, watch } = await watching(await openTestStore())
    for (const balance of [1500, 1000, 999, 500, -3, 0]) await moved(1, balance)
    expect(to()).toEqual([1])
    await moved(2, 5)
    expect(to()).toEqual([1, 2])
    for (const balance of [1000, 1000, 999, 998]) await moved(1, balance)
    expect(to()).toEqual([1, 2, 1])
    await watch.close()
  })

  it("is compared with the person's own threshold", async () => {
    const { moved, to, watch } = await watching(await openTestStore(), { quotaWarningThreshold: 50 })
    await moved(1, 60)
    expect(to()).toEqual([])
    await moved(1, 49)
    expect(to()).toEqual([1])
    await watch.close()
  })

  it('is read from the store when memory does not have the account', async () => {
    const { moved, to, balances, watch } = await watching(await openTestStore(), {}, { isKnown: false })
    await moved(1, 10)
    balances.set(1, 2000)
    await moved(2, 10)
    await until(() => to()[0])
    expect(to()).toEqual([2])
    await watch.close()
  })
})

describe('two nodes', () => {
  it('warn a person once, and again once the balance was above on either', async () => {
    const store = await openTestStore()
    const a = await watching(store)
    const b = await watching(store)
    const all = () => [...a.to(), ...b.to()]
    await Promise.all([a.moved(1, 10), b.moved(1, 10)])
    await b.moved(1, 9)
    expect(all()).toEqual([1])
    await b.moved(1, 5000)
    await a.heard(1)
    await a.moved(1, 10)
    expect(all()).toEqual([1, 1])
    await b.heard(1)
    await b.moved(1, 9)
    expect(all()).toEqual([1, 1])
    for (const { watch } of [a, b]) await watch.close()
  })

  it('deliver what a node left behind when it is gone, and nothing that is under way', async () => {
    const store = await openTestStore()
    const time = { ms: 1_000_000 }
    const fleet = { isAlone: false, now: () => time.ms }
    const gone = await watching(store, {}, fleet)
    await gone.moved(1, 10)
    const left = await watching(store, {}, fleet)
    left.balances.set(1, 10)
    await left.watch.resumeOld()
    expect(left.to()).toEqual([])
    time.ms += lastTryAfterMs + 301_000
    await left.watch.resumeOld()
    await left.watch.resumeOld()
    expect(left.to()).toEqual([1])
    for (const { watch } of [gone, left]) await watch.close()
  })
})

describe('a restart', () => {
  it('repeats no delivered warning, and restores who may be warned again', async () => {
    const store = await openTestStore()
    const before = await watching(store)
    await before.moved(1, 10)
    await before.moved(2, 10)
    for (const { settled } of before.sent) settled()
    await before.moved(2, 5000)
    await before.watch.close()
    const after = await watching(store)
    await after.moved(1, 9)
    await after.moved(2, 9)
    expect(after.to()).toEqual([2])
    await after.watch.close()
  })

  it('sends a warning that was still under way, unless its reason is gone', async () => {
    const store = await openTestStore()
    const before = await watching(store)
    await before.moved(1, 10)
    await before.moved(2, 10)
    await before.watch.close()
    const after = await watching(store)
    after.balances.set(1, 10)
    after.balances.set(2, 5000)
    await after.watch.close()
    expect(after.to()).toEqual([1])
    expect(await store.quotaWarnings.listAll()).toMatchObject([{ userId: 1, settled: false }])
  })
})
