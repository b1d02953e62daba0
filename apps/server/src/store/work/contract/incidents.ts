import { describe, expect, it } from 'bun:test'
import type { Store } from '../../store.ts'
import { type IncidentRow, notAccepted } from '../incidents.ts'

const opened = {
  ...notAccepted,
  kind: 'channel',
  name: '',
  level: 3,
  members: ['7'],
  detail: { reason: { code: 'key_refused', params: { status: 401 } } },
  concerned: { models: [], users: [] },
  openedAt: 100,
  seenAt: 100,
  endedAt: 0,
  countedTo: 99,
  callsLost: 0,
  moneyLost: 0,
} as const satisfies Omit<IncidentRow, 'id' | 'subject'>

export function incidentContract(store: () => Store): void {
  describe('IncidentRepository', () => {
    const find = async (subject: string): Promise<IncidentRow> => {
      const rows = await store().incidents.listOpen()
      const found = rows.filter((row) => row.subject === subject)
      if (found.length !== 1 || found[0] === undefined) throw new Error(`${found.length} rows of ${subject}`)
      return found[0]
    }

    it('has one open row of a cause, however many nodes open it, and another one after its end', async () => {
      const { incidents } = store()
      const open = () => incidents.open({ ...opened, subject: 'twice' })
      await Promise.all([open(), open(), open()])
      const first = await find('twice')
      expect(first).toMatchObject({ ...opened, subject: 'twice' })
      expect(await incidents.observe(first, { endedAt: 150 })).toBe(true)
      await open()
      expect((await find('twice')).id).not.toBe(first.id)
      expect((await incidents.listEndedSince(150)).map(({ id }) => id)).toContain(first.id)
      await incidents.deleteEndedBefore(151)
      expect((await incidents.listEndedSince(0)).map(({ id }) => id)).not.toContain(first.id)
    })

    it('counts losses once, whoever counts', async () => {
      const { incidents } = store()
      await incidents.open({ ...opened, subject: 'counted' })
      const row = await find('counted')
      const count = () => incidents.observe(row, { callsLost: row.callsLost + 5, countedTo: 200 })
      expect((await Promise.all([count(), count()])).toSorted()).toEqual([false, true])
      expect((await find('counted')).callsLost).toBe(5)
    })

    it('lists by state, and ends an acceptance unless a later one has taken its place', async () => {
      const { incidents } = store()
      await incidents.open({ ...opened, subject: 'accepted', kind: 'account' })
      const { id } = await find('accepted')
      const stateAt = async (now: number) => {
        const states = (['open', 'quiet', 'ended'] as const).map(async (state) => {
          const filter = { kinds: ['account'] as const, state, now }
          return (await incidents.page(filter, { offset: 0, limit: 9 })).total === 1 ? [state] : []
        })
        return (await Promise.all(states)).flat()
      }
      expect(await stateAt(100)).toEqual(['open'])
      const snooze = (acceptedAt: number) =>
        store().transaction(async (tx) => {
          expect((await tx.incidents.lock(id))?.id).toBe(id)
          await tx.incidents.setAcceptance(id, { ...notAccepted, acceptedAt, acceptedUntil: 300 })
        })
      await snooze(100)
      expect([await stateAt(299), await stateAt(300)]).toEqual([['quiet'], ['open']])
      await snooze(120)
      await incidents.endAcceptance({ id, acceptedAt: 100 })
      expect(await stateAt(200)).toEqual(['quiet'])
      await incidents.endAcceptance({ id, acceptedAt: 120 })
      expect(await stateAt(200)).toEqual(['open'])
    })
  })
}
