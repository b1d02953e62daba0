import { describe, expect, it } from 'bun:test'
import { unique } from '../../contract/samples.ts'
import type { Store } from '../../store.ts'

const minute = 60_000

export function leaseContract(store: () => Store): void {
  describe('LeaseRepository', () => {
    const take = async (names: readonly string[], holder: string, ttlMs = minute) =>
      (await store().leases.take(names, holder, ttlMs)).map(({ name }) => name).toSorted()

    it('has one holder until it expires, who may prolong it', async () => {
      const name = unique('lease')
      expect(await take([name], 'a', 300)).toEqual([name])
      expect(await take([name], 'b')).toEqual([])
      expect(await take([name], 'a', 300)).toEqual([name])
      await Bun.sleep(400)
      expect(await take([name], 'b')).toEqual([name])
      expect(await take([name], 'a')).toEqual([])
    })

    it('is given up by its holder alone', async () => {
      const name = unique('lease')
      await take([name], 'a')
      await store().leases.give([name], 'b')
      expect(await take([name], 'b')).toEqual([])
      await store().leases.give([name], 'a')
      expect(await take([name], 'b')).toEqual([name])
    })

    it('goes to one of many concurrent requests, each of several to one', async () => {
      const names = [unique('lease'), unique('lease'), unique('lease')]
      const asking = Array.from({ length: 8 }, (_, index) =>
        take(index % 2 === 0 ? names : names.toReversed(), `${index}`),
      )
      expect((await Promise.all(asking)).flat().toSorted()).toEqual(names.toSorted())
    })

    it('tells its next holder how long ago the work was done', async () => {
      const name = unique('lease')
      const { leases } = store()
      expect(await leases.take([name], 'a', minute)).toEqual([{ name, sinceRunMs: undefined }])
      await leases.noteRun(name, 'b')
      await leases.noteRun(name, 'a')
      await Bun.sleep(50)
      await leases.give([name], 'a')
      const [taken] = await leases.take([name], 'b', minute)
      expect(taken?.sinceRunMs).toBeGreaterThanOrEqual(40)
      expect(taken?.sinceRunMs).toBeLessThan(10_000)
    })
  })
}
