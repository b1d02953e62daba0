import { describe, expect, it } from 'bun:test'
import { rejection } from '../../contract/rejection.ts'
import { newUser, unique, withAccount } from '../../contract/samples.ts'
import { DuplicateError } from '../../errors.ts'
import type { Store } from '../../store.ts'
import { neverEnds } from '../one-time-secrets.ts'
import type { Passkey } from '../passkeys.ts'
import type { User } from '../users.ts'
import type { VerifiedAccount } from '../verified-account.ts'

/** Checks what sign-in stores beside the users themselves. */
export function signInContract(store: () => Store): void {
  identityContract(store)
  knownIdentityContract(store)
  ownSessionContract(store)
  secondFactorContract(store)
  passkeyContract(store)
}

async function newOwner(store: Store): Promise<number> {
  return (await store.users.create(newUser())).id
}

function identityContract(store: () => Store): void {
  describe('identities of users', () => {
    it('find their owner, also when that one is deleted, and an address whatever its case', async () => {
      const githubId = unique('github')
      const email = `${unique('Mixed')}@Example.com`
      const { id } = await store().users.create(newUser({ githubId, email }))
      const user = await store().users.update(id, { deletedAt: 9 })
      expect(await store().users.findByIdentity('githubId', githubId)).toEqual(user)
      expect(await store().users.findByIdentity('email', email.toLowerCase())).toEqual(user)
      expect(await store().users.findByOidcSubject(githubId, [''])).toBeUndefined()
      expect(await store().users.findByIdentity('wechatId', '')).toBeUndefined()
    })

    it('may be seen once, when that is asked', async () => {
      const seen = { purpose: 'seen', subject: unique('seen'), secretHash: '', data: '' }
      const put = () => store().oneTimeSecrets.putNew({ ...seen, createdAt: 10, expiresAt: 20 })
      const put8 = await Promise.all(Array.from({ length: 8 }, put))
      expect(put8.filter((isNew) => isNew)).toHaveLength(1)
    })

    it('are remembered within a bound, the oldest forgotten', async () => {
      const memory = { purpose: unique('memory'), secretHash: '', data: '', expiresAt: neverEnds }
      const remember = (subject: string, createdAt: number) =>
        store().oneTimeSecrets.remember({ ...memory, subject, createdAt }, 2)
      expect([await remember('a', 1), await remember('b', 2), await remember('a', 3)]).toEqual([
        true,
        true,
        false,
      ])
      expect([await remember('c', 2), await remember('b', 4)]).toEqual([true, false])
      expect(await remember('a', 1)).toBe(true)
      const left = await store().oneTimeSecrets.listOpen(memory.purpose, 9)
      expect(left.map(({ subject }) => subject)).toEqual(['b', 'a'])
    })
  })
}

function knownIdentityContract(store: () => Store): void {
  describe('OIDC subjects', () => {
    it('are one with their issuer: each issuer has its own', async () => {
      const oidcId = unique('subject')
      const one = await store().users.create(newUser({ oidcId, oidcIssuer: 'https://one.example' }))
      const two = await store().users.create(newUser({ oidcId, oidcIssuer: 'https://two.example' }))
      const find = async (...issuers: string[]) =>
        (await store().users.findByOidcSubject(oidcId, issuers))?.id
      expect(await find('https://two.example')).toBe(two.id)
      expect(await find('https://one.example', 'https://two.example')).toBe(one.id)
      expect(await find('https://two.example', 'https://one.example')).toBe(two.id)
      expect(await find('https://three.example')).toBeUndefined()
      expect(await find()).toBeUndefined()
      expect(await store().users.findByOidcSubject('', [''])).toBeUndefined()
      const again = newUser({ oidcId, oidcIssuer: 'https://two.example' })
      expect(await rejection(store().users.create(again))).toBeInstanceOf(DuplicateError)
    })
  })

  describe('KnownIdentityRepository', () => {
    it('notes a hash once, however many note it at once, in whatever order', async () => {
      const hashes = Array.from({ length: 4 }, () => unique('known'))
      const noted = await Promise.all(
        Array.from({ length: 8 }, (_, each) =>
          store().transaction((tx) =>
            tx.knownIdentities.note(each % 2 === 0 ? hashes : hashes.toReversed(), 5),
          ),
        ),
      )
      expect(noted.toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 4])
      expect(await store().knownIdentities.note([...hashes, unique('known')], 6)).toBe(1)
      expect(await store().knownIdentities.note([], 6)).toBe(0)
    })

    it('forgets what a transaction noted that came to nothing', async () => {
      const hash = unique('known')
      const failed = store().transaction(async (tx) => {
        await tx.knownIdentities.note([hash], 5)
        throw new Error('no account')
      })
      expect(await rejection(failed)).toBeInstanceOf(Error)
      expect(await store().knownIdentities.note([hash], 5)).toBe(1)
    })
  })

  describe('a locked user', () => {
    it('is another transaction’s when the first has ended', async () => {
      const { id } = await store().users.create(newUser({ githubId: unique('g'), wechatId: unique('w') }))
      const removeOne = (field: 'githubId' | 'wechatId') =>
        store().transaction(async (tx) => {
          const user = await tx.users.lock(id)
          if (user?.githubId === '' || user?.wechatId === '') return false
          await tx.users.update(id, { [field]: '' })
          return true
        })
      const removed = await Promise.all([removeOne('githubId'), removeOne('wechatId')])
      expect(removed.filter((isRemoved) => isRemoved)).toHaveLength(1)
      expect(await store().users.lock(987_654)).toBeUndefined()
    })
  })

  verifiedAccountContract(store)

  describe('a held share', () => {
    it('is taken once, and counts no further user', async () => {
      const { id: inviterId } = await store().users.create(newUser())
      const { id: inviteeId } = await store().users.create(newUser({ inviterId }))
      const share = { inviterId, quota: 30 }
      await store().users.addPendingInviterBonus(inviteeId, share, 5)
      const taken = await Promise.all(
        Array.from({ length: 4 }, () => store().users.takePendingInviterBonus(inviteeId)),
      )
      expect(taken.filter((each) => each !== undefined)).toEqual([share])
      expect(await store().users.addInvitationQuota(inviterId, 30)).toBe(true)
      expect(await store().users.find(inviterId)).toMatchObject({ affCount: 0, affQuota: 30 })
    })
  })
}

function verifiedAccountContract(store: () => Store): void {
  const newAccount = () => store().users.create(newUser({ githubId: unique('g') }))
  const isAsItWas = async (user: User) =>
    (await store().transaction((tx) => tx.users.lockVerified(user))) !== undefined
  const hold = (user: User, work: (tx: Store, account: VerifiedAccount) => Promise<unknown>) =>
    withAccount(store(), user.id, work)
  const factor = { secretSealed: 'sealed', lastStep: 0, createdAt: 0 }
  const passkey = { publicKey: '', counter: 0, transports: [], name: '', createdAt: 0, lastUsedAt: 0 }

  /** Changes of what opens an account, each with its name. */
  const changes: Readonly<Record<string, (user: User) => Promise<unknown>>> = {
    'a new password': ({ id }) => store().users.update(id, { passwordHash: 'new' }),
    'a ban': ({ id }) => store().users.updateBelow([id], 'root', { status: 'banned' }),
    async 'a ban and its end'({ id }) {
      await store().users.updateBelow([id], 'root', { status: 'banned' })
      await store().users.updateBelow([id], 'root', { status: 'enabled' })
    },
    'a closed account': ({ id }) => store().users.update(id, { deletedAt: 1 }),
    'an identity less': ({ id }) => store().users.update(id, { githubId: '' }),
    'another address': ({ id }) => store().users.update(id, { email: `${unique('a')}@example.com` }),
    'the end of all sessions': ({ id }) => store().sessions.deleteOfUsers([id]),
    'the end of other sessions': ({ id }) => store().sessions.deleteOfUser(id, 'this'),
    'a new second factor': (user) =>
      hold(user, (tx, account) => tx.secondFactors.create(account, factor, [])),
    'new recovery codes': (user) =>
      hold(user, (tx, account) => tx.secondFactors.replaceRecoveryCodes(account, ['code'])),
    'a second factor less': ({ id }) => store().secondFactors.delete(id),
    'a passkey less': ({ id }) => store().passkeys.deleteOwn(id, 1),
    'the end of log-ins in flight': ({ id }) => store().users.raiseCredentialsVersion([id]),
  }

  describe('a verified account', () => {
    it.each(Object.entries(changes))('is not as it was after %s', async (_, change) => {
      const user = await newAccount()
      expect(await isAsItWas(user)).toBe(true)
      await change(user)
      expect(await isAsItWas(user)).toBe(false)
    })

    it('is as it was after what changes nothing of that', async () => {
      const user = await newAccount()
      const { id } = user
      await store().users.update(id, {
        displayName: 'Ben',
        passwordHash: user.passwordHash,
        status: 'enabled',
      })
      await store().users.updateBelow([id], 'root', { deletedAt: null })
      await hold(user, (tx, account) =>
        tx.passkeys.create(account, { ...passkey, credentialId: unique('credential') }),
      )
      expect(await isAsItWas(user)).toBe(true)
      expect((await store().users.find(id))?.credentialsVersion).toBe(0)
    })

    it('has a hash of another kind after a rehash, and the log-ins in flight see it', async () => {
      const user = await newAccount()
      await hold(user, (tx, account) => tx.users.rehashPassword(account, 'another'))
      expect(await isAsItWas(user)).toBe(false)
      expect(await isAsItWas({ ...user, passwordHash: 'another' })).toBe(true)
    })

    it('is another transaction’s when the first has ended', async () => {
      const user = await newAccount()
      const replace = (passwordHash: string) =>
        store().transaction(async (tx) => {
          const account = await tx.users.lockVerified(user)
          if (account !== undefined) await tx.users.update(account.id, { passwordHash })
          return account !== undefined
        })
      const replaced = await Promise.all(['one', 'two', 'three', 'four'].map(replace))
      expect(replaced.filter(Boolean)).toHaveLength(1)
    })

    it('is worth nothing outside of its transaction', async () => {
      const user = await newAccount()
      const session = { createdAt: 1, expiresAt: 9, userAgent: '', address: '', lastSeenAt: 1, provenAt: 1 }
      let retained: VerifiedAccount | undefined
      await hold(user, async (_, account) => {
        retained = account
      })
      const late = hold(user, async (tx) => {
        if (retained !== undefined) await tx.sessions.create(retained, { ...session, idHash: unique('s') })
      })
      expect(await rejection(late)).toBeInstanceOf(Error)
      expect(await rejection(store().users.lockVerified(user))).toBeInstanceOf(Error)
    })
  })
}

function ownSessionContract(store: () => Store): void {
  describe('sessions of one user', () => {
    const sessionsOf = async (userId: number, ...hashes: string[]) => {
      for (const [index, hash] of hashes.entries()) {
        const session = {
          idHash: hash,
          createdAt: 10,
          expiresAt: 100,
          userAgent: 'Browser',
          address: '192.0.2.1',
          lastSeenAt: 10 + index,
          provenAt: 10,
        }
        await withAccount(store(), userId, (tx, account) => tx.sessions.create(account, session))
      }
    }
    const hash = (start: string) => start + unique('').padStart(60, '0').replace(/\D/g, '0')

    it('say when their owner logged in last', async () => {
      const owner = await newOwner(store())
      await sessionsOf(owner, hash('f0'))
      expect((await store().users.find(owner))?.lastLoginAt).toBe(10)
    })

    it('are listed last seen first, without those that expired', async () => {
      const userId = await newOwner(store())
      const [one, two, three] = [hash('a'), hash('b'), hash('c')]
      await sessionsOf(userId, one, two, three)
      await store().sessions.touch(one, 50)
      await store().sessions.touch(two, 5)
      const listed = await store().sessions.listOwn(userId, 99, 10)
      expect(listed.map(({ idHash, lastSeenAt }) => [idHash, lastSeenAt])).toEqual([
        [one, 50],
        [three, 12],
        [two, 11],
      ])
      expect(await store().sessions.listOwn(userId, 99, 2)).toHaveLength(2)
      expect(await store().sessions.listOwn(userId, 100, 10)).toEqual([])
    })

    it('are ended by their start, by their owner alone', async () => {
      const userId = await newOwner(store())
      const [one, two] = [hash('d1'), hash('d2')]
      await sessionsOf(userId, one, two)
      expect(await store().sessions.deleteOwn(userId + 1, one.slice(0, 16))).toBe(false)
      expect(await store().sessions.deleteOwn(userId, one.slice(0, 16))).toBe(true)
      expect(await store().sessions.deleteOwn(userId, one.slice(0, 16))).toBe(false)
      expect(await store().sessions.find(one, 50)).toBeUndefined()
      expect(await store().sessions.find(two, 50)).toBeDefined()
    })

    it('are ended all but one', async () => {
      const userId = await newOwner(store())
      const [retained, one, two, others] = [hash('e1'), hash('e2'), hash('e3'), hash('e4')]
      await sessionsOf(userId, retained, one, two)
      await sessionsOf(await newOwner(store()), others)
      expect(await store().sessions.deleteOfUser(userId, retained)).toBe(2)
      expect((await store().sessions.listOwn(userId, 50, 10)).map(({ idHash }) => idHash)).toEqual([retained])
      expect(await store().sessions.find(others, 50)).toBeDefined()
    })
  })
}

function secondFactorContract(store: () => Store): void {
  describe('SecondFactorRepository', () => {
    const factor = { secretSealed: 'sealed', lastStep: 5, createdAt: 10 }
    const create = (userId: number, codes: readonly string[]) =>
      withAccount(store(), userId, (tx, account) => tx.secondFactors.create(account, factor, codes))
    const made = async (codes: readonly string[] = []) => {
      const userId = await newOwner(store())
      await create(userId, codes)
      return { ...factor, userId }
    }

    it('gives back what was created, once for each user', async () => {
      const factor = await made(['a', 'b'])
      const { userId } = factor
      expect(await store().secondFactors.find(userId)).toEqual(factor)
      expect(await store().secondFactors.countRecoveryCodes(userId)).toBe(2)
      expect(await rejection(create(userId, []))).toBeInstanceOf(DuplicateError)
      expect(await store().secondFactors.countRecoveryCodes(userId)).toBe(2)
    })

    it('lets a step be used once, however many try, and none before it', async () => {
      const { userId } = await made()
      const use = () => store().secondFactors.useStep(userId, 7)
      expect((await Promise.all(Array.from({ length: 8 }, use))).filter((used) => used)).toHaveLength(1)
      expect(await store().secondFactors.useStep(userId, 6)).toBe(false)
      expect(await store().secondFactors.useStep(userId, 8)).toBe(true)
    })

    it('counts tries within a window, until one succeeds', async () => {
      const { userId } = await made()
      const tried = async (now: number) =>
        (await store().secondFactors.countAttempt(userId, now, { max: 2, windowSeconds: 100 })) !== undefined
      expect([await tried(1000), await tried(1050), await tried(1099)]).toEqual([true, true, false])
      expect([await tried(1100), await tried(1101), await tried(1102)]).toEqual([true, true, false])
      await store().secondFactors.useStep(userId, 9)
      expect(await tried(1103)).toBe(true)
      expect(
        await store().secondFactors.countAttempt(987_654, 1, { max: 2, windowSeconds: 1 }),
      ).toBeUndefined()
    })

    it('lets a recovery code be used once, by its owner', async () => {
      const { userId } = await made(['code', 'other'])
      const stranger = await made(['code'])
      const use = () => store().secondFactors.useRecoveryCode(userId, 'code')
      expect((await Promise.all(Array.from({ length: 8 }, use))).filter((used) => used)).toHaveLength(1)
      await withAccount(store(), userId, (tx, account) =>
        tx.secondFactors.replaceRecoveryCodes(account, ['new']),
      )
      expect(await store().secondFactors.useRecoveryCode(userId, 'other')).toBe(false)
      expect(await store().secondFactors.useRecoveryCode(userId, 'new')).toBe(true)
      expect(await store().secondFactors.countRecoveryCodes(stranger.userId)).toBe(1)
    })

    it('goes with its codes', async () => {
      const { userId } = await made(['code'])
      await store().secondFactors.delete(userId)
      expect(await store().secondFactors.find(userId)).toBeUndefined()
      expect(await store().secondFactors.countRecoveryCodes(userId)).toBe(0)
    })
  })
}

function passkeyContract(store: () => Store): void {
  describe('PasskeyRepository', () => {
    const newPasskey = (change: Partial<Passkey> = {}) => ({
      credentialId: unique('credential'),
      publicKey: 'key',
      counter: 3,
      transports: ['internal', 'usb'],
      name: 'Läptop',
      createdAt: 10,
      lastUsedAt: 0,
      ...change,
    })
    const create = async (passkey = newPasskey(), userId?: number) =>
      withAccount(store(), userId ?? (await newOwner(store())), (tx, account) =>
        tx.passkeys.create(account, passkey),
      )

    it('gives back what was created; a credential is there once', async () => {
      const passkey = newPasskey()
      const userId = await newOwner(store())
      const created = await create(passkey, userId)
      expect(created).toEqual({ ...passkey, id: created.id, userId })
      expect(await store().passkeys.findByCredentialId(passkey.credentialId)).toEqual(created)
      expect(await store().passkeys.findByCredentialId('other')).toBeUndefined()
      const again = create(newPasskey({ credentialId: passkey.credentialId }))
      expect(await rejection(again)).toBeInstanceOf(DuplicateError)
    })

    it('is shown, renamed and deleted for its owner alone', async () => {
      const { id, userId } = await create()
      const second = await create(newPasskey(), userId)
      const stranger = await newOwner(store())
      expect(await store().passkeys.listOwn(stranger)).toEqual([])
      expect(await store().passkeys.renameOwn(stranger, id, 'mine')).toBeUndefined()
      expect(await store().passkeys.deleteOwn(stranger, id)).toBe(false)
      expect(await store().passkeys.renameOwn(userId, id, 'phone')).toMatchObject({ name: 'phone' })
      expect((await store().passkeys.listOwn(userId)).map((passkey) => passkey.id)).toEqual([id, second.id])
      expect(await store().passkeys.deleteOwn(userId, id)).toBe(true)
      expect(await store().passkeys.deleteOwn(userId, id)).toBe(false)
    })

    it('moves its counter on once, however many try', async () => {
      const { id, credentialId } = await create()
      const use = () => store().passkeys.markUsed(id, { before: 3, now: 4 }, 50)
      expect((await Promise.all(Array.from({ length: 8 }, use))).filter((used) => used)).toHaveLength(1)
      expect(await store().passkeys.findByCredentialId(credentialId)).toMatchObject({
        counter: 4,
        lastUsedAt: 50,
      })
    })
  })
}
