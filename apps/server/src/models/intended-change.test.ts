import { describe, expect, it } from 'bun:test'
import type { ChannelStopsBody } from '@tollgate/api'
import type { HealthView } from '../channels/health/health-types.ts'
import { keyIds } from '../channels/manage/channel-keys.ts'
import { buildSnapshot } from '../channels/routing/channel-snapshot.ts'
import { routedChannel } from '../channels/test-support/routed-channel.ts'
import { createVault } from '../lib/crypto.ts'
import { settingsInMemory } from '../settings/test-support/settings-in-memory.ts'
import type { CallerQuery } from '../store/channels/read-attempt-counts.ts'
import { consequencesOf } from './intended-change.ts'

const options = {
  ModelRatio: '{"house":1,"other":1}',
  GroupRatio: '{"default":1,"vip":0.5}',
  UserUsableGroups: '{"default":"all","vip":"all"}',
}
const keysOfThird = ['first key', 'second key', 'third key']
const channels = [
  routedChannel({
    ...{ id: 1, models: new Set(['house', 'other']), groups: ['default', 'vip'], keys: ['first key'] },
  }),
  routedChannel({ id: 2, models: new Set(['off']), groups: ['vip'], status: 'disabled' }),
  routedChannel({
    ...{ id: 3, models: new Set(['third']), groups: ['gold'], keys: keysOfThird },
    disabledKeys: new Map([[2, { reason: '', at: 0 }]]),
  }),
]

const vault = createVault('a master key that only tests know, long enough')
const openTasks = (key: string, channelId: number, count: number) =>
  ({ channelId, platform: 'suno', keyHash: vault.hash(key), count, latestMs: 0 }) as const

/** Calls of a model with 1000 tokens in, 500 out, in each group; no group has an output ratio of its own. */
const usedIn = (model: string) => {
  const used = { model, calls: 4, promptTokens: 1000, completionTokens: 500 }
  return [
    { ...used, group: 'default', quota: 600 },
    { ...used, group: 'vip', quota: 300 },
  ]
}

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
      groupUsage: async (_since, models = ['house', 'other']) => models.flatMap(usedIn),
      wallClock: { now: () => 1_800_000_000_000 },
      health: { view: () => ({ coolingKeys: new Map([[1, {}]]) }) as unknown as HealthView },
      vault,
      tasks: { openAccounts: async () => [openTasks('first key', 1, 3), openTasks('second key', 1, 4)] },
    },
  )
  return { stops, counted: queries.map(({ since: _since, ...query }) => query) }
}
const ofGroup = (settings: NonNullable<ChannelStopsBody['changed_group']>['settings']) =>
  previewed({ changed_group: { name: 'vip', settings } })
const inVip = { models: ['house', 'other'], groups: ['vip'] }

describe('a key that goes out of service', () => {
  const ofKey = (key: string) =>
    previewed({ ids: [3], key_id: keyIds(channels[2]?.keys ?? [], vault)[keysOfThird.indexOf(key)] })

  it('leaves its calls to the others of its channel, and its open tasks to nobody', async () => {
    const { stops } = await ofKey('first key')
    expect(stops).toMatchObject({ model_count: 0, key: { others: 1, cooling: 1, tasks: 0 } })
    const stopped = await ofKey('second key')
    expect(stopped.stops.key).toEqual({ others: 1, cooling: 0, tasks: 0 })
  })

  it('stops the models of its channel where it is the last in service, and is refused when it is gone', async () => {
    const only = previewed({ ids: [1], key_id: keyIds(channels[0]?.keys ?? [], vault)[0] })
    expect((await only).stops).toMatchObject({ model_count: 2, key: { others: 0, cooling: 0, tasks: 3 } })
    await expect(previewed({ ids: [1], key_id: 'gone' })).rejects.toMatchObject({ code: 'channel_key_gone' })
  })
})

describe('a change of a price or a group', () => {
  it('counts the calls of the groups that reach the model, and none where nothing is charged otherwise', async () => {
    const { stops, counted } = await previewed({ price: { model_name: 'house', price: { input: 4 } } })
    expect(stops).toMatchObject({ charge_count: 4, model_count: 0, calls: 5, users: 2 })
    expect(counted).toMatchObject([{ groups: ['default', 'vip'], guestsOnly: false }])
    expect(stops.spend).toEqual({ before: 900, after: 1800 })
    const output = await previewed({ price: { model_name: 'house', price: { input: 2, output: 8 } } })
    expect(output.stops.spend).toEqual({ before: 900, after: 1800 })
    const byCall = await previewed({ price: { model_name: 'house', price: { call: 0.0015 } } })
    expect(byCall.stops.spend).toEqual({ before: 900, after: 1800 })
    const cached = await previewed({ price: { model_name: 'house', price: { input: 2, cache_read: 1 } } })
    expect(cached.stops.spend).toBeUndefined()
    const same = await previewed({ price: { model_name: 'house', price: { input: 2 } } })
    expect([same.stops.calls, same.stops.spend, same.counted]).toEqual([0, undefined, []])
    const removed = await previewed({ price: { model_name: 'house', price: null } })
    expect(removed.stops.models).toEqual([{ model: 'house', groups: ['default', 'vip'] }])
  })

  it('estimates what the last hour would have cost by another ratio of its group, or by the ratios of this version', async () => {
    const spendOf = async (ratio: number) => (await ofGroup({ ratio })).stops.spend
    expect(await spendOf(1)).toEqual({ before: 600, after: 1200 })
    expect(await spendOf(0.25)).toEqual({ before: 600, after: 300 })
    expect([await spendOf(0.5), (await ofGroup(null)).stops.spend]).toEqual([undefined, undefined])
    const ofOptions = async (texts: { ModelRatio?: string; GroupRatio?: string }) => {
      const options = Object.entries(texts).map(([key, value]) => ({ key: key as keyof typeof texts, value }))
      return (await previewed({ options })).stops.spend
    }
    const GroupRatio = '{"default":2,"vip":1}'
    expect(await ofOptions({ GroupRatio })).toEqual({ before: 1800, after: 3600 })
    // Each call once, by the new price times the new ratio: those of models whose price stays, too.
    expect(await ofOptions({ GroupRatio, ModelRatio: '{"house":3,"other":1}' })).toEqual({
      before: 1800,
      after: 900 * 6 + 900 * 2,
    })
    const reset = await previewed({ options: [{ key: 'ModelRatio' }] })
    expect(reset.stops.models.map(({ model }) => model)).toEqual(['house', 'other'])
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
