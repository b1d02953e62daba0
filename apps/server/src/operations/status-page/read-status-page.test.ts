import { describe, expect, it } from 'bun:test'
import { buildSnapshot } from '../../channels/routing/channel-snapshot.ts'
import { routedChannel } from '../../channels/test-support/routed-channel.ts'
import { settingsInMemory } from '../../settings/test-support/settings-in-memory.ts'
import type { PublicIncidentRow } from '../../store/work/public-incidents.ts'
import { createStatusPage } from './read-status-page.ts'

const now = Date.UTC(2026, 10, 29, 12) / 1000
const visitor = { groups: new Set(['default']), acceptsUnpriced: false, isVisitor: true }
const utc = { utc_offset: 0 }

const published: PublicIncidentRow = {
  id: 1,
  title: 'Slow',
  models: [],
  updates: [{ at: now, state: 'investigating', text: 'We are looking.' }],
  startedAt: now,
  endedAt: 0,
  published: true,
  incidentId: 0,
}

async function withPage(rows: readonly PublicIncidentRow[] = []) {
  const reads: number[] = []
  let [at, running] = [now, 0]
  const cooling = new Set<number>()
  const page = createStatusPage({
    attemptCounts: {
      async callSteps({ starts }) {
        reads.push(starts.length)
        const isDays = starts.length > 1
        running += isDays ? 1 : 0
        if (isDays) expect(running).toBe(1)
        await Bun.sleep(1)
        running -= isDays ? 1 : 0
        return [{ step: starts.length - 1, model: 'gpt-4o', outcome: 'ok', count: 50 }]
      },
    },
    publicIncidents: { listPublished: async () => [...rows] },
    writeAttempts: async () => {},
    settings: await settingsInMemory({ GroupRatio: '{"default":1,"staff":1}' }),
    directory: {
      snapshot: buildSnapshot(
        [
          routedChannel({ id: 1, models: new Set(['gpt-4o', 'home-made']), groups: ['default'] }),
          routedChannel({ id: 2, models: new Set(['gpt-4.1']), groups: ['staff'] }),
          routedChannel({ id: 3, models: new Set(['o3']), groups: ['default'], status: 'auto-disabled' }),
          routedChannel({ id: 4, models: new Set(['o1']), groups: ['default'], status: 'disabled' }),
        ],
        [],
      ),
    },
    health: { cooldownMs: (id) => (cooling.has(id) ? 1000 : 0) },
    clock: { now: () => at * 1000 },
  })
  return { page, reads, cooling, pass: (seconds: number) => (at += seconds) }
}

describe('the status page', () => {
  it('has the models of the price list, and those whose channels the gateway took out', async () => {
    const { page, cooling } = await withPage()
    const read = async () =>
      (await page.read(visitor, utc)).models.map(({ model_name, state }) => [model_name, state])
    expect(await read()).toEqual([
      ['gpt-4o', 'operational'],
      ['o3', 'outage'],
    ])
    cooling.add(1)
    expect((await read())[0]).toEqual(['gpt-4o', 'outage'])
  })

  it('has thirty days of the reader, the last of them today', async () => {
    const { page } = await withPage()
    const { days, models } = await page.read(visitor, { utc_offset: 0, time_zone: 'Asia/Kolkata' })
    expect(days).toHaveLength(30)
    expect(new Date((days.at(-1) ?? 0) * 1000).toISOString()).toBe('2026-11-28T18:30:00.000Z')
    expect(models[0]?.days.slice(-2)).toEqual([null, 1])
  })

  it('reads the counts of a clock once in ten minutes, one clock after the other', async () => {
    const { page, reads, pass } = await withPage()
    await Promise.all([page.read(visitor, utc), page.read(visitor, utc)])
    expect(reads.toSorted()).toEqual([1, 30])
    const zones = [330, 345, 0].map((utc_offset) => page.read(visitor, { utc_offset }))
    await Promise.all(zones)
    pass(599)
    await page.read(visitor, utc)
    expect(reads.filter((steps) => steps === 30)).toHaveLength(3)
    pass(1)
    await page.read(visitor, utc)
    expect(reads.filter((steps) => steps === 30)).toHaveLength(4)
  })

  it('names no model that the reader does not see or no channel has, and no incident of such models alone', async () => {
    const { page } = await withPage([
      { ...published, id: 1, models: ['gpt-4.1'] },
      { ...published, id: 2, models: ['gpt-4.1', 'gpt-4o', 'gone'] },
      { ...published, id: 3 },
      { ...published, id: 4, models: ['gone'] },
    ])
    const seen = [
      [2, ['gpt-4o']],
      [3, []],
    ]
    const rows = [(await page.read(visitor, utc)).incidents, await page.incidentsFor(visitor)]
    for (const incidents of rows) expect(incidents.map(({ id, models }) => [id, models])).toEqual(seen)
    const staff = { ...visitor, groups: new Set(['staff']) }
    expect((await page.read(staff, utc)).incidents.map(({ id }) => id)).toEqual([1, 2, 3])
  })
})
