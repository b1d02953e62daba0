import { describe, expect, it } from 'bun:test'
import { DuplicateError, type Store } from '../store.ts'
import { rejection } from './rejection.ts'
import { newToken, newUser, unique } from './samples.ts'

export function userContract(store: () => Store): void {
  describe('UserRepository', () => {
    it('gives back what was created, with no money', async () => {
      const user = newUser({ role: 'root', email: 'Ann@Example.com', setting: '{"a":"ü"}', inviterId: 7 })
      const created = await store().users.create(user)
      expect(created).toEqual({
        ...user,
        id: created.id,
        quota: 0,
        usedQuota: 0,
        requestCount: 0,
        deletedAt: null,
      })
      expect(await store().users.find(created.id)).toEqual(created)
    })

    it('finds many at once, deleted ones included', async () => {
      const { id } = await store().users.create(newUser())
      const other = await store().users.create(newUser())
      const deleted = await store().users.update(id, { deletedAt: 5 })
      const found = await store().users.listByIds([other.id, 987_654, id])
      expect([...found].toSorted(([a], [b]) => a - b)).toEqual([
        [id, deleted as typeof other],
        [other.id, other],
      ])
      expect((await store().users.listByIds([])).size).toBe(0)
    })

    it('finds the super admin who was there first and is not deleted', async () => {
      const gone = await store().users.create(newUser({ role: 'root' }))
      const next = await store().users.create(newUser({ role: 'root' }))
      const first = await store().users.findFirstRoot()
      expect(first).toMatchObject({ role: 'root', deletedAt: null })
      expect(first?.id).toBeLessThanOrEqual(gone.id)
      await store().users.update(first?.id ?? 0, { deletedAt: 5 })
      await store().users.update(gone.id, { deletedAt: 5 })
      expect((await store().users.findFirstRoot())?.id).toBe(next.id)
    })

    it('refuses a taken username, also of a deleted user and when renaming', async () => {
      const { id, username } = await store().users.create(newUser())
      await store().users.update(id, { deletedAt: 5 })
      expect(await rejection(store().users.create(newUser({ username })))).toBeInstanceOf(DuplicateError)
      const other = await store().users.create(newUser())
      expect(await rejection(store().users.update(other.id, { username }))).toBeInstanceOf(DuplicateError)
    })

    it('writes only what a change names', async () => {
      const created = await store().users.create(
        newUser({ displayName: 'Before', email: 'kept@example.com' }),
      )
      const changed = await store().users.update(created.id, { displayName: 'After', status: 'banned' })
      expect(changed).toEqual({ ...created, displayName: 'After', status: 'banned' })
      expect(await store().users.update(created.id, {})).toEqual(changed)
      expect(await store().users.update(987_654, { displayName: 'nobody' })).toBeUndefined()
    })

    it('finds by username before e-mail, and by e-mail whatever its case', async () => {
      const email = `${unique('Mail')}@Example.com`
      const byMail = await store().users.create(newUser({ email }))
      expect(await store().users.findByLogin(email.toUpperCase())).toEqual(byMail)
      const byName = await store().users.create(newUser({ username: email }))
      expect(await store().users.findByLogin(email)).toEqual(byName)
    })

    it('keeps an address for one user, also when that user is deleted', async () => {
      const email = `${unique('Shared')}@example.com`
      const one = await store().users.create(newUser({ email }))
      const again = newUser({ email: email.toLowerCase() })
      expect(await rejection(store().users.create(again))).toBeInstanceOf(DuplicateError)
      await store().users.update(one.id, { deletedAt: 9 })
      expect(await rejection(store().users.create(again))).toBeInstanceOf(DuplicateError)
      expect(await store().users.findByLogin(email)).toBeUndefined()
      expect(await store().users.findByLogin(one.username)).toBeUndefined()
      expect(await store().users.findByLogin('')).toBeUndefined()
      expect((await store().users.find(one.id))?.deletedAt).toBe(9)
      expect(await store().users.idsByUsername(one.username)).toEqual([one.id])
    })

    it('keeps an identity and an invite code for one user', async () => {
      for (const field of ['githubId', 'oidcId', 'wechatId', 'telegramId', 'linuxDoId', 'affCode'] as const) {
        const value = unique(field)
        await store().users.create(newUser({ [field]: value }))
        expect(await rejection(store().users.create(newUser({ [field]: value })))).toBeInstanceOf(
          DuplicateError,
        )
      }
    })

    it('adds invitations up, however many come at once, to users who are there', async () => {
      const { id } = await store().users.create(newUser({ affQuota: 5, affHistoryQuota: 7 }))
      await Promise.all(Array.from({ length: 8 }, () => store().users.addInvitation(id, 100)))
      expect(await store().users.find(id)).toMatchObject({
        affCount: 8,
        affQuota: 805,
        affHistoryQuota: 807,
      })
      await store().users.update(id, { deletedAt: 9 })
      expect(await store().users.addInvitation(id, 1)).toBe(false)
      expect(await store().users.addInvitation(987_654, 1)).toBe(false)
    })

    it('finds by access token while the user is there; one token has one owner, none has many', async () => {
      const accessTokenHash = unique('access')
      const user = await store().users.create(newUser({ accessTokenHash }))
      expect(await store().users.findByAccessTokenHash(accessTokenHash)).toEqual(user)
      expect(await store().users.findByAccessTokenHash('')).toBeUndefined()
      expect(await rejection(store().users.create(newUser({ accessTokenHash })))).toBeInstanceOf(
        DuplicateError,
      )
      await store().users.update(user.id, { deletedAt: 1 })
      expect(await store().users.findByAccessTokenHash(accessTokenHash)).toBeUndefined()
    })

    it('takes texts that a database cannot hold as they are', async () => {
      const user = await store().users.create(newUser({ displayName: 'a\0b\ud800' }))
      expect(user.displayName).toBe('a\ufffdb\ufffd')
      expect(await store().users.findByLogin('\0')).toBeUndefined()
    })
  })
}

export function tokenContract(store: () => Store): void {
  describe('TokenRepository', () => {
    it('gives back what was created, with no money', async () => {
      const token = newToken(1, {
        expiresAt: 4_102_444_800,
        modelLimitsEnabled: true,
        modelLimits: ['gpt-4o', 'a,b'],
        allowIps: '10.0.0.0/8\n::1',
      })
      const created = await store().tokens.create(token)
      expect(created).toEqual({
        ...token,
        id: created.id,
        remainQuota: 0,
        usedQuota: 0,
        accessedAt: token.createdAt,
        deletedAt: null,
      })
      expect(await store().tokens.find(created.id)).toEqual(created)
      expect((await store().tokens.listByKeyHashes([token.keyHash])).get(token.keyHash)).toEqual(created)
    })

    it('finds many by their keys, whoever owns them', async () => {
      const made = [await store().tokens.create(newToken(1)), await store().tokens.create(newToken(2))]
      const found = await store().tokens.listByKeyHashes([...made.map(({ keyHash }) => keyHash), 'unknown'])
      expect(new Set(found.values())).toEqual(new Set(made))
      expect(await store().tokens.listByKeyHashes([])).toEqual(new Map())
    })

    it('refuses a key that is there already', async () => {
      const { keyHash } = await store().tokens.create(newToken(1))
      expect(await rejection(store().tokens.create(newToken(2, { keyHash })))).toBeInstanceOf(DuplicateError)
    })

    it('shows, changes and deletes an owner’s tokens for that owner alone', async () => {
      const { id: owner } = await store().users.create(newUser())
      const token = await store().tokens.create(newToken(owner))
      const stranger = owner + 1
      expect(await store().tokens.findOwn(stranger, token.id)).toBeUndefined()
      expect(await store().tokens.updateOwn(stranger, token.id, { name: 'mine now' })).toBeUndefined()
      expect(await store().tokens.updateOwn(stranger, token.id, {})).toBeUndefined()
      expect(await store().tokens.deleteOwn(stranger, token.id, 5)).toBe(false)
      expect(await store().tokens.listOwn(stranger, { offset: 0, limit: 10 })).toEqual([])
      expect(await store().tokens.searchOwn(stranger, { keyHash: token.keyHash, limit: 10 })).toEqual([])
      expect(await store().tokens.findOwn(owner, token.id)).toEqual(token)
    })

    it('lists newest first, by page', async () => {
      const { id: owner } = await store().users.create(newUser())
      const ids: number[] = []
      for (let index = 0; index < 5; index += 1)
        ids.unshift((await store().tokens.create(newToken(owner))).id)
      const page = await store().tokens.listOwn(owner, { offset: 1, limit: 3 })
      expect(page.map((token) => token.id)).toEqual(ids.slice(1, 4))
    })

    it('searches names for the very characters of the keyword', async () => {
      const { id: owner } = await store().users.create(newUser())
      for (const name of ['100%', '100 per cent', 'under_score', 'underscore', 'back\\slash', 'Mixed Case'])
        await store().tokens.create(newToken(owner, { name }))
      const names = async (keyword: string) =>
        (await store().tokens.searchOwn(owner, { keyword, limit: 100 })).map((token) => token.name)
      expect(await names('%')).toEqual(['100%'])
      expect(await names('_')).toEqual(['under_score'])
      expect(await names('\\')).toEqual(['back\\slash'])
      expect(await names('mixed')).toEqual(['Mixed Case'])
      expect(await names('100')).toEqual(['100 per cent', '100%'])
    })

    it('searches by name and key together, at most as many as asked', async () => {
      const { id: owner } = await store().users.create(newUser())
      const [one] = await Promise.all([
        store().tokens.create(newToken(owner, { name: 'alike' })),
        store().tokens.create(newToken(owner, { name: 'alike' })),
      ])
      const search = store().tokens.searchOwn
      expect(await search(owner, { keyword: 'alike', limit: 1 })).toHaveLength(1)
      expect(await search(owner, { keyword: 'alike', keyHash: one.keyHash, limit: 9 })).toEqual([one])
      expect(await search(owner, { keyword: 'other', keyHash: one.keyHash, limit: 9 })).toEqual([])
    })

    it('writes only what a change names', async () => {
      const created = await store().tokens.create(newToken(1, { expiresAt: 77, modelLimits: ['a'] }))
      const changed = await store().tokens.updateOwn(1, created.id, { expiresAt: null, unlimitedQuota: true })
      expect(changed).toEqual({ ...created, expiresAt: null, unlimitedQuota: true })
    })

    it('marks spent only what is enabled', async () => {
      const { id } = await store().tokens.create(newToken(1))
      await store().tokens.markSpent(id, 'exhausted')
      await store().tokens.markSpent(id, 'expired')
      expect((await store().tokens.find(id))?.status).toBe('exhausted')
    })

    it('hides a deleted token from owner and relay, and deletes it once', async () => {
      const { id, keyHash } = await store().tokens.create(newToken(1))
      expect(await store().tokens.deleteOwn(1, id, 1234)).toBe(true)
      expect(await store().tokens.deleteOwn(1, id, 1235)).toBe(false)
      expect((await store().tokens.listByKeyHashes([keyHash])).get(keyHash)).toBeUndefined()
      expect(await store().tokens.findOwn(1, id)).toBeUndefined()
      expect(await store().tokens.updateOwn(1, id, { name: 'back' })).toBeUndefined()
      expect((await store().tokens.find(id))?.deletedAt).toBe(1234)
    })
  })
}
