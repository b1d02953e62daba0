import { describe, expect, it } from 'bun:test'
import type { Store } from '../../store.ts'
import type { AttemptCount } from '../attempt-counts.ts'

const hour = 1_700_000_000 - (1_700_000_000 % 3600)
const row: AttemptCount = {
  step: 3600,
  kind: 'channel',
  startsAt: hour,
  id: 1,
  model: 'gpt-4o',
  outcome: 'upstream',
  count: 2,
  ms: 0,
}

export function attemptCountContract(store: () => Store): void {
  describe('AttemptCountRepository', () => {
    it('adds what several nodes counted, and sums it by channel and by model', async () => {
      const minute = { ...row, step: 60, startsAt: hour + 60 }
      const ok = { outcome: 'ok', count: 3, ms: 90 } as const
      // What a program of before counted as refused before any attempt.
      const refused = { ...row, id: 0, model: 'none' }
      const node = [minute, { ...minute, ...ok }, row, { ...row, ...ok }, refused]
      await Promise.all([store().attemptCounts.add(node), store().attemptCounts.add(node.toReversed())])
      const recent = await store().attemptCounts.byChannel(hour)
      expect(recent.toSorted((a, b) => a.count - b.count)).toEqual([
        { channelId: 1, outcome: 'upstream', count: 4, ms: 0 },
        { channelId: 1, outcome: 'ok', count: 6, ms: 180 },
      ])
      expect(await store().attemptCounts.byChannel(hour + 120)).toEqual([])
      const all = await store().attemptCounts.atChannels(hour, hour + 3600)
      const figures = all.map(({ channelId, model, outcome, count }) => [channelId, model, outcome, count])
      expect(figures.toSorted()).toEqual([
        [1, 'gpt-4o', 'ok', 6],
        [1, 'gpt-4o', 'upstream', 4],
      ])
      expect(all.every(({ isToday }) => !isToday)).toBe(true)
    })

    it('has the calls of one user, today apart from before, and those of everybody', async () => {
      const of = { ...row, kind: 'user-calls', id: 7 } as const
      const all = { ...of, kind: 'calls', id: 0, outcome: 'broken' } as const
      await store().attemptCounts.add([
        of,
        { ...of, startsAt: hour + 7200, outcome: 'balance', count: 5 },
        { ...of, id: 8 },
        all,
      ])
      const found = await store().attemptCounts.callsOfUser(hour, hour + 3600, 7)
      expect(found.toSorted((a, b) => a.count - b.count)).toEqual([
        { model: 'gpt-4o', outcome: 'upstream', isToday: false, count: 2 },
        { model: 'gpt-4o', outcome: 'balance', isToday: true, count: 5 },
      ])
      expect(await store().attemptCounts.calls(hour, hour)).toEqual([
        { model: 'gpt-4o', outcome: 'broken', isToday: true, count: 2 },
      ])
      expect(await store().attemptCounts.callsOfUser(hour + 10_800, hour, 7)).toEqual([])
    })

    it('has the calls of everybody by step, also where a step begins within an hour', async () => {
      const of = { ...row, kind: 'calls', id: 0, model: 'stepped', outcome: 'ok' } as const
      await store().attemptCounts.add([of, { ...of, startsAt: hour + 900, count: 5 }])
      const stepsOf = async (starts: readonly number[]) =>
        (await store().attemptCounts.callSteps({ from: hour, end: hour + 3600, starts }))
          .filter(({ model }) => model === 'stepped')
          .toSorted((a, b) => a.step - b.step)
      expect(await stepsOf([hour])).toEqual([{ step: 0, model: 'stepped', outcome: 'ok', count: 7 }])
      expect((await stepsOf([hour, hour + 900])).map(({ step, count }) => [step, count])).toEqual([
        [0, 2],
        [1, 5],
      ])
    })

    it('has the calls with one key apart from those of a user with the same number', async () => {
      await store().attemptCounts.add([
        { ...row, kind: 'token-calls', id: 7, model: '', outcome: 'limit', count: 9 },
      ])
      expect(await store().attemptCounts.callsOfToken(hour, hour + 3600, 7)).toEqual([
        { model: '', outcome: 'limit', isToday: false, count: 9 },
      ])
      const ofUser = await store().attemptCounts.callsOfUser(hour, hour + 3600, 7)
      expect(ofUser.map(({ outcome }) => outcome)).not.toContain('limit')
      expect(await store().attemptCounts.callsOfToken(hour, hour, 8)).toEqual([])
    })

    it('deletes minutes and keeps hours', async () => {
      await store().attemptCounts.deleteMinutesBefore(hour + 3600)
      expect(await store().attemptCounts.byChannel(0)).toEqual([])
      expect((await store().attemptCounts.atChannels(hour, hour)).length).toBe(2)
    })
  })
}
