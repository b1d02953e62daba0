import { describe, expect, it } from 'bun:test'
import type { Store } from '../../store.ts'
import type { NewStoredResponse } from '../stored-responses.ts'

const now = 1_750_000_000
const owner = { userId: 41, tokenId: 7 }

function storedResponse(id: string, change: Partial<NewStoredResponse> = {}): NewStoredResponse {
  return {
    ...owner,
    id,
    previousId: '',
    sealed: `sealed ${id}`,
    bytes: 100,
    createdAt: now,
    expiresAt: now + 3600,
    itemIds: [],
    ancestorIds: [],
    ...change,
  }
}

export function storedResponseContract(store: () => Store): void {
  const repository = () => store().storedResponses

  describe('StoredResponseRepository', () => {
    it('gives back what was stored, to its owner alone, until it expires', async () => {
      const { itemIds: _items, ancestorIds: _ancestors, ...stored } = storedResponse('resp_a')
      await repository().addAll([storedResponse('resp_a')])
      expect(await repository().findOwn(owner, 'resp_a', now)).toEqual(stored)
      expect(await repository().findOwn({ ...owner, userId: 42 }, 'resp_a', now)).toBeUndefined()
      expect(await repository().findOwn({ ...owner, tokenId: 8 }, 'resp_a', now)).toBeUndefined()
      expect(await repository().findOwn(owner, 'resp_a', now + 3600)).toBeUndefined()
      expect(await repository().listOwn(owner, ['resp_a', 'resp_none'], now)).toEqual([stored])
    })

    it('keeps the later of two with one id, and none that would have gone on from itself', async () => {
      await repository().addAll([
        storedResponse('resp_twice', { itemIds: ['msg_twice'] }),
        storedResponse('resp_twice', { sealed: 'later', itemIds: ['msg_twice'] }),
        storedResponse('resp_twice', {
          sealed: 'last',
          previousId: 'resp_twice',
          ancestorIds: ['resp_twice'],
        }),
      ])
      expect((await repository().findOwn(owner, 'resp_twice', now))?.sealed).toBe('later')
      expect(await repository().findOwnItems(owner, ['msg_twice'])).toEqual(
        new Map([['msg_twice', 'resp_twice']]),
      )
    })

    it('lets two owners have one id', async () => {
      const other = { userId: 43, tokenId: 9 }
      await repository().addAll([
        storedResponse('resp_shared'),
        storedResponse('resp_shared', { ...other, sealed: 'theirs' }),
      ])
      expect((await repository().findOwn(other, 'resp_shared', now))?.sealed).toBe('theirs')
      expect((await repository().findOwn(owner, 'resp_shared', now))?.sealed).toBe('sealed resp_shared')
    })

    it('lists a conversation from its first response on, and stores all of it as long as its last', async () => {
      await repository().addAll([
        storedResponse('resp_1', { expiresAt: now + 10 }),
        storedResponse('resp_2', { previousId: 'resp_1', ancestorIds: ['resp_1'], expiresAt: now + 20 }),
        storedResponse('resp_2b', { previousId: 'resp_1' }),
        storedResponse('resp_3', {
          previousId: 'resp_2',
          ancestorIds: ['resp_2', 'resp_1'],
          expiresAt: now + 30,
        }),
      ])
      const links = await repository().listOwnConversation(owner, 'resp_3', now + 29, 10)
      expect(links).toEqual([
        { id: 'resp_1', previousId: '', bytes: 100 },
        { id: 'resp_2', previousId: 'resp_1', bytes: 100 },
        { id: 'resp_3', previousId: 'resp_2', bytes: 100 },
      ])
      expect((await repository().listOwnConversation(owner, 'resp_3', now, 2)).map(({ id }) => id)).toEqual([
        'resp_2',
        'resp_3',
      ])
      expect(await repository().listOwnConversation({ ...owner, userId: 1 }, 'resp_3', now, 10)).toEqual([])
    })

    it('finds the response of an item until it is deleted', async () => {
      await repository().addAll([storedResponse('resp_items', { itemIds: ['msg_1', 'rs_1'] })])
      expect(await repository().findOwnItems(owner, ['rs_1', 'rs_none'])).toEqual(
        new Map([['rs_1', 'resp_items']]),
      )
      expect(await repository().findOwnItems({ ...owner, tokenId: 8 }, ['rs_1'])).toEqual(new Map())
      expect(await repository().deleteOwn({ ...owner, tokenId: 8 }, 'resp_items', now)).toBe(false)
      expect(await repository().deleteOwn(owner, 'resp_items', now)).toBe(true)
      expect(await repository().deleteOwn(owner, 'resp_items', now)).toBe(false)
      expect(await repository().findOwnItems(owner, ['rs_1'])).toEqual(new Map())
    })

    it('deletes the oldest of a user beyond a number or a size', async () => {
      const many = { userId: 44, tokenId: 1 }
      const ids = ['resp_m1', 'resp_m2', 'resp_m3', 'resp_m4']
      await repository().addAll(
        ids.map((id, index) => storedResponse(id, { ...many, createdAt: now + index })),
      )
      const left = async () => (await repository().listOwn(many, ids, now)).map(({ id }) => id).sort()
      await repository().trimUser(many.userId, { responses: 10, bytes: 400 })
      expect(await left()).toEqual(ids)
      await repository().trimUser(many.userId, { responses: 3, bytes: 1000 })
      expect(await left()).toEqual(['resp_m2', 'resp_m3', 'resp_m4'])
      await repository().trimUser(many.userId, { responses: 10, bytes: 150 })
      expect(await left()).toEqual(['resp_m4'])
    })

    it('deletes what has expired, so much at a time', async () => {
      const old = { expiresAt: 1000, createdAt: 1, itemIds: ['msg_old'] }
      await repository().addAll(['resp_o1', 'resp_o2', 'resp_o3'].map((id) => storedResponse(id, old)))
      expect(await repository().deleteExpired(1000, 2)).toBe(2)
      expect(await repository().deleteExpired(1000, 2)).toBe(1)
      expect(await repository().deleteExpired(1000, 2)).toBe(0)
      expect(await repository().findOwnItems(owner, ['msg_old'])).toEqual(new Map())
    })
  })
}
