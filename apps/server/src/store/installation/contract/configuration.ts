import { describe, expect, it } from 'bun:test'
import { newChannel, newToken, newUser, withAccount } from '../../contract/samples.ts'
import type { Store } from '../../store.ts'

export function smallTableContract(store: () => Store): void {
  describe('OptionRepository', () => {
    it('stores the last value of each key, in order of keys', async () => {
      await store().options.change(async () => [{ key: 'b', value: '1' }])
      await store().options.change(async () => [
        { key: 'a', value: '{"x":"ü"}' },
        { key: 'b', value: '2' },
      ])
      expect(await store().options.listAll()).toEqual([
        { key: 'a', value: '{"x":"ü"}' },
        { key: 'b', value: '2' },
      ])
    })

    it('removes a key that is written as null', async () => {
      await store().options.change(async () => [{ key: 'c', value: '3' }])
      await store().options.change(async () => [
        { key: 'c', value: null },
        { key: 'never there', value: null },
      ])
      expect((await store().options.listAll()).map(({ key }) => key)).not.toContain('c')
    })

    it('are decided by as they are: changes take turns, and wait for who relies on them', async () => {
      const { options } = store()
      await options.change(async () => [{ key: 'count', value: '0' }])
      const count = (stored: readonly { readonly key: string; readonly value: string }[]) =>
        Number(stored.find(({ key }) => key === 'count')?.value)
      const add = () => options.change(async (stored) => [{ key: 'count', value: String(count(stored) + 1) }])
      const relying = store().transaction(async (tx) => {
        const before = count(await tx.options.listLocked())
        await tx.users.find(1)
        return count(await tx.options.listAll()) - before
      })
      await Promise.all([add(), add(), relying, add(), add()])
      expect(await relying).toBe(0)
      expect(count(await options.listAll())).toBe(4)
      await options.change(async () => [{ key: 'count', value: null }])
    })

    it("writes all of them and the transaction's other writes, or nothing", async () => {
      const before = await store().options.listAll()
      const refusing = async () => {
        throw new Error('no')
      }
      const work = store().options.change(refusing)
      expect(await work.catch((error: Error) => error.message)).toBe('no')
      expect(await store().options.listAll()).toEqual(before)
    })
  })

  describe('SessionRepository', () => {
    const session = {
      idHash: 'one',
      createdAt: 10,
      expiresAt: 20,
      userAgent: 'Browser/1.0 (ü)',
      address: '192.0.2.7',
      lastSeenAt: 10,
      provenAt: 10,
    }

    const newOwner = async () => (await store().users.create(newUser())).id
    const create = (userId: number, idHash: string) =>
      withAccount(store(), userId, (tx, account) => tx.sessions.create(account, { ...session, idHash }))

    it('finds a session until it expires, and proves it for its owner alone', async () => {
      const [userId, stranger] = [await newOwner(), await newOwner()]
      await create(userId, 'one')
      expect(await store().sessions.find('one', 19)).toEqual({ ...session, userId })
      const prove = (id: number, at: number) =>
        withAccount(store(), id, (tx, account) => tx.sessions.markProven(account, 'one', at))
      expect([await prove(userId, 18), await prove(stranger, 19), await prove(userId, 20)]).toEqual([
        true,
        false,
        false,
      ])
      expect(await store().sessions.find('one', 19)).toEqual({ ...session, userId, provenAt: 18 })
      expect(await store().sessions.find('one', 20)).toBeUndefined()
      expect(await store().sessions.find('other', 19)).toBeUndefined()
    })

    it('ends one session, all of a user, or all expired ones', async () => {
      const userId = await newOwner()
      for (const idHash of ['two', 'three', 'four']) await create(userId, idHash)
      await create(await newOwner(), 'else')
      await store().sessions.delete('two')
      expect(await store().sessions.find('two', 15)).toBeUndefined()
      expect(await store().sessions.find('three', 15)).toBeDefined()
      await store().sessions.deleteOfUser(userId, 'three')
      expect(await store().sessions.find('four', 15)).toBeUndefined()
      expect(await store().sessions.find('three', 15)).toBeDefined()
      await store().sessions.deleteOfUser(userId)
      expect(await store().sessions.find('three', 15)).toBeUndefined()
      expect(await store().sessions.find('else', 15)).toBeDefined()
      await store().sessions.deleteExpired(20)
      expect(await store().sessions.find('else', 0)).toBeUndefined()
    })
  })

  describe('OneTimeSecretRepository', () => {
    const secret = {
      purpose: 'verify-email',
      subject: 'ann@example.com',
      secretHash: 'hash',
      data: '{"a":1}',
      createdAt: 10,
      expiresAt: 20,
    }
    const { purpose, subject } = secret

    it('is taken once under concurrency, and by its own hash alone', async () => {
      const { oneTimeSecrets } = store()
      await oneTimeSecrets.put(secret)
      expect(await oneTimeSecrets.take(purpose, subject, 'other', 15)).toBeUndefined()
      expect(await oneTimeSecrets.take('other', subject, 'hash', 15)).toBeUndefined()
      expect(await oneTimeSecrets.take(purpose, subject, 'hash', 20)).toBeUndefined()
      const taken = await Promise.all(
        Array.from({ length: 8 }, () => oneTimeSecrets.take(purpose, subject, 'hash', 19)),
      )
      expect(taken.filter((one) => one !== undefined)).toEqual([{ ...secret, userId: 0, attempts: 0 }])
    })

    it('count attempts at secrets stored elsewhere, at once and over windows, and uncount right ones', async () => {
      const { oneTimeSecrets } = store()
      const limit = { max: 3, windowSeconds: 10 }
      const attempt = (now: number) => oneTimeSecrets.countAttempt('tried', subject, now, limit)
      const atOnce = await Promise.all(Array.from({ length: 8 }, () => attempt(100)))
      expect(atOnce.filter(Boolean)).toHaveLength(3)
      expect(await oneTimeSecrets.countAttempt('tried', `${subject} 2`, 100, limit)).toBe(true)
      await oneTimeSecrets.refundAttempt('tried', subject)
      expect([await attempt(109), await attempt(109)]).toEqual([true, false])
      expect(await attempt(110)).toBe(true)
    })

    it('goes with the others of its user, and no other user’s goes', async () => {
      const { oneTimeSecrets } = store()
      const [ann, ben] = [await store().users.create(newUser()), await store().users.create(newUser())]
      const of = (userId: number) => ({ ...secret, subject: `${subject} of ${userId}` })
      await oneTimeSecrets.put(of(0))
      for (const { id } of [ann, ben])
        await withAccount(store(), id, (tx, account) => tx.oneTimeSecrets.putOwn(account, of(id)))
      await oneTimeSecrets.deleteOfUsers([ann.id, 0])
      const left = [0, ann.id, ben.id].map((userId) =>
        oneTimeSecrets.take(purpose, of(userId).subject, 'hash', 15),
      )
      expect((await Promise.all(left)).map((one) => one?.userId)).toEqual([0, undefined, ben.id])
    })

    it('counts attempts up to a limit, and a new secret starts from zero', async () => {
      const { oneTimeSecrets } = store()
      await oneTimeSecrets.put(secret)
      const attempt = () => oneTimeSecrets.attempt(purpose, subject, 15, 2)
      expect(await attempt()).toMatchObject({ attempts: 1 })
      expect(await attempt()).toMatchObject({ attempts: 2, data: '{"a":1}' })
      expect(await attempt()).toBeUndefined()
      await oneTimeSecrets.put({ ...secret, secretHash: 'second', expiresAt: 30 })
      expect(await attempt()).toMatchObject({ attempts: 1, secretHash: 'second', expiresAt: 30 })
      expect(await oneTimeSecrets.attempt(purpose, subject, 30, 2)).toBeUndefined()
    })

    it('goes when it has expired', async () => {
      const { oneTimeSecrets } = store()
      await oneTimeSecrets.put(secret)
      await oneTimeSecrets.deleteExpired(20)
      expect(await oneTimeSecrets.take(purpose, subject, 'hash', 0)).toBeUndefined()
    })
  })

  describe('QuotaWarningRepository', () => {
    it('stores who was warned, once, and whether that is settled, until it is removed', async () => {
      const { quotaWarnings } = store()
      expect(await quotaWarnings.add(7, 10)).toBe(true)
      await quotaWarnings.add(3, 10)
      await quotaWarnings.markSettled(7)
      expect(await quotaWarnings.add(7, 11)).toBe(false)
      await quotaWarnings.markSettled(99)
      expect(await quotaWarnings.listAll()).toEqual([
        { userId: 3, warnedAt: 10, settled: false },
        { userId: 7, warnedAt: 10, settled: true },
      ])
      await quotaWarnings.remove(7)
      expect([await quotaWarnings.isWarned(3), await quotaWarnings.isWarned(7)]).toEqual([true, false])
      await quotaWarnings.add(7, 12)
      expect(await quotaWarnings.listAll()).toContainEqual({ userId: 7, warnedAt: 12, settled: false })
    })
  })

  describe('SetupRepository', () => {
    it('has one winner under concurrency', async () => {
      expect(await store().setups.isDone()).toBe(false)
      const tries = await Promise.all(
        Array.from({ length: 8 }, (_, at) => store().setups.markDone('1.0', at)),
      )
      expect(tries.filter(Boolean)).toHaveLength(1)
      expect(await store().setups.isDone()).toBe(true)
    })
  })
}

export function installationContract(store: () => Store): void {
  describe('InstallationRepository', () => {
    it('knows the size of the database, of which no more is unused than there is', async () => {
      const { bytes, freeBytes } = await store().installation.size()
      expect(bytes).toBeGreaterThan(100_000)
      expect(freeBytes).toBeGreaterThanOrEqual(0)
      expect(freeBytes).toBeLessThan(bytes)
    })

    it('counts keys in use that end within a time', async () => {
      const { tokens, users, installation } = store()
      const owner = await users.create(newUser())
      const before = await installation.countEndingKeys(1000, 2000)
      for (const expiresAt of [999, 1000, 1999, 2000, null])
        await tokens.create(newToken(owner.id, { expiresAt }))
      await tokens.create(newToken(owner.id, { expiresAt: 1500, status: 'disabled' }))
      expect(await installation.countEndingKeys(1000, 2000)).toBe(before + 2)
    })

    it('lists balances that were ever read', async () => {
      const { channels, installation } = store()
      const [never, read] = [await channels.create(newChannel()), await channels.create(newChannel())]
      await channels.update(read.id, { balance: 12.5, balanceUpdatedAt: 1700 })
      const listed = await installation.balances()
      expect(listed.filter(({ channel }) => channel === never.id || channel === read.id)).toEqual([
        { channel: read.id, balance: 12.5, at: 1700 },
      ])
    })
  })
}
