import { expect, it } from 'bun:test'
import { servedModel } from '@tollgate/api'
import { buildSnapshot } from '../channels/routing/channel-snapshot.ts'
import { routedChannel } from '../channels/test-support/routed-channel.ts'
import { settingsInMemory } from '../settings/test-support/settings-in-memory.ts'
import { servedModels, unpricedModels } from './served-models.ts'

const channels = buildSnapshot(
  [
    routedChannel({ id: 1, name: 'main', models: new Set(['gpt-4o', 'home-made']), groups: ['default'] }),
    routedChannel({ id: 2, name: 'spare', models: new Set(['gpt-4o']), groups: ['vip'] }),
    routedChannel({ id: 3, name: 'off', models: new Set(['gpt-4o', 'gone']), status: 'disabled' }),
  ],
  [],
)

it('lists what enabled channels serve, with the price that is set, that of the vendor, and the channels', async () => {
  const { current } = await settingsInMemory()
  const rows = servedModels(current, channels)
  expect(rows.map((row) => servedModel.strict().parse(row).model_name)).toEqual(['gpt-4o', 'home-made'])
  const [gpt, own] = rows
  expect(gpt).toMatchObject({
    channels: [
      { id: 1, name: 'main' },
      { id: 2, name: 'spare' },
    ],
    price: { input: 2.5, cache_read: 1.25 },
    list_price: { input: 2.5, output: 10, cache_read: 1.25 },
    default_completion_ratio: 4,
    owner_by: 'OpenAI',
  })
  expect(own).toMatchObject({ unpriced: true, price: {}, model_ratio: 0, default_completion_ratio: 1 })
  expect(own).not.toHaveProperty('list_price')
  expect([...unpricedModels(current, channels)]).toEqual(['home-made'])
})
