import { describe, expect, it } from 'bun:test'
import { providerFor } from '@tollgate/providers'
import { routedChannel } from '../../channels/test-support/routed-channel.ts'
import { offeredTerms } from './video.ts'

const provider = (type: number) => {
  const found = providerFor(type)
  if (found === undefined) throw new Error(`no provider of type ${type}`)
  return found
}
const channel = (id: number, type: number, upstreamModel: string) =>
  routedChannel({
    id,
    type,
    provider: provider(type),
    models: new Set(['film']),
    modelMapping: new Map([['film', upstreamModel]]),
  })

const channels = [
  channel(1, 24, 'veo-3.0-generate-001'),
  channel(2, 24, 'veo-3.0-generate-001'),
  channel(3, 35, 'MiniMax-Hailuo-02'),
  channel(5, 24, 'gemini-2.5-flash'),
]
const order = { prompt: 'a cat', images: [], metadata: {} }

describe('terms of an order at the upstreams of a call', () => {
  it('are those of each kind of upstream, once', () => {
    expect(offeredTerms(order, 'film', channels)).toEqual([
      { seconds: 8, resolution: '720p', sound: 'usual' },
      { seconds: 6, resolution: '768p' },
    ])
  })

  it('leave out upstreams that cannot take the order', () => {
    expect(offeredTerms({ ...order, seconds: 4 }, 'film', channels)).toEqual([
      { seconds: 4, resolution: '720p', sound: 'usual' },
    ])
    expect(offeredTerms({ ...order, seconds: 99 }, 'film', channels)).toEqual([])
    expect(offeredTerms(order, 'film', [])).toEqual([])
  })
})
