import { beforeEach, describe, expect, it } from 'bun:test'
import type { TestStore } from '../../contract/place.ts'
import { rejection } from '../../contract/rejection.ts'
import { newChannel, newToken, newUser, settlement, unique } from '../../contract/samples.ts'
import { AccountUnknownError, DuplicateError } from '../../errors.ts'
import type { Store } from '../../store.ts'
import { newTask } from '../../work/contract/tasks.ts'
import type { Hold } from '../ledger.ts'

export function holdContract(store: () => Store, testStore: () => TestStore): void {
  describe('holds', () => {
    let userId = 0
    let tokenId = 0
    let channelId = 0
    let hold: Hold

    beforeEach(async () => {
      userId = (await store().users.create(newUser())).id
      tokenId = (await store().tokens.create(newToken(userId))).id
      channelId = (await store().channels.create(newChannel())).id
      const accounts = [
        { kind: 'user', id: userId },
        { kind: 'token', id: tokenId },
      ] as const
      hold = { id: unique('task'), accounts, amount: 300, createdAt: 7000 }
      const money = { cause: 'initial', amount: 1000, createdAt: 1, actorId: 0, note: '' } as const
      for (const { kind, id } of accounts)
        await store().ledger.credit({ ...money, accountKind: kind, accountId: id })
    })

    const call = (change = {}) =>
      settlement(0, { userId, tokenId, channelId, createdAt: 7200, requestId: unique('task'), ...change })
    const balances = async () => [
      await store().ledger.balanceOf('user', userId),
      await store().ledger.balanceOf('token', tokenId),
    ]
    const findings = async () => (await store().audit.findings()).map(({ what }) => what)

    it('debit their amount from every account, and are found again', async () => {
      await store().ledger.hold(hold)
      expect(await balances()).toEqual([700, 700])
      expect(await store().ledger.findHold(hold.id)).toEqual(hold)
      expect(await store().ledger.findHold('nobody’s')).toBeUndefined()
      expect(await store().ledger.list('user', userId, 1)).toMatchObject([
        { cause: 'hold', amount: -300, note: hold.id, createdAt: 7000 },
      ])
      expect(await findings()).toEqual([])
      await store().ledger.endHold(hold.id, 7100)
    })

    it('are taken once, of existing accounts, or not at all', async () => {
      await store().ledger.hold(hold)
      expect(await rejection(store().ledger.hold(hold))).toBeInstanceOf(DuplicateError)
      const accounts = [...hold.accounts, { kind: 'token', id: 987_654 } as const]
      const strange = { ...hold, id: unique('task'), accounts }
      expect(await rejection(store().ledger.hold(strange))).toBeInstanceOf(AccountUnknownError)
      expect(await store().ledger.findHold(strange.id)).toBeUndefined()
      expect(await balances()).toEqual([700, 700])
      await store().ledger.endHold(hold.id, 7100)
    })

    it('refund the full amount, once', async () => {
      await store().ledger.hold(hold)
      const ends = await Promise.all([1, 2, 3].map(() => store().ledger.endHold(hold.id, 7100)))
      expect(ends.toSorted()).toEqual([false, false, true])
      expect(await balances()).toEqual([1000, 1000])
      expect(await findings()).toEqual([])
    })

    it('end with a charge of any amount, which is counted and logged once, as a call’s', async () => {
      for (const [quota, left] of [
        [120, 880],
        [500, 380],
      ] as const) {
        const { id } = hold
        await store().ledger.hold(hold)
        const end = () => store().ledger.endHold(id, 7200, call({ quota }))
        expect((await Promise.all([end(), end(), end()])).filter(Boolean)).toHaveLength(1)
        expect(await store().ledger.endHold(id, 7200)).toBe(false)
        expect(await balances()).toEqual([left, left])
        hold = { ...hold, id: unique('task') }
      }
      expect(await store().users.find(userId)).toMatchObject({ usedQuota: 620, requestCount: 2 })
      expect((await store().channels.find(channelId))?.usedQuota).toBe(620)
      expect((await store().usage.page({ userId }, 1, 9)).rows.map(({ quota }) => quota)).toEqual([500, 120])
      const rollup = await testStore().sql(`select count, quota from usage_hourly where user_id = ${userId}`)
      expect(rollup.map(({ count, quota }) => [count, quota].map(Number))).toEqual([[2, 620]])
      expect(await findings()).toEqual([])
    })

    it('end with a row of a failure, without a charge', async () => {
      await store().ledger.hold(hold)
      expect(await store().ledger.endHold(hold.id, 7200, call({ kind: 'error', quota: 0 }))).toBe(true)
      expect(await balances()).toEqual([1000, 1000])
      expect(await store().users.find(userId)).toMatchObject({ usedQuota: 0, requestCount: 0 })
      expect((await store().usage.page({ userId, type: 'error' }, 1, 9)).total).toBe(1)
    })

    it('change nothing when their end fails half way', async () => {
      await store().ledger.hold(hold)
      const ending = store().ledger.endHold(hold.id, 7200, call({ channelId: 1.5 }))
      expect(await rejection(ending)).toBeInstanceOf(Error)
      expect(await balances()).toEqual([700, 700])
      expect(await store().ledger.endHold(hold.id, 7200, call({ quota: 1 }))).toBe(true)
      expect(await balances()).toEqual([999, 999])
    })

    it('end together with the other writes of the transaction, or not at all', async () => {
      await store().ledger.hold(hold)
      const task = await store().tasks.create(newTask({ holdId: hold.id, userId, tokenId }))
      const refuse = () => Promise.reject(new Error('not now'))
      const failing = store().ledger.endHold(hold.id, 7200, call({ quota: 5 }), refuse)
      expect(await rejection(failing)).toMatchObject({ message: 'not now' })
      expect(await balances()).toEqual([700, 700])
      const finish = async (tx: Store) => {
        await tx.tasks.update(task.id, { status: 'SUCCESS', finishedMs: 9 })
      }
      expect(await store().ledger.endHold(hold.id, 7200, call({ quota: 5 }), finish)).toBe(true)
      expect(await store().tasks.find(task.id)).toMatchObject({ status: 'SUCCESS', finishedMs: 9 })
      expect(await store().ledger.endHold(hold.id, 7200, undefined, refuse)).toBe(false)
      expect(await balances()).toEqual([995, 995])
    })

    it('that are open must agree with their entries', async () => {
      await store().ledger.hold(hold)
      await testStore().sql(`delete from holds where id = '${hold.id}' and account_kind = 'token'`)
      expect(await findings()).toContain(`quota held for open work of token ${tokenId}, against its entries`)
      await testStore().sql(
        `insert into holds values ('${hold.id}', 'token', ${tokenId}, ${hold.amount}, ${hold.createdAt})`,
      )
      await store().ledger.endHold(hold.id, 7100)
      expect(await findings()).toEqual([])
    })
  })
}
