import { beforeAll, describe, expect, it } from 'bun:test'
import type { Channel } from '../../channels/channels.ts'
import { newChannel, unique } from '../../contract/samples.ts'
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
