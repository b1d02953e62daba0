import { afterAll, describe, expect, it } from 'bun:test'
import { calls } from '@tollgate/api'
import { systemClock } from '@tollgate/base'
import { closeTestStores } from '../../../accounts/users/test-support/test-store.ts'
import { buildSnapshot } from '../../../channels/routing/channel-snapshot.ts'
import { routedChannel } from '../../../channels/test-support/routed-channel.ts'
import { settingsInMemory } from '../../../settings/test-support/settings-in-memory.ts'
import { consoleFixture } from '../test-support/console-fixture.ts'
import { createPriceReader } from './price-reader.ts'
import { pricingRoutes } from './pricing-routes.ts'

afterAll(closeTestStores)

const groupSettings = {
  GroupRatio: '{"default":1,"vip":0.8,"staff":0.5}',
  UserUsableGroups: '{"vip":"fast","gone":"x"}',
}

/** A console with two channels: one for everybody, one for staff. */
async function withPricing() {
  const settings = await settingsInMemory(groupSettings)
  const snapshot = buildSnapshot(
    [
      routedChannel({ id: 1, models: new Set(['gpt-4o', 'home-made']), groups: ['default'] }),
      routedChannel({ id: 2, models: new Set(['gpt-4.1']), groups: ['staff'] }),
    ],
    [],
  )
  const accepting = { acceptsUnpricedModels: true } as never
  const fixture = await consoleFixture({
    routes: pricingRoutes({
      settings,
      channels: { snapshot },
      readerOf: createPriceReader({
        settings,
        users: { find: async (id) => (id === acceptingId ? accepting : undefined) },
      }),
      counting: { countText: async (_model, text) => text.length },
      performance: async () => [{ model_name: 'gpt-4o', availability: 1 }, { model_name: 'gpt-4.1' }],
      clock: systemClock,
    }),
  })
  let acceptingId = 0
  async function ask(path: string, fields?: Parameters<typeof fixture.createUser>[0], accepts = false) {
    if (fields === undefined) return (await fixture.send('GET', path)).envelope as never
    const user = await fixture.createUser(fields)
    acceptingId = accepts ? user.id : 0
    const { envelope } = await fixture.send('GET', path, { headers: await fixture.loggedIn(user) })
    return envelope as never
  }
  return ask as <JsonBody>(...args: Parameters<typeof ask>) => Promise<JsonBody>
}

interface Pricing {
  readonly data: { model_name: string; enable_groups: string[]; available: boolean }[]
  readonly group_ratio: Record<string, number>
  readonly usable_group: Record<string, string>
  readonly user_group: string
  readonly supported_endpoint: Record<string, { path: string; method: string }>
}

const availableIn = ({ data }: Pricing) =>
  data.filter(({ available }) => available).map(({ model_name }) => model_name)

describe('GET /api/pricing', () => {
  it('shows a visitor the groups of visitors', async () => {
    const ask = await withPricing()
    const { data: _, supported_endpoint, ...groups } = await ask<Pricing>('/api/pricing')
    expect(groups).toEqual({
      success: true,
      message: '',
      group_ratio: { vip: 0.8, default: 1 },
      usable_group: { vip: 'fast', default: 'Default group' },
      user_group: '',
    } as never)
    expect(supported_endpoint['openai']).toEqual({ path: '/v1/chat/completions', method: 'POST' })
  })

  it('shows a user the own group too, and what can be called there', async () => {
    const ask = await withPricing()
    const seen = await ask<Pricing>('/api/pricing', { group: 'staff' })
    expect(seen.group_ratio).toEqual({ vip: 0.8, staff: 0.5 })
    expect(seen.usable_group).toEqual({ vip: 'fast', staff: 'Your own group' })
    expect(seen.user_group).toBe('staff')
    expect(availableIn(seen)).toEqual(['gpt-4.1'])
    expect(availableIn(await ask<Pricing>('/api/pricing', { group: 'default' }))).toEqual(['gpt-4o'])
  })

  it('shows no group of others to users, and every group to administrators', async () => {
    const ask = await withPricing()
    expect(JSON.stringify(await ask('/api/pricing', { group: 'default' }))).not.toContain('staff')
    const forAdmin = await ask<Pricing>('/api/pricing', { role: 'admin' })
    expect(forAdmin.data.find(({ model_name }) => model_name === 'gpt-4.1')?.enable_groups).toEqual(['staff'])
    expect(forAdmin.group_ratio).toEqual({ vip: 0.8, default: 1 })
  })

  it('offers unpriced models to those who accept them', async () => {
    const ask = await withPricing()
    const seen = await ask<Pricing>('/api/pricing', { group: 'default' }, true)
    expect(availableIn(seen)).toEqual(['gpt-4o', 'home-made'])
  })
})

describe('groups to choose from', () => {
  it('are those of a user, with ratio and description, when they have a ratio', async () => {
    const ask = await withPricing()
    const { data } = await ask<{ data: unknown }>('/api/user/self/groups', { group: 'staff' })
    expect(data).toEqual({
      vip: { ratio: 0.8, desc: 'fast' },
      staff: { ratio: 0.5, desc: 'Your own group' },
    })
  })

  it('are those of a visitor for a caller without a session', async () => {
    const ask = await withPricing()
    const visitors = { vip: { ratio: 0.8, desc: 'fast' }, default: { ratio: 1, desc: 'Default group' } }
    for (const fields of [undefined, { group: 'staff' }])
      expect((await ask<{ data: unknown }>('/api/user/groups', fields)).data).toEqual(visitors)
    expect(calls.users.publicGroups.access).toBe('public')
  })
})
