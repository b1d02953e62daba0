import { beforeAll, describe, expect, it } from 'bun:test'
import {
  newChannel,
  newRedemption,
  newToken,
  newTopUpOrder,
  newUser,
  unique,
} from '../../contract/samples.ts'
import type { Store } from '../../store.ts'
import type { ImportedRow } from '../imports.ts'

const hour = Date.UTC(2025, 2, 1, 9) / 1000

export function importContract(store: () => Store): void {
  describe('ImportRepository', () => {
    let source: string
    let userId: number
    let tokenId: number
    let channelId: number

    beforeAll(async () => {
      source = unique('gateway')
      userId = (await store().users.create(newUser())).id
      tokenId = (await store().tokens.create(newToken(userId))).id
      channelId = (await store().channels.create(newChannel())).id
    })

    const row = (kind: ImportedRow['kind'], sourceId: string, targetId: number): ImportedRow => ({
      source,
      kind,
      sourceId,
      mark: 'mark',
      targetId,
      importedAt: hour,
    })

    it('knows what was taken, by source, kind and id', async () => {
      await store().imports.add([row('user', '7', userId), row('token', '7', tokenId)])
      const known = await store().imports.known(source, 'user', ['6', '7'])
      expect([...known]).toEqual([['7', row('user', '7', userId)]])
      expect(await store().imports.known(unique('gateway'), 'user', ['7'])).toEqual(new Map())
      try {
        await store().imports.add([row('user', '7', userId)])
        throw new Error('a row was taken twice')
      } catch (error) {
        expect((error as Error).name).toBe('DuplicateError')
      }
    })

    it('counts usage without log rows in balances and rollups, and the audit agrees', async () => {
      const credit = { cause: 'import', createdAt: hour, actorId: 0, note: '' } as const
      await store().ledger.credit({ ...credit, accountKind: 'user', accountId: userId, amount: 1000 })
      await store().ledger.credit({ ...credit, accountKind: 'token', accountId: tokenId, amount: 300 })
      const calls = { hour, userId, model: 'm', promptTokens: 5, completionTokens: 6 }
      await store().imports.addUsage({
        calls: [
          { ...calls, type: 'consumption', channelId, count: 3, quota: 90 },
          { ...calls, type: 'consumption', channelId: 0, count: 1, quota: 10 },
          { ...calls, type: 'error', channelId, count: 2, quota: 0 },
        ],
        charges: [
          { kind: 'user', id: userId, quota: 7, calls: 2, at: hour + 7200 },
          { kind: 'channel', id: 0, quota: 7, calls: 2, at: hour + 7200 },
          { kind: 'token', id: tokenId, quota: 107, calls: 6, at: hour + 7200 },
        ],
      })
      expect(await store().users.find(userId)).toMatchObject({ quota: 893, usedQuota: 107, requestCount: 6 })
      expect(await store().tokens.find(tokenId)).toMatchObject({
        remainQuota: 193,
        usedQuota: 107,
        accessedAt: 1_750_000_000,
      })
      expect((await store().channels.find(channelId))?.usedQuota).toBe(90)
      expect(await store().imports.amountsOf(source, 'user', hour)).toEqual({
        balance: 893,
        used: 107,
        calls: 6,
      })
      expect(await store().imports.amountsOf(source, 'token', hour)).toEqual({
        balance: 193,
        used: 107,
        calls: 0,
      })
      const buckets = await store().statistics.list({ from: hour, end: hour + 3600, starts: [hour] }, userId)
      expect(buckets).toMatchObject([{ model: 'm', count: 4, quota: 100 }])
      expect(await findings()).toEqual([])
    })

    it('gives each run of a source a moment of its own', async () => {
      const imported = unique('gateway')
      expect(await store().imports.momentOfRun(imported, hour)).toBe(hour)
      await store().imports.add([{ ...row('user', '1', userId), source: imported }])
      expect(await store().imports.momentOfRun(imported, hour)).toBe(hour + 1)
      expect(await store().imports.momentOfRun(imported, hour + 60)).toBe(hour + 60)
    })

    it('needs no credit for a code and an order that were used and paid there, but for those used here', async () => {
      const [there, here] = await store().redemptions.createMany([newRedemption(), newRedemption()])
      const order = await store().topUpOrders.create(newTopUpOrder({ userId }))
      const at = hour - 60
      for (const code of [there, here]) if (code) await store().redemptions.markUsed(code, userId, at)
      await store().topUpOrders.markPaid(order.id, { at })
      expect(await findings()).toHaveLength(6)
      await store().imports.add([row('code', '1', there?.id ?? 0), row('order', '1', order.id)])
      expect(await findings()).toHaveLength(2)
      await store().imports.add([{ ...row('code', '2', here?.id ?? 0), importedAt: at - 1 }])
      const left = await findings()
      expect(left).toHaveLength(2)
      expect(left[0]?.what).toContain(`redemption code ${here?.id}`)
      const entry = { accountKind: 'user', accountId: userId, createdAt: at, actorId: 0 } as const
      await store().ledger.credit({ ...entry, cause: 'redemption', amount: 500_000, note: `${here?.id}` })
      expect(await findings()).toEqual([])
    })

    /** Returns the findings about this user alone: other tests leave differences of their own. */
    const findings = async () =>
      (await store().audit.findings()).filter(
        ({ what }) => what.includes(`user ${userId} `) || what.includes(`token ${tokenId},`),
      )
  })
}
