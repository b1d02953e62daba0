import { describe, expect, it } from 'bun:test'
import type { TokenStatus } from '@tollgate/api'
import { rejection } from '../../contract/rejection.ts'
import { newToken, newUser, unique } from '../../contract/samples.ts'
import { DuplicateError } from '../../errors.ts'
import type { Store } from '../../store.ts'
import type { NewToken, TokenFilter, TokenPage } from '../tokens.ts'

const firstPage: TokenPage = { offset: 0, limit: 10, sort: 'id', descending: true }

export function userContract(store: () => Store): void {
  describe('UserRepository', () => {
    it('returns the created user, without money', async () => {
      const user = newUser({ role: 'root', email: 'Ann@Example.com', setting: '{"a":"ü"}', inviterId: 7 })
      const created = await store().users.create(user)
      expect(created).toEqual({
        ...user,
        id: created.id,
        quota: 0,
        usedQuota: 0,
        requestCount: 0,
        lastLoginAt: 0,
        deletedAt: null,
        credentialsVersion: 0,
        adminParts: '',
        erasedAt: null,
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

    it('climbs an invitation chain to its start, past deleted accounts and up to root', async () => {
      const root = await store().users.create(newUser({ role: 'root' }))
      const chain = [await store().users.create(newUser({ inviterId: root.id }))]
      for (const inviter of chain) {
        if (chain.length === 5) break
        chain.push(await store().users.create(newUser({ inviterId: inviter.id })))
      }
      for (const id of [root.id, chain[2]?.id ?? 0]) await store().users.update(id, { deletedAt: 5 })
      for (const { id } of chain) expect(await store().users.chainStart(id)).toBe(chain[0]?.id ?? 0)
      expect(await store().users.chainStart(root.id)).toBe(root.id)
      expect(await store().users.chainStart(987_654)).toBeUndefined()
    })

    it('finds the oldest super admin who is not deleted', async () => {
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

    it('writes only the fields of a change', async () => {
      const created = await store().users.create(
        newUser({ displayName: 'Before', email: 'kept@example.com' }),
      )
      const changed = await store().users.update(created.id, { displayName: 'After', status: 'banned' })
      expect(changed).toEqual({ ...created, displayName: 'After', status: 'banned', credentialsVersion: 1 })
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

    it('gives an address to one user, also when that user is deleted', async () => {
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

    it('gives an identity and an invite code to one user', async () => {
      for (const field of ['githubId', 'oidcId', 'wechatId', 'telegramId', 'linuxDoId', 'affCode'] as const) {
        const value = unique(field)
        await store().users.create(newUser({ [field]: value }))
        expect(await rejection(store().users.create(newUser({ [field]: value })))).toBeInstanceOf(
          DuplicateError,
        )
      }
    })

    it('adds concurrent invitations up, for existing users', async () => {
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

    it('gives a user without an invite code one under concurrency, and never a taken one', async () => {
      const { id } = await store().users.create(newUser())
      const codes = await Promise.all(
        Array.from({ length: 8 }, () => store().users.ensureInviteCode(id, unique('code'))),
      )
      expect(new Set(codes)).toEqual(new Set([(await store().users.find(id))?.affCode]))
      const other = await store().users.create(newUser())
      expect(await rejection(store().users.ensureInviteCode(other.id, codes[0] ?? ''))).toBeInstanceOf(
        DuplicateError,
      )
      expect(await store().users.ensureInviteCode(987_654, 'code')).toBeUndefined()
    })

    it('takes no more than invitations have earned under concurrency', async () => {
      const { id } = await store().users.create(newUser({ affQuota: 250, affHistoryQuota: 250 }))
      const taken = await Promise.all(
        Array.from({ length: 8 }, () => store().users.takeInvitationQuota(id, 100)),
      )
      expect(taken.filter(Boolean)).toHaveLength(2)
      expect(await store().users.find(id)).toMatchObject({ affQuota: 50, affHistoryQuota: 250 })
      await store().users.update(id, { deletedAt: 9 })
      expect(await store().users.takeInvitationQuota(id, 1)).toBe(false)
    })

    it('accepts texts that a database cannot hold unchanged', async () => {
      const user = await store().users.create(newUser({ displayName: 'a\0b\ud800' }))
      expect(user.displayName).toBe('a\ufffdb\ufffd')
      expect(await store().users.findByLogin('\0')).toBeUndefined()
    })
  })
}

export function tokenContract(store: () => Store): void {
  describe('TokenRepository', () => {
    it('returns the created token, without money', async () => {
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
        frozenAt: null,
        freezeCause: '',
        freezeNote: '',
        statusBeforeFreeze: 'enabled',
      })
      expect(await store().tokens.find(created.id)).toEqual(created)
      expect((await store().tokens.listByKeyHashes([token.keyHash])).get(token.keyHash)).toEqual(created)
    })

    it('freezes a key, which no change of its owner enables, and gives it the switch that it had', async () => {
      const tokens = [await store().tokens.create(newToken(1)), await store().tokens.create(newToken(1))]
      const [on = 0, off = 0] = tokens.map(({ id }) => id)
      await store().tokens.changeOwn(1, [off], { status: 'disabled' })
      const freeze = { frozenAt: 5, freezeCause: 'leak', freezeNote: 'https://code.example' } as const
      for (const id of [on, off]) await store().tokens.freeze(id, freeze)
      expect(await store().tokens.find(on)).toMatchObject({ ...freeze, status: 'disabled' })
      expect(await store().tokens.changeOwn(1, [on, off], { status: 'enabled' })).toEqual([])
      for (const id of [on, off]) await store().tokens.unfreeze(id)
      const given = await Promise.all([on, off].map((id) => store().tokens.find(id)))
      expect(given.map((token) => [token?.status, token?.frozenAt, token?.freezeNote])).toEqual([
        ['enabled', null, ''],
        ['disabled', null, ''],
      ])
    })

    it('adds calls of a key by address, and forgets old addresses', async () => {
      const { id: tokenId } = await store().tokens.create(newToken(1))
      const { add, list, deleteBefore } = store().tokenAddresses
      const one = { tokenId, address: '192.0.2.1', calls: 2 }
      await add([
        { ...one, at: 20 },
        { ...one, address: '192.0.2.2', at: 10 },
      ])
      await Promise.all([add([{ ...one, at: 50 }]), add([{ ...one, at: 30 }])])
      const known = [{ ...one, calls: 6, firstSeenAt: 20, lastSeenAt: 50 }]
      expect(await list(tokenId, 11, 9)).toEqual(known)
      await deleteBefore(11)
      expect(await list(tokenId, 0, 9)).toEqual(known)
    })

    it('finds many by their keys, of all users', async () => {
      const made = [await store().tokens.create(newToken(1)), await store().tokens.create(newToken(2))]
      const found = await store().tokens.listByKeyHashes([...made.map(({ keyHash }) => keyHash), 'unknown'])
      expect(new Set(found.values())).toEqual(new Set(made))
      expect(await store().tokens.listByKeyHashes([])).toEqual(new Map())
    })

    it('refuses an existing key', async () => {
      const { keyHash } = await store().tokens.create(newToken(1))
      expect(await rejection(store().tokens.create(newToken(2, { keyHash })))).toBeInstanceOf(DuplicateError)
    })

    it('finds, changes and deletes an owner’s tokens for that owner alone', async () => {
      const { id: owner } = await store().users.create(newUser())
      const token = await store().tokens.create(newToken(owner))
      const stranger = owner + 1
      expect(await store().tokens.findOwn(stranger, token.id)).toBeUndefined()
      expect(await store().tokens.changeOwn(stranger, [token.id], { name: 'mine now' })).toEqual([])
      expect(await store().tokens.changeOwn(stranger, [token.id], {})).toEqual([])
      const nothing = { rows: [], total: 0 }
      expect(await store().tokens.pageOwn(stranger, {}, firstPage)).toEqual(nothing)
      expect(await store().tokens.pageOwn(stranger, { keyHash: token.keyHash }, firstPage)).toEqual(nothing)
      expect((await store().tokens.listOwnByIds(stranger, [token.id])).size).toBe(0)
      expect(await store().tokens.changeOwn(stranger, [token.id], { status: 'disabled' })).toEqual([])
      expect(await store().tokens.changeOwn(stranger, [token.id], { deletedAt: 5 })).toEqual([])
      expect(await store().tokens.findOwn(owner, token.id)).toEqual(token)
    })

    it('lists newest first, by page, with the total of all pages', async () => {
      const { id: owner } = await store().users.create(newUser())
      const ids: number[] = []
      for (let index = 0; index < 5; index += 1)
        ids.unshift((await store().tokens.create(newToken(owner))).id)
      const page = await store().tokens.pageOwn(owner, {}, { ...firstPage, offset: 1, limit: 3 })
      expect(page.rows.map((token) => token.id)).toEqual(ids.slice(1, 4))
      expect(page.total).toBe(5)
    })

    it('sorts by every field either way, the newest first among equals', async () => {
      const { id: owner } = await store().users.create(newUser())
      const names = ['b', 'A', 'c', 'c']
      for (const [index, name] of names.entries())
        await store().tokens.create(
          newToken(owner, { name, createdAt: 100 - index, expiresAt: index === 0 ? null : index }),
        )
      const sorted = async (sort: TokenPage['sort'], descending: boolean) =>
        (await store().tokens.pageOwn(owner, {}, { ...firstPage, sort, descending })).rows
      expect((await sorted('name', false)).map(({ name }) => name)).toEqual(['A', 'b', 'c', 'c'])
      expect((await sorted('expiresAt', true)).map(({ expiresAt }) => expiresAt)).toEqual([null, 3, 2, 1])
      expect((await sorted('createdAt', false)).map(({ createdAt }) => createdAt)).toEqual([97, 98, 99, 100])
      for (const sort of ['remainQuota', 'usedQuota'] as const) {
        const ids = (await sorted(sort, false)).map(({ id }) => id)
        expect(ids).toEqual(ids.toSorted((a, b) => b - a))
      }
    })

    it('searches names for the very characters of the keyword', async () => {
      const { id: owner } = await store().users.create(newUser())
      for (const name of ['100%', '100 per cent', 'under_score', 'underscore', 'back\\slash', 'Mixed Case'])
        await store().tokens.create(newToken(owner, { name }))
      const names = async (keyword: string) =>
        (await store().tokens.pageOwn(owner, { keyword }, firstPage)).rows.map((token) => token.name)
      expect(await names('%')).toEqual(['100%'])
      expect(await names('_')).toEqual(['under_score'])
      expect(await names('\\')).toEqual(['back\\slash'])
      expect(await names('mixed')).toEqual(['Mixed Case'])
      expect(await names('100')).toEqual(['100 per cent', '100%'])
    })

    it('finds keys by name and hash together, and by the visible ends, case-sensitively', async () => {
      const { id: owner } = await store().users.create(newUser())
      const one = await store().tokens.create(
        newToken(owner, { name: 'alike', keyHead: 'aB%d', keyTail: 'wxYz' }),
      )
      await store().tokens.create(newToken(owner, { name: 'alike', keyHead: 'ab1d', keyTail: 'wxyz' }))
      await store().tokens.create(newToken(owner, { name: 'alike' }))
      const found = async (filter: TokenFilter) =>
        (await store().tokens.pageOwn(owner, filter, firstPage)).total
      expect(await found({ keyword: 'alike' })).toBe(3)
      expect(
        await store().tokens.pageOwn(owner, { keyword: 'alike', keyHash: one.keyHash }, firstPage),
      ).toEqual({
        rows: [one],
        total: 1,
      })
      expect(await found({ keyword: 'other', keyHash: one.keyHash })).toBe(0)
      expect(await found({ keyEnds: { head: 'aB', tail: '' } })).toBe(1)
      expect(await found({ keyEnds: { head: '', tail: 'Yz' } })).toBe(1)
      expect(await found({ keyEnds: { head: 'ab', tail: 'yz' } })).toBe(1)
      expect(await found({ keyEnds: { head: 'ab', tail: 'Yz' } })).toBe(0)
      expect(await found({ keyEnds: { head: 'yz', tail: 'yz', or: true } })).toBe(1)
      expect(await found({ keyEnds: { head: '%', tail: '%', or: true } })).toBe(0)
    })

    it('finds keys by the displayed status: an expired or exhausted key counts as such', async () => {
      const { id: owner } = await store().users.create(newUser())
      const at = 1000
      const make = async (name: string, change: Partial<NewToken>) =>
        (await store().tokens.create(newToken(owner, { name, unlimitedQuota: true, ...change }))).id
      await make('usable', {})
      await make('usable until now', { expiresAt: at })
      await make('switched off', { status: 'disabled', expiresAt: 1 })
      await make('over', { expiresAt: at - 1 })
      await make('empty', { unlimitedQuota: false })
      await make('empty and over', { unlimitedQuota: false, expiresAt: 1 })
      const names = async (visible: TokenStatus) =>
        (await store().tokens.pageOwn(owner, { status: { visible, at } }, firstPage)).rows.map(
          ({ name }) => name,
        )
      expect(await names('enabled')).toEqual(['usable until now', 'usable'])
      expect(await names('disabled')).toEqual(['switched off'])
      expect(await names('expired')).toEqual(['empty and over', 'over'])
      expect(await names('exhausted')).toEqual(['empty'])
    })

    it('changes and deletes many at once, and ignores missing ones', async () => {
      const { id: owner } = await store().users.create(newUser())
      const [one, two] = [
        await store().tokens.create(newToken(owner)),
        await store().tokens.create(newToken(owner)),
      ]
      const { changeOwn, listOwnByIds } = store().tokens
      const foreign = (await store().tokens.create(newToken(owner + 1))).id
      expect((await changeOwn(owner, [one.id, two.id, foreign], { status: 'disabled' })).toSorted()).toEqual(
        [one.id, two.id].toSorted(),
      )
      expect((await store().tokens.find(foreign))?.status).toBe('enabled')
      expect(await changeOwn(owner, [one.id, 987_654], { deletedAt: 77 })).toEqual([one.id])
      expect(await changeOwn(owner, [one.id], { deletedAt: 78 })).toEqual([])
      expect((await store().tokens.find(one.id))?.deletedAt).toBe(77)
      expect([...(await listOwnByIds(owner, [one.id, two.id, foreign])).keys()]).toEqual([two.id])
      expect(await changeOwn(owner, [], { status: 'enabled' })).toEqual([])
    })

    it('writes only the fields of a change', async () => {
      const created = await store().tokens.create(newToken(1, { expiresAt: 77, modelLimits: ['a'] }))
      const { changeOwn, find } = store().tokens
      expect(await changeOwn(1, [created.id], {})).toEqual([created.id])
      expect(await find(created.id)).toEqual(created)
      await changeOwn(1, [created.id], { expiresAt: null, unlimitedQuota: true })
      expect(await find(created.id)).toEqual({ ...created, expiresAt: null, unlimitedQuota: true })
    })

    it('hides a deleted token from owner and relay, and deletes it once', async () => {
      const { id, keyHash } = await store().tokens.create(newToken(1))
      expect(await store().tokens.changeOwn(1, [id], { deletedAt: 1234 })).toEqual([id])
      expect(await store().tokens.changeOwn(1, [id], { deletedAt: 1235 })).toEqual([])
      expect((await store().tokens.listByKeyHashes([keyHash])).get(keyHash)).toBeUndefined()
      expect(await store().tokens.findOwn(1, id)).toBeUndefined()
      expect(await store().tokens.changeOwn(1, [id], { name: 'back' })).toEqual([])
      expect((await store().tokens.find(id))?.deletedAt).toBe(1234)
    })
  })
}
