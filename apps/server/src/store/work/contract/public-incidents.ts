import { describe, expect, it } from 'bun:test'
import type { Store } from '../../store.ts'
import type { PublicIncidentRow } from '../public-incidents.ts'

const published: Omit<PublicIncidentRow, 'id'> = {
  title: 'Slow responses',
  models: ['gpt-4o', 'a,b'],
  updates: [{ at: 100, state: 'investigating', text: 'We are looking.\nMore follows.' }],
  startedAt: 100,
  endedAt: 0,
  published: true,
  incidentId: 0,
}

export function publicIncidentContract(store: () => Store): void {
  describe('PublicIncidentRepository', () => {
    const add = async (incident: Partial<PublicIncidentRow>) => {
      const id = await store().publicIncidents.add({ ...published, ...incident })
      if (id === undefined) throw new Error('there is one of this cause')
      return id
    }

    it('shows what lasts and what ended lately, in its order, and nothing that was taken off', async () => {
      const lasting = await add({ startedAt: 900 })
      const ended = await add({ startedAt: 950, endedAt: 960 })
      const old = await add({ startedAt: 10, endedAt: 20 })
      const off = await add({ published: false })
      const { publicIncidents } = store()
      const listed = (await publicIncidents.listPublished(500, 10)).map(({ id }) => id)
      expect(listed.filter((id) => [lasting, ended, old, off].includes(id))).toEqual([lasting, ended])
      expect((await publicIncidents.listPublished(500, 1)).map(({ id }) => id)).toEqual([lasting])
      const idsOf = async (state?: 'open' | 'ended') =>
        (await publicIncidents.page({ state }, { offset: 0, limit: 99 })).rows.map(({ id }) => id)
      expect(await idsOf('ended')).toEqual([ended, old])
      expect((await idsOf()).toSorted()).toEqual([lasting, ended, old, off].toSorted())
    })

    it('publishes a cause once, and incidents without a cause any number of times', async () => {
      const { publicIncidents } = store()
      const ids = await Promise.all([1, 2, 3].map(() => publicIncidents.add({ ...published, incidentId: 7 })))
      expect(ids.filter((id) => id !== undefined)).toHaveLength(1)
      expect(await add({})).not.toBe(await add({}))
    })

    it('keeps every update of two at once, behind its lock', async () => {
      const id = await add({ incidentId: 8 })
      const append = (text: string) =>
        store().transaction(async (tx) => {
          const row = await tx.publicIncidents.lock(id)
          const update = { at: 200, state: 'resolved', text } as const
          const updates = [...(row?.updates ?? []), update]
          expect(await tx.publicIncidents.change(id, { updates, endedAt: 200 })).toBe(true)
        })
      await Promise.all([append('one'), append('two')])
      const row = await store().transaction((tx) => tx.publicIncidents.lock(id))
      expect(row?.updates.map(({ text }) => text).toSorted()).toEqual(
        [published.updates[0]?.text, 'one', 'two'].toSorted() as string[],
      )
      expect(row).toMatchObject({ models: published.models, endedAt: 200, incidentId: 8, published: true })
    })
  })
}
