import { beforeAll, beforeEach, describe, expect, it } from 'bun:test'
import type { TestStore } from '../../contract/place.ts'
import { flushOf, newChannel, newToken, newUser, settlement, unique } from '../../contract/samples.ts'
import type { Store } from '../../store.ts'
import type { BalanceShareRepository } from '../balance-shares.ts'

/** Shares of balances between nodes, where a database has several. */
export function shareContract(store: () => Store, testStore: () => TestStore): void {
  describe('BalanceShareRepository', () => {
    let shares: BalanceShareRepository
    let a = ''
    let b = ''
    let userId = 0
    let tokenId = 0

    beforeAll(() => {
      const repository = store().ledger.shares
      if (repository === undefined) throw new Error('no shares')
      shares = repository
    })
    beforeEach(async () => {
      a = unique('node')
      b = unique('node')
      userId = (await store().users.create(newUser())).id
      tokenId = (await store().tokens.create(newToken(userId))).id
      await credit('user', userId, 1000)
    })

    const credit = (accountKind: 'user' | 'token', accountId: number, amount: number) =>
      store().ledger.credit({
        accountKind,
        accountId,
        cause: 'admin-change',
        amount,
        createdAt: 1,
        actorId: 0,
        note: '',
      })
    const acquire = async (node: string, nodes: number, needed: number, wanted = needed, standard = needed) =>
      (await shares.acquire(node, 'user', nodes, [{ id: userId, needed, wanted, usual: standard }]))[0]
    const giveBack = async (node: string, amount: number) =>
      (await shares.giveBack(node, 'user', [{ id: userId, amount }]))[0]
    const figures = async (node: string) => (await shares.read(node, 'user', [userId])).get(userId)
    const findings = async () => (await store().audit.findings()).map(({ what }) => what)

    it('grant everything to a node that is alone', async () => {
      expect(await acquire(a, 1, 10)).toEqual({
        id: userId,
        amount: 1000,
        quota: 1000,
        granted: 1000,
        share: 1000,
      })
      expect(await acquire(a, 1, 1)).toMatchObject({ amount: 0, share: 1000 })
      await giveBack(a, 1000)
    })

    it('grant a part ahead while that covers eight requests, and then no more than is wanted', async () => {
      expect(await acquire(a, 3, 20)).toMatchObject({ amount: 166, granted: 166 })
      expect(await acquire(b, 3, 17, 17)).toMatchObject({ amount: 139, granted: 305, share: 139 })
      expect(await acquire(b, 3, 20, 90)).toMatchObject({ amount: 90, granted: 395, share: 229 })
      expect(await acquire(b, 3, 600, 900)).toMatchObject({ amount: 605, granted: 1000 })
      expect(await acquire(a, 3, 1)).toMatchObject({ amount: 0, granted: 1000, share: 166 })
      expect(await findings()).toEqual([])
    })

    it('grant nothing ahead of a balance that is not ample, and nothing at all of one that is too short', async () => {
      expect(await acquire(a, 3, 21, 0)).toMatchObject({ amount: 0 })
      expect(await acquire(a, 3, 1001)).toMatchObject({ amount: 0, quota: 1000, granted: 0 })
      await credit('user', userId, -1500)
      expect(await acquire(a, 1, 0)).toMatchObject({ amount: 0, quota: -500 })
    })

    it('grant no quota twice, however many nodes ask at once', async () => {
      const nodes = Array.from({ length: 8 }, () => unique('node'))
      const requested = nodes.flatMap((node) => Array.from({ length: 40 }, () => acquire(node, 8, 7)))
      const granted = (await Promise.all(requested)).map((move) => move?.amount ?? 0)
      const sum = granted.reduce((total, amount) => total + amount, 0)
      expect(sum).toBeGreaterThan(1000 - 7)
      expect(sum).toBeLessThanOrEqual(1000)
      expect(await findings()).toEqual([])
    })

    it('are spent by the flush of their node, and what is free stays', async () => {
      await acquire(a, 3, 300)
      const call = settlement(1, {
        userId,
        tokenId,
        quota: 120,
        channelId: (await store().channels.create(newChannel())).id,
      })
      await store().ledger.flush(flushOf(a, 0, [call]))
      expect(await figures(a)).toEqual({ quota: 880, granted: 180, share: 180 })
      expect((await shares.read(a, 'token', [tokenId])).get(tokenId)).toEqual({
        quota: -120,
        granted: -120,
        share: -120,
      })
      await store().ledger.flush(flushOf(a, 1, [{ ...call, seq: 2, quota: 200 }]))
      expect(await figures(a)).toEqual({ quota: 680, granted: -20, share: -20 })
      expect(await giveBack(a, -20)).toMatchObject({ quota: 680, granted: 0, share: 0, amount: 20 })
      expect(await findings()).toEqual([])
    })

    it('owe nothing any more of a key that has become limited, whichever nodes had charged it', async () => {
      const tokenFigures = async (node: string) => (await shares.read(node, 'token', [tokenId])).get(tokenId)
      const channelId = (await store().channels.create(newChannel())).id
      await credit('token', tokenId, 1000)
      for (const node of [a, b])
        await store().ledger.flush(
          flushOf(node, 0, [settlement(1, { userId, tokenId, channelId, quota: 300 })]),
        )
      await store().tokens.changeOwn(userId, [tokenId], { name: 'renamed' })
      expect(await tokenFigures(a)).toEqual({ quota: 400, granted: -600, share: -300 })
      await store().tokens.changeOwn(userId, [tokenId], { unlimitedQuota: false })
      for (const node of [a, b])
        expect(await tokenFigures(node)).toEqual({ quota: 400, granted: 0, share: 0 })
      expect(await findings()).toEqual([])
    })

    it('stay exact while nodes acquire, return, flush and are credited at once', async () => {
      const channelId = (await store().channels.create(newChannel())).id
      const work = [a, b].flatMap((node) =>
        Array.from({ length: 20 }, async (_, turn) => {
          await acquire(node, 2, 5)
          await giveBack(node, 2)
          await credit('user', userId, 3)
          if (turn % 5 === 0)
            await store().ledger.hold(
              { id: unique('hold'), accounts: [{ kind: 'user', id: userId }], amount: 1, createdAt: 1 },
              node,
            )
        }),
      )
      const flushes = [a, b].map(async (node) => {
        for (let seq = 1; seq <= 20; seq += 1)
          await store().ledger.flush(
            flushOf(node, seq - 1, [settlement(seq, { userId, tokenId, channelId, quota: 2 })]),
          )
      })
      await Promise.all([...work, ...flushes])
      expect((await figures(a))?.quota).toBe(1000 + 40 * 3 - 8 - 40 * 2)
      expect(await findings()).toEqual([])
      for (const node of [a, b]) await shares.returnAll(node)
      expect(await figures(a)).toMatchObject({ granted: 0, share: 0 })
      expect(await findings()).toEqual([])
    })

    it('are found out by the audit where they are not what is granted', async () => {
      await acquire(a, 3, 300)
      await testStore().sql(`update balance_shares set amount = amount + 7 where node = '${a}'`)
      expect(
        (await store().audit.findings()).map(({ what, expected, found }) => [what, expected, found]),
      ).toEqual([[`quota of user ${userId} granted to nodes, against their shares`, 307, 300]])
      await testStore().sql(`update balance_shares set amount = amount - 7 where node = '${a}'`)
    })

    it('say which other nodes hold some', async () => {
      await acquire(a, 3, 300)
      await acquire(b, 3, 10)
      await giveBack(b, (await figures(b))?.share ?? 0)
      expect(await shares.holders(b, 'user', userId)).toEqual([a])
      expect(await shares.holders(a, 'user', userId)).toEqual([])
    })

    it('return all together, also within a transaction that fails', async () => {
      await acquire(a, 3, 300)
      const failing = store().transaction(async (tx) => {
        await tx.ledger.shares?.returnAll(a)
        throw new Error('it is alive')
      })
      await failing.catch(() => undefined)
      expect(await figures(a)).toMatchObject({ share: 300 })
      await shares.returnAll(a)
      expect(await figures(a)).toEqual({ quota: 1000, granted: 0, share: 0 })
      expect(await testStore().sql(`select * from balance_shares where node = '${a}'`)).toEqual([])
    })
  })
}
