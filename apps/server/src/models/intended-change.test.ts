import { describe, expect, it } from 'bun:test'
import type { ChannelStopsBody } from '@tollgate/api'
import { buildSnapshot } from '../channels/routing/channel-snapshot.ts'
import { routedChannel } from '../channels/test-support/routed-channel.ts'
import { settingsInMemory } from '../settings/test-support/settings-in-memory.ts'
import type { CallerQuery } from '../store/channels/read-attempt-counts.ts'
import { consequencesOf } from './intended-change.ts'

const options = {
  ModelRatio: '{"house":1,"other":1}',
  GroupRatio: '{"default":1,"vip":0.5}',
  UserUsableGroups: '{"default":"all","vip":"all"}',
}
const channels = [
  routedChannel({ id: 1, models: new Set(['house', 'other']), groups: ['default', 'vip'] }),
  routedChannel({ id: 2, models: new Set(['off']), groups: ['vip'], status: 'disabled' }),
]

/** Previews a change, and returns whose calls were counted for it. */
async function previewed(change: Partial<ChannelStopsBody>) {
  const queries: CallerQuery[] = []
  const stops = await consequencesOf(
    { ids: [], ...change },
    {
      settings: await settingsInMemory(options),
      directory: { snapshot: buildSnapshot(channels, []) },
      summaries: async () => [],
      recentAttempts: async () => new Map(),
      callers: async (query) => {
        queries.push(query)
        return { calls: 5, users: 2 }
      },
      wallClock: { now: () => 1_800_000_000_000 },
    },
  )
  return { stops, counted: queries.map(({ since: _since, ...query }) => query) }
}
const ofGroup = (settings: NonNullable<ChannelStopsBody['changed_group']>['settings']) =>
  previewed({ changed_group: { name: 'vip', settings } })
const inVip = { models: ['house', 'other'], groups: ['vip'] }

describe('a change of a price or a group', () => {
  it('counts the calls of the groups that reach the model, and none where nothing is charged otherwise', async () => {
    const { stops, counted } = await previewed({ price: { model_name: 'house', price: { input: 4 } } })
    expect(stops).toMatchObject({ charge_count: 4, model_count: 0, calls: 5, users: 2 })
    expect(counted).toMatchObject([{ groups: ['default', 'vip'], guestsOnly: false }])
    const same = await previewed({ price: { model_name: 'house', price: { input: 2 } } })
    expect([same.stops.calls, same.counted]).toEqual([0, []])
    const removed = await previewed({ price: { model_name: 'house', price: null } })
    expect(removed.stops.models).toEqual([{ model: 'house', groups: ['default', 'vip'] }])
  })

  it('counts the guests of a group that closes, and everybody in one whose ratio changes or that goes', async () => {
    expect((await ofGroup({ is_open: false })).counted).toEqual([{ ...inVip, guestsOnly: true }])
    expect((await ofGroup({ ratio: 2, is_open: false })).counted.at(-1)).toEqual({
      ...inVip,
      guestsOnly: false,
    })
    expect((await ofGroup(null)).counted).toEqual([{ ...inVip, guestsOnly: false }])
    expect((await ofGroup({ concurrency: 1 })).counted).toEqual([])
  })
})
