import { describe, expect, it } from 'bun:test'
import { channelTypes } from '@tollgate/api/channel-types'
import { providerFor } from '@tollgate/providers'
import { buildSnapshot } from '../channels/routing/channel-snapshot.ts'
import type { RoutedChannel } from '../channels/routing/routing-types.ts'
import { routedChannel } from '../channels/test-support/routed-channel.ts'
import { taskModels } from './task-models.ts'

let id = 0
function channel(
  type: number,
  models: readonly string[],
  fields: Partial<RoutedChannel> = {},
): RoutedChannel {
  const provider = providerFor(type)
  if (provider === undefined) throw new Error(`no provider has the type ${type}`)
  id += 1
  return routedChannel({ id, type, provider, models: new Set(models), ...fields })
}
const found = (...channels: RoutedChannel[]) => [...taskModels(buildSnapshot(channels, []))]

describe('models of work that ends later', () => {
  it('are all models of upstreams that do nothing else', () => {
    const types = channelTypes.filter(({ id, models }) => {
      const provider = providerFor(id)
      return provider?.tasks !== undefined && provider.modes.length === 0 && models.length > 0
    })
    expect(types.length).toBeGreaterThan(6)
    for (const { id, models } of types)
      expect(found(channel(id, models)).toSorted()).toEqual(models.toSorted())
  })

  it('are those that make videos where an upstream does other work too', () => {
    expect(found(channel(1, ['gpt-4o', 'sora-2']))).toEqual(['sora-2'])
    expect(found(channel(35, ['MiniMax-Text-01', 'MiniMax-Hailuo-02']))).toEqual(['MiniMax-Hailuo-02'])
    const mapped = channel(1, ['film'], { modelMapping: new Map([['film', 'sora-2']]) })
    expect(found(mapped)).toEqual(['film'])
  })

  it('are none that another enabled channel serves in another way', () => {
    expect(found(channel(36, ['suno_music']), channel(14, ['suno_music']))).toEqual([])
    expect(found(channel(36, ['suno_music']), channel(14, ['suno_music'], { status: 'disabled' }))).toEqual([
      'suno_music',
    ])
  })
})
