import { beforeAll, describe, expect, it } from 'bun:test'
import { newChannel } from '../../contract/samples.ts'
import type { Store } from '../../store.ts'

const times = { offAt: 0, onAt: 0, setBy: 1, setAt: 5 }

/** Checks planned switches of channels and of their keys, which are left as they were found. */
export function switchContract(store: () => Store): void {
  let one: number
  let other: number
  beforeAll(async () => {
    const [first, second] = await store().channels.createMany([newChannel(), newChannel()])
    if (first === undefined || second === undefined) throw new Error('no channels were created')
    one = first.id
    other = second.id
  })

  describe('ChannelSwitchRepository', () => {
    it('has one plan for a channel, lists it once one of its times has come, and ends it with the channel', async () => {
      const { channelSwitches: plans, channels } = store()
      const [gone] = await channels.createMany([newChannel()])
      const channelId = gone?.id ?? 0
      await plans.put({ ...times, channelId, offAt: 100 })
      await plans.put({ ...times, channelId, offAt: 300, onAt: 400 })
      await plans.put({ ...times, channelId: one, onAt: 200 })
      expect(await plans.find(channelId)).toEqual({ ...times, channelId, offAt: 300, onAt: 400 })
      expect(await plans.listDue(199)).toEqual([])
      expect(await plans.listDue(300)).toEqual([one, channelId])
      await plans.delete(one)
      expect(await plans.listDue(300)).toEqual([channelId])
      await channels.delete(channelId)
      expect(await plans.listAll()).toEqual([])
    })
  })

  describe('ChannelKeySwitchRepository', () => {
    it('has one plan for each key, whatever other channels plan for a key of the same name', async () => {
      const { channelKeySwitches: plans } = store()
      const [a, b] = [
        { ...times, channelId: one, keyId: 'a', offAt: 100 },
        { ...times, channelId: one, keyId: 'b', onAt: 100 },
      ]
      const same = { ...a, channelId: other, offAt: 900 }
      for (const plan of [b, same, { ...a, offAt: 50 }, a]) await plans.put(plan)
      expect(await plans.listByChannel(one)).toEqual([a, b])
      expect(await plans.listAll()).toEqual([a, b, same])
      await plans.delete(a)
      expect(await plans.listAll()).toEqual([b, same])
      await plans.delete({ channelId: other, keyId: 'b' })
      expect(await plans.listAll()).toEqual([b, same])
    })

    it('lists each channel once whose keys have a time that has come, and ends plans with their channel', async () => {
      const { channelKeySwitches: plans, channels } = store()
      await plans.put({ ...times, channelId: one, keyId: 'c', offAt: 20, onAt: 950 })
      expect(await plans.listDue(19)).toEqual([])
      expect(await plans.listDue(100)).toEqual([one])
      expect(await plans.listDue(900)).toEqual([one, other])
      await channels.delete(one)
      expect((await plans.listAll()).map(({ channelId }) => channelId)).toEqual([other])
      await channels.delete(other)
      expect(await plans.listAll()).toEqual([])
    })

    it('writes nothing of a transaction that fails', async () => {
      const { channelKeySwitches: plans } = store()
      const failing = store().transaction(async (tx) => {
        await tx.channelKeySwitches.put({ ...times, channelId: 1, keyId: 'a', offAt: 1 })
        throw new Error('undone')
      })
      await expect(failing).rejects.toThrow('undone')
      expect(await plans.listAll()).toEqual([])
    })
  })
}
