import { beforeAll, describe, expect, it } from 'bun:test'
import type { Channel } from '../../channels/channels.ts'
import { newChannel, newToken, newUser, unique, withAccount } from '../../contract/samples.ts'
import type { Store } from '../../store.ts'

export function channelContract(store: () => Store): void {
  describe('ChannelRepository', () => {
    it('returns the created channel, without any outcome', async () => {
      const channel = newChannel({
        models: ['gpt-4o', 'a,b'],
        groups: ['default', 'vip'],
        baseUrlTrusted: true,
      })
      const created = await store().channels.create(channel)
      expect(created).toEqual({
        ...channel,
        id: created.id,
        usedQuota: 0,
        balance: 0,
        balanceUpdatedAt: 0,
        responseTimeMs: 0,
        testedAt: 0,
        testFailure: null,
        keyStates: [],
        statusReason: null,
      })
      expect(await store().channels.find(created.id)).toEqual(created)
    })

    it('writes only the fields of a change', async () => {
      const created = await store().channels.create(newChannel())
      const change = {
        status: 'auto-disabled',
        statusReason: { reason: 'no credit', at: 5 },
        keyStates: [{ index: 1, status: 'auto-disabled', reason: 'revoked', at: 4 }],
        balance: 12.5,
      } as const
      const changed = await store().channels.update(created.id, change)
      expect(changed).toEqual({ ...created, ...change })
      const enabled = { status: 'enabled', statusReason: null, keyStates: [] } as const
      expect(await store().channels.update(created.id, enabled)).toEqual({
        ...created,
        ...enabled,
        balance: 12.5,
      })
      expect(await store().channels.update(987_654, enabled)).toBeUndefined()
    })

    it('bounds a balance that is not a finite number', async () => {
      const { id } = await store().channels.create(newChannel())
      expect((await store().channels.update(id, { balance: Number.NaN }))?.balance).toBe(0)
      expect((await store().channels.update(id, { balance: 1e300 }))?.balance).toBe(Number.MAX_SAFE_INTEGER)
    })

    it('deletes once, and never gives the id to another', async () => {
      const { id } = await store().channels.create(newChannel())
      expect(await store().channels.delete(id)).toBe(true)
      expect(await store().channels.delete(id)).toBe(false)
      expect((await store().channels.create(newChannel())).id).toBeGreaterThan(id)
    })

    it('stores a reason as a code with parameters, beside its text', async () => {
      const { id } = await store().channels.create(newChannel())
      const reason = {
        reason: 'no credit',
        at: 5,
        code: 'quota',
        params: { status: 402, detail: 'no money' },
      }
      await store().channels.update(id, { statusReason: reason })
      const stored = (await store().channels.find(id))?.statusReason
      expect(stored).toEqual(reason)
      await store().channels.update(id, { statusReason: { reason: 'as before', at: 6 } })
      expect((await store().channels.find(id))?.statusReason).toEqual({ reason: 'as before', at: 6 })
    })

    describe('many at once', () => {
      const tag = unique('tag')
      let made: Channel[] = []
      const ids = (channels: readonly { readonly id: number }[]) => channels.map(({ id }) => id)

      beforeAll(async () => {
        const models = Array.from({ length: 20 }, (_, index) => `model-${index}`)
        made = await store().channels.createMany([
          newChannel({ tag, models, priority: 3 }),
          newChannel({ tag, groups: ['default', 'vip'] }),
          newChannel(),
        ])
      })

      it('are created in the order given, more of them than one statement takes', async () => {
        expect(ids(made)).toEqual(ids(made).toSorted((a, b) => a - b))
        const many = await store().channels.createMany(
          Array.from({ length: 1100 }, (_, weight) => newChannel({ weight })),
        )
        expect(many.map(({ weight }) => weight)).toEqual(Array.from({ length: 1100 }, (_, weight) => weight))
        expect(await store().channels.deleteMany(ids(many))).toHaveLength(1100)
        expect(await store().channels.createMany([])).toEqual([])
      })

      it('are listed by ids, by tag, and all of them in short', async () => {
        const [first, second, third] = made
        const { channels } = store()
        expect(await channels.listByIds([...ids(made).reverse(), 987_654])).toEqual(made)
        expect(await channels.listByIds([])).toEqual([])
        expect(await channels.listByTag(tag)).toEqual([first, second] as Channel[])
        const all = await channels.listAll()
        const summaries = await channels.listSummaries()
        expect(ids(summaries)).toEqual(ids(all))
        expect(ids(await channels.listSummaries({ tag }))).toEqual(ids(made).slice(0, 2))
        expect(ids(await channels.listSummaries({ tag, ids: ids(made).slice(1) }))).toEqual([second?.id ?? 0])
        expect(await channels.listSummaries({ ids: [] })).toEqual([])
        expect(summaries.find(({ id }) => id === third?.id)).toEqual({
          id: third?.id ?? 0,
          type: 1,
          name: third?.name ?? '',
          status: 'enabled',
          keyCount: 2,
          keyStates: [],
          statusReason: null,
          groups: ['default'],
          priority: 0,
          weight: 0,
          tag: '',
          usedQuota: 0,
          balance: 0,
          responseTimeMs: 0,
        })
      })

      it('take the same change, and no other channel does', async () => {
        const { channels } = store()
        const [first, second, third] = made
        await channels.updateMany([first?.id ?? 0, 987_654], { priority: 0, status: 'disabled' })
        await channels.updateMany([third?.id ?? 0], {})
        await channels.updateMany([], { weight: 9 })
        expect(await channels.listByIds(ids(made))).toEqual([
          { ...first, priority: 0, status: 'disabled' },
          second,
          third,
        ] as Channel[])
      })

      it('are deleted with their outcomes, and the existing ids are returned', async () => {
        const { channels, channelOutcomes } = store()
        const [first, second] = ids(await channels.createMany([newChannel(), newChannel()]))
        const outcome = { lastSuccessAt: 1, lastFailureAt: 0, failureCode: '', failureParams: {} }
        await channelOutcomes.save([{ channelId: first ?? 0, ...outcome }])
        const gone = await channels.deleteMany([first ?? 0, second ?? 0, 987_654])
        expect(gone.toSorted((a, b) => a - b)).toEqual([first ?? 0, second ?? 0])
        expect((await channelOutcomes.listAll()).map(({ channelId }) => channelId)).not.toContain(first ?? 0)
      })

      it('are changed by what they are then: of many who decide at once, one does', async () => {
        const { channels } = store()
        const { id } = await channels.create(newChannel())
        const disable = () =>
          channels.decide(id, ({ status }) =>
            status === 'enabled'
              ? { change: { status: 'auto-disabled' as const }, why: 'refused' }
              : undefined,
          )
        const made = (await Promise.all([disable(), disable(), disable()])).filter((one) => one !== undefined)
        expect(made).toMatchObject([
          { decision: { why: 'refused' }, changed: { id, status: 'auto-disabled' } },
        ])
        expect(await channels.decide(987_654, () => ({ change: {} }))).toBeUndefined()
      })

      it('are locked until the transaction ends: who waits reads what it wrote, and nobody waits in a circle', async () => {
        const made = await store().channels.createMany([newChannel({ weight: 0 }), newChannel({ weight: 0 })])
        const both = ids(made)
        const add = (locked: readonly number[]) =>
          store().transaction(async ({ channels }) => {
            expect(await channels.lock({ ids: [...locked, 987_654] })).toEqual(both)
            for (const { id, weight } of await channels.listByIds(both))
              await channels.update(id, { weight: weight + 1 })
          })
        await Promise.all([add(both), add(both.toReversed()), add(both), add(both.toReversed())])
        expect((await store().channels.listByIds(both)).map(({ weight }) => weight)).toEqual([4, 4])
        expect(await store().channels.lock({ tag: unique('nobody') })).toEqual([])
      })

      it('need no repair, except for outcomes of deleted channels', async () => {
        const { channels, channelOutcomes } = store()
        expect(await channels.repair()).toBe(0)
        const outcome = { lastSuccessAt: 1, lastFailureAt: 0, failureCode: '', failureParams: {} }
        await channelOutcomes.save([{ channelId: 987_654, ...outcome }])
        expect(await channels.repair()).toBe(1)
        expect(await channels.repair()).toBe(0)
      })
    })
  })

  describe('ChannelOutcomeRepository', () => {
    it('stores the latest of each channel', async () => {
      const { channels, channelOutcomes } = store()
      const { id: channelId } = await channels.create(newChannel())
      const outcome = {
        channelId,
        lastSuccessAt: 0,
        lastFailureAt: 7,
        failureCode: 'overloaded',
        failureParams: { status: 503, model: 'ü' },
      }
      const stored = async () =>
        (await channelOutcomes.listAll()).filter((one) => one.channelId === channelId)
      await channelOutcomes.save([])
      await channelOutcomes.save([outcome])
      expect(await stored()).toEqual([outcome])
      const later = { ...outcome, lastSuccessAt: 9, failureCode: '', failureParams: {} }
      await channelOutcomes.save([later])
      expect(await stored()).toEqual([later])
    })

    it('keeps the later success and the later failure of what two nodes have seen', async () => {
      const { channels, channelOutcomes } = store()
      const { id: channelId } = await channels.create(newChannel())
      const failure = { failureCode: 'overloaded', failureParams: { status: 503 } }
      await channelOutcomes.save([{ channelId, lastSuccessAt: 3, lastFailureAt: 7, ...failure }])
      const older = { failureCode: 'timeout', failureParams: {} }
      await channelOutcomes.save([{ channelId, lastSuccessAt: 9, lastFailureAt: 5, ...older }])
      const found = (await channelOutcomes.listAll()).filter((one) => one.channelId === channelId)
      expect(found).toEqual([{ channelId, lastSuccessAt: 9, lastFailureAt: 7, ...failure }])
    })
  })
}

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

  describe('AuditLogRepository', () => {
    const record = (change: object = {}) => ({
      createdAt: 10,
      actorId: 1,
      actorName: 'root',
      actorRole: 'root' as const,
      address: '192.0.2.1',
      action: 'user.update' as const,
      targetKind: 'user' as const,
      targetId: 5,
      targetName: 'ann',
      before: '{"group":"default"}',
      after: '{"group":"vip"}',
      ...change,
    })

    it('returns the records, newest first, by any filter, with the total', async () => {
      const { auditLog } = store()
      await auditLog.append([])
      await auditLog.append([record(), record({ createdAt: 11, actorId: 2, targetId: 6 })])
      await auditLog.append([record({ createdAt: 12, action: 'option.update', targetKind: 'option' })])
      const times = async (filter: object, page = { offset: 0, limit: 10 }) => {
        const { rows, total } = await auditLog.page(filter, page)
        return [total, rows.map(({ createdAt }) => createdAt)]
      }
      expect((await auditLog.page({ actorId: 2 }, { offset: 0, limit: 1 })).rows).toEqual([
        { id: expect.any(Number), reverts: 0, ...record({ createdAt: 11, actorId: 2, targetId: 6 }) },
      ])
      const [newest] = (await auditLog.page({}, { offset: 0, limit: 1 })).rows
      expect(await times({ id: newest?.id ?? 0 })).toEqual([1, [12]])
      expect(await times({ id: newest?.id ?? 0, exceptTargetKinds: ['option'] })).toEqual([0, []])
      expect(await times({})).toEqual([3, [12, 11, 10]])
      expect(await times({}, { offset: 1, limit: 1 })).toEqual([3, [11]])
      expect(await times({ action: 'option.update' })).toEqual([1, [12]])
      expect(await times({ targetKind: 'user', targetId: 5 })).toEqual([1, [10]])
      expect(await times({ exceptTargetKinds: ['option'] })).toEqual([2, [11, 10]])
      expect(await times({ from: 11, to: 11 })).toEqual([1, [11]])
    })

    it('has one record at most that takes another back, of those that come at once', async () => {
      const { auditLog } = store()
      await auditLog.append([record()])
      const [first] = (await auditLog.page({}, { offset: 0, limit: 1 })).rows
      if (first === undefined) throw new Error('the record is missing')
      expect(await auditLog.isOver(first, [])).toBe(false)
      const undo = record({ action: 'user.take-back-many', targetId: 9, reverts: first.id })
      const tries = await Promise.all([1, 2, 3].map(() => auditLog.append([undo, record({ targetId: 8 })])))
      expect(tries.filter(Boolean)).toHaveLength(1)
      expect(await auditLog.isOver(first, [])).toBe(true)
      const reverting = await auditLog.listReverting([first.id, first.id + 1])
      expect([...reverting.keys()]).toEqual([first.id])
    })

    it('finds an act of some kinds that followed on the same target, by its id or its name', async () => {
      const { auditLog } = store()
      const named = { targetKind: 'group' as const, targetId: 0, targetName: 'vip' }
      await auditLog.append([record(), record({ ...named, action: 'group.create' })])
      const [group, user] = (await auditLog.page({}, { offset: 0, limit: 2 })).rows
      if (user === undefined || group === undefined) throw new Error('the records are missing')
      await auditLog.append([
        record({ targetId: 6, action: 'user.promote' }),
        record({ ...named, targetName: 'other', action: 'group.remove' }),
      ])
      expect(await auditLog.isOver(user, ['user.promote'])).toBe(false)
      expect(await auditLog.isOver(group, ['group.remove'])).toBe(false)
      await auditLog.append([
        record({ action: 'user.promote' }),
        record({ ...named, action: 'group.remove' }),
      ])
      expect(await auditLog.isOver(user, ['user.promote'])).toBe(true)
      expect(await auditLog.isOver(user, ['user.demote'])).toBe(false)
      expect(await auditLog.isOver(group, ['group.remove', 'group.create'])).toBe(true)
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
