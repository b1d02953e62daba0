import { describe, expect, it } from 'bun:test'
import { rejection } from '../../contract/rejection.ts'
import { newUser, unique, withAccount } from '../../contract/samples.ts'
import { DuplicateError } from '../../errors.ts'
import type { Store } from '../../store.ts'
import type { AccessToken } from '../access-tokens.ts'
import type { SecurityEvent } from '../security-events.ts'

/** Checks the events of accounts, and the tokens of their programs. */
export function securityContract(store: () => Store): void {
  accessTokenContract(store)
  securityEventContract(store)
}

async function newOwner(store: Store): Promise<number> {
  return (await store.users.create(newUser())).id
}

function accessTokenContract(store: () => Store): void {
  const create = (userId: number, fields: Partial<AccessToken> = {}) =>
    withAccount(store(), userId, (tx, account) =>
      tx.accessTokens.create(account, {
        name: 'laptop',
        scope: 'full',
        hash: unique('hash'),
        createdAt: 10,
        expiresAt: 0,
        lastUsedAt: 0,
        ...fields,
      }),
    )

  describe('AccessTokenRepository', () => {
    it('finds a token by its hash, which no second one may have', async () => {
      const token = await create(await newOwner(store()), { scope: 'read' })
      expect(await store().accessTokens.findByHash(token.hash)).toEqual(token)
      expect(await store().accessTokens.findByHash('')).toBeUndefined()
      expect(await rejection(create(token.userId, { hash: token.hash }))).toBeInstanceOf(DuplicateError)
    })

    it('lists the newest first, and removes only what its owner has', async () => {
      const userId = await newOwner(store())
      const [first, second] = [await create(userId), await create(userId)]
      expect(await store().accessTokens.listOwn(userId)).toEqual([second, first])
      expect(await store().accessTokens.countOwn(userId)).toBe(2)
      expect(await store().accessTokens.deleteOwn(userId + 1, first.id)).toBe(false)
      expect(await store().accessTokens.deleteOwn(userId, first.id)).toBe(true)
      expect(await store().accessTokens.deleteOwn(userId, first.id)).toBe(false)
      expect(await store().accessTokens.listOwn(userId)).toEqual([second])
    })

    it('never moves the last use back', async () => {
      const { hash } = await create(await newOwner(store()))
      await store().accessTokens.touch(hash, 500)
      await store().accessTokens.touch(hash, 400)
      expect((await store().accessTokens.findByHash(hash))?.lastUsedAt).toBe(500)
    })

    it('deletes by name, by owner and by age', async () => {
      const [ann, ben] = [await newOwner(store()), await newOwner(store())]
      const unnamed = await create(ann, { name: '' })
      const named = await create(ann)
      const old = await create(ben, { expiresAt: 100 })
      const lasting = await create(ben, { expiresAt: 101 })
      await store().accessTokens.deleteNamed(ann, '')
      await store().accessTokens.deleteExpired(100)
      const left = await Promise.all(
        [unnamed, named, old, lasting].map(({ hash }) => store().accessTokens.findByHash(hash)),
      )
      expect(left.map((token) => token?.id)).toEqual([undefined, named.id, undefined, lasting.id])
      await store().accessTokens.deleteOfUsers([ann, ben])
      expect(await store().accessTokens.listOwn(ann)).toEqual([])
      expect(await store().accessTokens.listOwn(ben)).toEqual([])
    })
  })
}

function securityEventContract(store: () => Store): void {
  const firstPage = { offset: 0, limit: 10 }
  const append = (fields: Partial<SecurityEvent>) =>
    store().securityEvents.append({
      createdAt: 1000,
      userId: 0,
      username: 'ann',
      kind: 'login',
      detail: 'password',
      address: '192.0.2.1',
      userAgent: 'Browser/1.0',
      ...fields,
    })

  describe('SecurityEventRepository', () => {
    it('gives those of some users, newest first, by each filter', async () => {
      const [ann, ben] = [await newOwner(store()), await newOwner(store())]
      await append({ userId: ann })
      await append({ userId: ann, kind: 'logout', createdAt: 2000 })
      await append({ userId: ben, address: '2001:db8::1', createdAt: 3000 })
      const page = async (filter: Parameters<Store['securityEvents']['page']>[0]) => {
        const { rows, total } = await store().securityEvents.page(
          { userIds: [ann, ben], ...filter },
          firstPage,
        )
        expect(total).toBe(rows.length)
        return rows.map(({ createdAt }) => createdAt)
      }
      expect(await page({})).toEqual([3000, 2000, 1000])
      expect(await page({ userIds: [ann] })).toEqual([2000, 1000])
      expect(await page({ userIds: [] })).toEqual([])
      expect(await page({ kind: 'logout' })).toEqual([2000])
      expect(await page({ address: '2001:db8::1' })).toEqual([3000])
      expect(await page({ from: 2000 })).toEqual([3000, 2000])
      expect(await page({ to: 2000 })).toEqual([2000, 1000])
    })

    it('gives them in batches too, and forgets the old', async () => {
      const userId = await newOwner(store())
      for (const createdAt of [10, 20, 30]) await append({ userId, createdAt })
      const batch = async (before: number) => store().securityEvents.batch({ userIds: [userId] }, before, 2)
      const first = await batch(Number.MAX_SAFE_INTEGER)
      expect(first.map(({ createdAt }) => createdAt)).toEqual([30, 20])
      const second = await batch(first.at(-1)?.id ?? 0)
      expect(second.map(({ createdAt }) => createdAt)).toEqual([10])
      await store().securityEvents.deleteBefore(30)
      expect((await batch(Number.MAX_SAFE_INTEGER)).map(({ createdAt }) => createdAt)).toEqual([30])
    })
  })
}
