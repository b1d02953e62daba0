import { describe, expect, it } from 'bun:test'
import { defaults } from '@tollgate/api/settings'
import { noUsage } from '@tollgate/formats'
import { findCost } from '../../../billing/pricing/cost-table.ts'
import { parseChannelSetting } from '../../../channels/routing/channel-fields.ts'
import { routedChannel } from '../../../channels/test-support/routed-channel.ts'
import type { ModelRequest } from '../call.ts'
import { costOfCall } from './call-cost.ts'
import type { Delivery } from './counted-usage.ts'

const settings = { ...defaults, ModelCost: {} }
const find = (model: string, factor: number) => findCost(settings, model, factor)
const channel = (setting = '') => routedChannel({ id: 1, setting: parseChannelSetting(setting) })
const used = { ...noUsage, inputTokens: 1000, outputTokens: 100 }

function cost(
  delivery: Partial<Delivery>,
  request: Partial<ModelRequest> = {},
  mode: 'chat' | 'realtime' = 'chat',
) {
  const whole = {
    usage: used,
    estimated: false,
    channel: channel(),
    upstreamModel: 'gpt-4o',
    ended: undefined,
    ...delivery,
  }
  // The fields of a request that a cost depends on.
  return costOfCall({ request: request as ModelRequest, mode, createdAt: 0 }, whole, find)
}

describe('the cost of a call', () => {
  it('is that of the model that the channel was asked for, times the factor of the channel', () => {
    expect(cost({}, { model: 'my-alias' })).toBe(1750)
    expect(cost({ channel: channel('{"cost_factor":0.7}') })).toBe(1225)
    expect(cost({ channel: channel('{"cost_factor":0}') })).toBe(0)
    expect(cost({ upstreamModel: 'gpt-4o-mini' })).toBe(105)
    expect(cost({ upstreamModel: 'my-own' })).toBeUndefined()
  })

  const images = { model: 'alias', n: 2, size: '1024x1024', quality: 'hd' }

  it('counts images as their vendor does, and those alone that were made', () => {
    expect(cost({ upstreamModel: 'dall-e-3' }, { images })).toBe(80_000)
    expect(cost({ upstreamModel: 'dall-e-3', made: 1 }, { images })).toBe(40_000)
  })

  it('is unknown for images by the token that nobody counted', () => {
    expect(cost({ upstreamModel: 'gpt-image-1' }, { images })).toBeGreaterThan(0)
    expect(cost({ upstreamModel: 'gpt-image-1', estimated: true }, { images })).toBeUndefined()
  })

  it('is nothing for a call per call that was broken off, and by the token what was delivered', () => {
    const broken = { upstreamModel: 'dall-e-3', ended: 'upstream_cut' } as const
    expect(cost(broken, { images })).toBe(0)
    expect(cost({ ended: 'upstream_cut' })).toBe(1750)
    expect(cost({ ...broken, ended: 'client_gone' }, { images })).toBe(80_000)
  })
})
