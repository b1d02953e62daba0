import { describe, expect, it } from 'bun:test'
import type { Store } from '../store.ts'
import { unique } from './samples.ts'

export function leaseContract(store: () => Store): void {
  describe('LeaseRepository', () => {
    it('has one holder until it expires, who may prolong it', async () => {
      const name = unique('lease')
      const { leases } = store()
      expect(await leases.take({ name, holder: 'a', expiresMs: 100 }, 0)).toBe(true)
      expect(await leases.take({ name, holder: 'b', expiresMs: 150 }, 50)).toBe(false)
      expect(await leases.take({ name, holder: 'a', expiresMs: 200 }, 90)).toBe(true)
      expect(await leases.take({ name, holder: 'b', expiresMs: 250 }, 150)).toBe(false)
      expect(await leases.take({ name, holder: 'b', expiresMs: 300 }, 200)).toBe(true)
      expect(await leases.take({ name, holder: 'a', expiresMs: 400 }, 210)).toBe(false)
    })

    it('is given up by its holder alone', async () => {
      const name = unique('lease')
      const { leases } = store()
      await leases.take({ name, holder: 'a', expiresMs: 100 }, 0)
      await leases.give(name, 'b')
      expect(await leases.take({ name, holder: 'b', expiresMs: 150 }, 50)).toBe(false)
      await leases.give(name, 'a')
      expect(await leases.take({ name, holder: 'b', expiresMs: 150 }, 50)).toBe(true)
    })

    it('goes to one of many concurrent requests', async () => {
      const name = unique('lease')
      const asking = Array.from({ length: 8 }, (_, index) =>
        store().leases.take({ name, holder: `${index}`, expiresMs: 100 }, 0),
      )
      expect((await Promise.all(asking)).filter((taken) => taken)).toHaveLength(1)
    })
  })
}
