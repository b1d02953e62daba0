import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { topUpOrderResource } from '@tollgate/api'
import type { TestDatabase, TestStore } from '../../contract/place.ts'
import { rejection } from '../../contract/rejection.ts'
import { newRedemption, newTopUpOrder, unique } from '../../contract/samples.ts'
import { openStore } from '../../engine/open/open-store.ts'
import { DuplicateError } from '../../errors.ts'
import type { Store } from '../../store.ts'

/** A separate suite: orders marked as paid here were never credited. */
export function walletContract(database: TestDatabase): void {
  describe('wallet', () => {
    let testStore: TestStore
    let store: Store

    beforeAll(async () => {
      testStore = await database.createTestStore()
      store = await openStore(testStore.config)
    })
    afterAll(async () => {
      await store.close()
      await testStore.remove()
    })

    redemptionContract(() => store)
    topUpOrderContract(() => store)
  })
}

function redemptionContract(store: () => Store): void {
  describe('RedemptionRepository', () => {
    const create = async (change: Parameters<typeof newRedemption>[0] = {}) => {
      const [created] = await store().redemptions.createMany([newRedemption(change)])
      if (created === undefined) throw new Error('nothing was created')
      return created
    }
    const newestFirst = { by: 'id', descending: true } as const
    const idsOf = async (
      filter: Parameters<Store['redemptions']['page']>[0],
      order: Parameters<Store['redemptions']['page']>[1] = newestFirst,
    ) => {
      const { rows, total } = await store().redemptions.page(filter, order, { offset: 0, limit: 50 })
      expect(total).toBe(rows.length)
      return rows.map(({ id }) => id)
    }

    it('returns the created codes, unused, in the order given', async () => {
      const codes = [newRedemption({ name: '十个字的兑换码名称' }), newRedemption({ quota: 5_000_000_000 })]
      const created = await store().redemptions.createMany(codes)
      expect(created).toEqual(
        codes.map((code, at) => ({
          ...code,
          id: created[at]?.id ?? 0,
          status: 'unused',
          redeemedAt: null,
          usedUserId: null,
          deletedAt: null,
        })),
      )
      const [first] = created
      expect(await store().redemptions.find(first?.id ?? 0)).toEqual(first)
      expect(await store().redemptions.findByKeyHash(first?.keyHash ?? '')).toEqual(first)
      expect(await store().redemptions.createMany([])).toEqual([])
    })

    it('creates all of a batch or none', async () => {
      const { keyHash } = await create()
      const fresh = newRedemption()
      const batch = store().redemptions.createMany([fresh, newRedemption({ keyHash })])
      expect(await rejection(batch)).toBeInstanceOf(DuplicateError)
      expect(await store().redemptions.findByKeyHash(fresh.keyHash)).toBeUndefined()
    })

    it('has one winner among concurrent uses of a code', async () => {
      const code = await create()
      const users = Array.from({ length: 20 }, (_, at) => at + 1)
      const used = await Promise.all(users.map((userId) => store().redemptions.markUsed(code, userId, 77)))
      const winner = users.filter((_, at) => used[at])
      expect(winner).toHaveLength(1)
      expect(await store().redemptions.find(code.id)).toMatchObject({
        status: 'used',
        usedUserId: winner[0] ?? 0,
        redeemedAt: 77,
      })
    })

    it('refuses a code that is disabled or deleted, or has another quota by now', async () => {
      const [disabled, deleted, changed] = [await create(), await create(), await create()]
      await store().redemptions.switchMany([disabled.id], 'disabled')
      await store().redemptions.deleteMany([deleted.id], 5)
      await store().redemptions.updateUnused(changed.id, { name: 'dearer', quota: changed.quota + 1 })
      for (const code of [disabled, deleted, changed])
        expect(await store().redemptions.markUsed(code, 1, 77)).toBe(false)
    })

    it('edits unused codes alone, and never makes a used one unused', async () => {
      const code = await create()
      const change = { name: 'renamed', quota: 7 }
      expect(await store().redemptions.updateUnused(code.id, change)).toEqual({ ...code, ...change })
      expect(await store().redemptions.switchMany([code.id], 'disabled')).toEqual([code.id])
      expect(await store().redemptions.switchMany([code.id], 'disabled')).toEqual([])
      expect(await store().redemptions.updateUnused(code.id, change)).toBeUndefined()
      expect(await store().redemptions.switchMany([code.id, 987_654], 'unused')).toEqual([code.id])
      await store().redemptions.markUsed({ ...code, quota: 7 }, 1, 77)
      for (const status of ['unused', 'disabled'] as const)
        expect(await store().redemptions.switchMany([code.id], status)).toEqual([])
      expect(await store().redemptions.updateUnused(code.id, change)).toBeUndefined()
    })

    it('hides a deleted code from every call, and deletes once', async () => {
      const code = await create({ name: unique('gone') })
      expect(await store().redemptions.deleteMany([code.id, 987_654], 5)).toEqual([code.id])
      expect(await store().redemptions.deleteMany([code.id], 6)).toEqual([])
      expect(await store().redemptions.find(code.id)).toBeUndefined()
      expect(await store().redemptions.findByKeyHash(code.keyHash)).toBeUndefined()
      expect((await store().redemptions.listByIds([code.id])).size).toBe(0)
      expect(await idsOf({ keyword: code.name })).toEqual([])
    })

    it('finds by the beginning of the name, whatever its case, and by the id, without wildcards', async () => {
      const start = unique('Spring')
      const one = await create({ name: `${start} 100%_off` })
      const other = await create({ name: `${start.toUpperCase()} é` })
      await create({ name: `x${start}` })
      expect(await idsOf({ keyword: start.toLowerCase() })).toEqual([other.id, one.id])
      expect(await idsOf({ keyword: `${start} 100%_` })).toEqual([one.id])
      for (const keyword of ['%', `${start} %`, `${start} _00`, `${start}"'\\`, `${start}\0`])
        expect(await idsOf({ keyword })).toEqual([])
      expect(await idsOf({ keyword: String(one.id) })).toContain(one.id)
      expect(await idsOf({ keyword: start, status: 'used' })).toEqual([])
      await store().redemptions.markUsed(one, 3, 9)
      expect(await idsOf({ keyword: start, status: 'used' })).toEqual([one.id])
    })

    it('sorts, by the id among equals', async () => {
      const start = unique('sorted')
      const made = []
      for (const [name, quota] of [
        ['b', 3],
        ['A', 9],
        ['c', 3],
      ] as const)
        made.push(await create({ name: `${start}${name}`, quota }))
      const [b, a, c] = made.map(({ id }) => id) as [number, number, number]
      await store().redemptions.markUsed(made[2] as (typeof made)[number], 1, 50)
      const sorted = (by: 'name' | 'quota' | 'redeemedAt', descending: boolean) =>
        idsOf({ keyword: start }, { by, descending })
      expect(await sorted('name', false)).toEqual([a, b, c])
      expect(await sorted('quota', true)).toEqual([a, c, b])
      expect(await sorted('quota', false)).toEqual([b, c, a])
      expect(await sorted('redeemedAt', true)).toEqual([c, a, b])
      const page = await store().redemptions.page({ keyword: start }, newestFirst, { offset: 1, limit: 1 })
      expect([page.total, page.rows[0]?.id]).toEqual([3, a])
    })
  })
}

function topUpOrderContract(store: () => Store): void {
  describe('TopUpOrderRepository', () => {
    it('returns the created order, pending, and gives a trade number to one order', async () => {
      const order = newTopUpOrder({ moneyMinor: 730, currency: 'cny' })
      const created = await store().topUpOrders.create(order)
      const { id } = created
      expect(created).toEqual({
        ...topUpOrderResource.defaults,
        ...order,
        id,
        paymentId: '',
        revision: 0,
        giftInviterId: 0,
        giftQuota: 0,
        ...{ refundedMinor: 0, disputedMinor: 0, handRefundedMinor: 0 },
        ...{ settledReference: '', settledReason: '' },
      })
      expect(await store().topUpOrders.findByTradeNo(order.tradeNo)).toEqual(created)
      expect(await store().topUpOrders.findByTradeNo('USR1NOnone')).toBeUndefined()
      expect(await rejection(store().topUpOrders.create(order))).toBeInstanceOf(DuplicateError)
    })

    it('has one winner among concurrent payments of an order', async () => {
      const { id, tradeNo } = await store().topUpOrders.create(newTopUpOrder())
      const paid = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          store().topUpOrders.markPaid(id, { providerTradeNo: `payment-${at}`, at: 99 }),
        ),
      )
      expect(paid.filter(Boolean)).toHaveLength(1)
      expect(await store().topUpOrders.findByTradeNo(tradeNo)).toMatchObject({
        status: 'success',
        completedAt: 99,
        providerTradeNo: `payment-${paid.indexOf(true)}`,
      })
    })

    it('accepts money for an expired or failed order, and never expires a paid one', async () => {
      const { id, tradeNo } = await store().topUpOrders.create(newTopUpOrder())
      await store().topUpOrders.setProviderTradeNo(id, 'session-1')
      await store().topUpOrders.markUnpaid(id, 'expired', 5)
      await store().topUpOrders.markUnpaid(id, 'failed', 6)
      expect(await store().topUpOrders.findByTradeNo(tradeNo)).toMatchObject({
        status: 'expired',
        completedAt: 5,
      })
      expect(await store().topUpOrders.markPaid(id, { at: 7 })).toBe(true)
      await store().topUpOrders.markUnpaid(id, 'failed', 8)
      expect(await store().topUpOrders.findByTradeNo(tradeNo)).toMatchObject({
        status: 'success',
        completedAt: 7,
        providerTradeNo: 'session-1',
      })
    })

    it('finds an order by its payment, and keeps the first ids that it was told', async () => {
      const order = await store().topUpOrders.create(newTopUpOrder({ provider: 'stripe' }))
      const paymentId = unique('payment')
      await store().topUpOrders.setPaymentIds(order.id, { providerTradeNo: 'session', paymentId })
      await store().topUpOrders.setPaymentIds(order.id, { providerTradeNo: 'other', paymentId: 'other' })
      const found = await store().topUpOrders.findByPaymentId('stripe', paymentId)
      expect(found).toEqual({ ...order, providerTradeNo: 'session', paymentId })
      expect(await store().topUpOrders.findByPaymentId('epay', paymentId)).toBeUndefined()
      expect(await store().topUpOrders.findByPaymentId('stripe', '')).toBeUndefined()
    })

    it('stores what was taken back of a paid order once per revision', async () => {
      const order = await store().topUpOrders.create(newTopUpOrder())
      const money = { refundedMinor: 3, disputedMinor: 4, handRefundedMinor: 2 }
      const reversal = { refundedQuota: 5, disputedQuota: 7, reversal: 'disputed', ...money } as const
      expect(await store().topUpOrders.markReversed(order, reversal)).toBe(false)
      await store().topUpOrders.markPaid(order.id, { at: 7 })
      const stored = await Promise.all(
        Array.from({ length: 20 }, () => store().topUpOrders.markReversed(order, reversal)),
      )
      expect(stored.filter(Boolean)).toHaveLength(1)
      await store().topUpOrders.setGift(order.id, { inviterId: 3, quota: 9 })
      expect(await store().topUpOrders.findByTradeNo(order.tradeNo)).toMatchObject({
        ...reversal,
        status: 'success',
        revision: 1,
        giftInviterId: 3,
        giftQuota: 9,
      })
      expect(await store().topUpOrders.markPaid(order.id, { at: 8 })).toBe(false)
    })

    it('sums up what is paid and taken back under a filter, by currency', async () => {
      const userId = 300_000 + Number(unique('user').replace(/\D/g, ''))
      for (const [currency, moneyMinor, refundedMinor] of [
        ['usd', 1000, 250],
        ['usd', 500, 0],
        ['jpy', 9, 0],
      ] as const) {
        const order = await store().topUpOrders.create(
          newTopUpOrder({ userId, currency, moneyMinor, quota: 100 }),
        )
        await store().topUpOrders.markPaid(order.id, { at: 7 })
        const taken = { refundedMinor, disputedMinor: 0, handRefundedMinor: 0, reversal: 'refunded' } as const
        await store().topUpOrders.markReversed(order, { ...taken, refundedQuota: 25, disputedQuota: 0 })
      }
      await store().topUpOrders.create(newTopUpOrder({ userId, moneyMinor: 77 }))
      expect(await store().topUpOrders.sums({ userId })).toEqual([
        { currency: 'jpy', orders: 1, paidMinor: 9, refundedMinor: 0, disputedMinor: 0, quota: 75 },
        { currency: 'usd', orders: 2, paidMinor: 1500, refundedMinor: 250, disputedMinor: 0, quota: 150 },
      ])
      const newest = await store().topUpOrders.batch({ userId }, undefined, 2)
      const [third] = await store().topUpOrders.batch({ userId }, newest.at(-1)?.id, 1)
      expect([newest.length, third?.currency]).toEqual([2, 'usd'])
    })

    it('expires orders that are pending for too long', async () => {
      const old = await store().topUpOrders.create(newTopUpOrder({ createdAt: 1000 }))
      const fresh = await store().topUpOrders.create(newTopUpOrder({ createdAt: 2000 }))
      await store().topUpOrders.expirePending(2000, 3000)
      const statusOf = async (tradeNo: string) => (await store().topUpOrders.findByTradeNo(tradeNo))?.status
      expect(await statusOf(old.tradeNo)).toBe('expired')
      expect(await statusOf(fresh.tradeNo)).toBe('pending')
    })

    it('lists newest first by any of its filters, with the total', async () => {
      const userId = 400_000 + Number(unique('user').replace(/\D/g, ''))
      const made = []
      for (const change of [
        { provider: 'epay', createdAt: 10 },
        { provider: 'stripe', createdAt: 20 },
        { provider: 'epay', createdAt: 30 },
      ] as const)
        made.push(await store().topUpOrders.create(newTopUpOrder({ userId, ...change })))
      const [first, second, third] = made.map(({ id }) => id) as [number, number, number]
      await store().topUpOrders.markPaid(second, { at: 25 })
      await store().topUpOrders.setProviderTradeNo(third, 'id of the provider')
      const ids = async (filter: Parameters<Store['topUpOrders']['page']>[0]) => {
        const { rows, total } = await store().topUpOrders.page(
          { userId, ...filter },
          { offset: 0, limit: 10 },
        )
        expect(total).toBe(rows.length)
        return rows.map(({ id }) => id)
      }
      expect(await ids({})).toEqual([third, second, first])
      expect(await ids({ provider: 'epay' })).toEqual([third, first])
      expect(await ids({ status: 'success' })).toEqual([second])
      expect(await ids({ status: 'success', reversal: 'refunded' })).toEqual([])
      expect(await ids({ status: 'success', reversal: 'none' })).toEqual([second])
      expect(await ids({ anyTradeNo: 'id of the provider' })).toEqual([third])
      expect(await ids({ from: 10, to: 20 })).toEqual([second, first])
      expect(await ids({ anyTradeNo: made[0]?.tradeNo ?? '' })).toEqual([first])
      expect(await ids({ userId: userId + 1_000_000 })).toEqual([])
      const page = await store().topUpOrders.page({ userId }, { offset: 2, limit: 2 })
      expect([page.total, page.rows.map(({ id }) => id)]).toEqual([3, [first]])
    })
  })
}
