import { beforeAll, describe, expect, it } from 'bun:test'
import type { Channel } from '../entities.ts'
import type { Store } from '../store.ts'
import { newChannel, unique } from './samples.ts'

export function channelContract(store: () => Store): void {
  describe('ChannelRepository', () => {
    it('gives back what was created, with nothing learned yet', async () => {
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
        keyStates: [],
        statusReason: null,
      })
      expect(await store().channels.find(created.id)).toEqual(created)
    })

    it('writes only what a change names', async () => {
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

    it('keeps a balance that is not a number of this world', async () => {
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

    describe('lists and searches', () => {
      let made: Channel[] = []
      const group = unique('group')

      beforeAll(async () => {
        made = []
        for (const change of [
          { priority: 0, name: 'Plain 1%', models: ['gpt-4o'] },
          { priority: 9, name: 'first', models: ['claude-opus', 'gpt-4o-mini'] },
          { priority: 9, name: 'second', models: ['o3'] },
        ])
          made.push(await store().channels.create(newChannel({ ...change, groups: [group, 'shared'] })))
      })
      const ids = (channels: readonly Channel[]) => channels.map((channel) => channel.id)
      const numbers = (...places: number[]) => places.map((place) => made[place]?.id ?? 0)

      it('by priority then id, or by id, newest first', async () => {
        const inGroup = { group, byId: false }
        expect(ids(await store().channels.search(inGroup))).toEqual(numbers(2, 1, 0))
        expect(ids(await store().channels.search({ group, byId: true }))).toEqual(numbers(2, 1, 0))
        await store().channels.update(made[0]?.id ?? 0, { priority: 10 })
        expect(ids(await store().channels.search(inGroup))).toEqual(numbers(0, 2, 1))
        const all = await store().channels.listAll()
        const page = await store().channels.list({ offset: 1, limit: 2, byId: true })
        expect(ids(page)).toEqual(ids(all).reverse().slice(1, 3))
      })

      it('by id or part of the name', async () => {
        const search = (keyword: string) => store().channels.search({ keyword, group, byId: true })
        expect(ids(await search('plain'))).toEqual(numbers(0))
        expect(ids(await search('1%'))).toEqual(numbers(0))
        expect(ids(await search(String(made[1]?.id)))).toContain(made[1]?.id ?? 0)
        expect(await search('__')).toEqual([])
      })

      it('by the very characters of a model or group, whatever its JSON text holds', async () => {
        const odd = unique('odd')
        const models = ['100%', 'under_score', 'back\\slash', 'quo"ted', 'a,b', '[x]', 'nul\0', '\ud800']
        for (const model of models)
          await store().channels.create(newChannel({ models: ['plain', model], groups: [odd, `${odd}"g`] }))
        const found = async (model: string) =>
          (await store().channels.search({ model, group: odd, byId: true })).map(
            ({ models: [, name] }) => name,
          )
        expect(await found('[')).toEqual(['[x]'])
        expect(await found('%')).toEqual(['100%'])
        expect(await found('_')).toEqual(['under_score'])
        expect(await found('\\')).toEqual(['back\\slash'])
        expect(await found('"')).toEqual(['quo"ted'])
        expect(await found(',')).toEqual(['a,b'])
        expect(await found('","')).toEqual([])
        expect(await found('PLAIN')).toHaveLength(models.length)
        const inGroup = (group: string) => store().channels.search({ group, byId: true })
        expect(await inGroup(`${odd}"g`)).toHaveLength(models.length)
        expect(await inGroup(`g`)).toEqual([])
      })

      it('by part of a model, and by a whole group to the letter', async () => {
        const search = store().channels.search
        expect(ids(await search({ model: 'gpt-4o', group, byId: true }))).toEqual(numbers(1, 0))
        expect(await search({ group: group.slice(0, -1), byId: true })).toEqual([])
        expect(await search({ group: group.toUpperCase(), byId: true })).toEqual([])
      })
    })
  })
}

export function smallTableContract(store: () => Store): void {
  describe('OptionRepository', () => {
    it('keeps the last value of each key, in order of keys', async () => {
      await store().options.set('b', '1')
      await store().options.set('a', '{"x":"ü"}')
      await store().options.set('b', '2')
      expect(await store().options.listAll()).toEqual([
        { key: 'a', value: '{"x":"ü"}' },
        { key: 'b', value: '2' },
      ])
    })
  })

  describe('SessionRepository', () => {
    const session = { idHash: 'one', userId: 5, createdAt: 10, expiresAt: 20 }

    it('finds a session until it expires', async () => {
      await store().sessions.create(session)
      expect(await store().sessions.find('one', 19)).toEqual(session)
      expect(await store().sessions.find('one', 20)).toBeUndefined()
      expect(await store().sessions.find('other', 19)).toBeUndefined()
    })

    it('ends one session, all of a user, or all that expired', async () => {
      for (const idHash of ['two', 'three', 'four']) await store().sessions.create({ ...session, idHash })
      await store().sessions.create({ ...session, idHash: 'else', userId: 6 })
      await store().sessions.delete('two')
      expect(await store().sessions.find('two', 15)).toBeUndefined()
      expect(await store().sessions.find('three', 15)).toBeDefined()
      await store().sessions.deleteOfUser(5)
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

    it('is taken once, however many try, and by its own hash alone', async () => {
      const { oneTimeSecrets } = store()
      await oneTimeSecrets.put(secret)
      expect(await oneTimeSecrets.take(purpose, subject, 'other', 15)).toBeUndefined()
      expect(await oneTimeSecrets.take('other', subject, 'hash', 15)).toBeUndefined()
      expect(await oneTimeSecrets.take(purpose, subject, 'hash', 20)).toBeUndefined()
      const taken = await Promise.all(
        Array.from({ length: 8 }, () => oneTimeSecrets.take(purpose, subject, 'hash', 19)),
      )
      expect(taken.filter((one) => one !== undefined)).toEqual([{ ...secret, attempts: 0 }])
    })

    it('counts tries up to a limit, and a new one starts anew', async () => {
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

    it('gives back what was written, newest first, by any filter, with the total', async () => {
      const { auditLog } = store()
      await auditLog.append([])
      await auditLog.append([record(), record({ createdAt: 11, actorId: 2, targetId: 6 })])
      await auditLog.append([record({ createdAt: 12, action: 'option.update', targetKind: 'option' })])
      const times = async (filter: object, page = { offset: 0, limit: 10 }) => {
        const { rows, total } = await auditLog.page(filter, page)
        return [total, rows.map(({ createdAt }) => createdAt)]
      }
      expect((await auditLog.page({ actorId: 2 }, { offset: 0, limit: 1 })).rows).toEqual([
        { id: expect.any(Number), ...record({ createdAt: 11, actorId: 2, targetId: 6 }) },
      ])
      expect(await times({})).toEqual([3, [12, 11, 10]])
      expect(await times({}, { offset: 1, limit: 1 })).toEqual([3, [11]])
      expect(await times({ action: 'option.update' })).toEqual([1, [12]])
      expect(await times({ targetKind: 'user', targetId: 5 })).toEqual([1, [10]])
      expect(await times({ exceptTargetKind: 'option' })).toEqual([2, [11, 10]])
      expect(await times({ from: 11, to: 11 })).toEqual([1, [11]])
    })
  })

  describe('SetupRepository', () => {
    it('has one winner, however many try at once', async () => {
      expect(await store().setups.isDone()).toBe(false)
      const tries = await Promise.all(
        Array.from({ length: 8 }, (_, at) => store().setups.markDone('1.0', at)),
      )
      expect(tries.filter(Boolean)).toHaveLength(1)
      expect(await store().setups.isDone()).toBe(true)
    })
  })
}
