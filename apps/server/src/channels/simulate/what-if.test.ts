import { describe, expect, it } from 'bun:test'
import type { ModelChannelCost } from '@tollgate/api'
import { buildSnapshot } from '../routing/channel-snapshot.ts'
import { routedChannel } from '../test-support/routed-channel.ts'
import { observationsOf } from './observations.ts'
import { previewChannels } from './preview.ts'
import { whatIf } from './what-if.ts'

const make = (id: number, fields: Parameters<typeof routedChannel>[0]) =>
  routedChannel({ models: new Set(['m']), groups: ['default'], weight: 1, ...fields, id })

const channels = [
  make(1, { id: 1, name: 'dear', priority: 10 }),
  make(2, { id: 2, name: 'cheap', priority: 0 }),
  make(3, { id: 3, name: 'off', status: 'disabled' }),
  make(4, { id: 4, name: 'others', groups: ['vip'] }),
]
const cost = (channel: number, ratio: number): ModelChannelCost => ({
  model_name: 'm',
  channel,
  channel_name: '',
  upstream_model: 'm',
  cost_factor: 1,
  source: 'list',
  quota_type: 0,
  model_ratio: ratio,
  completion_ratio: 2,
  cache_ratio: 1,
  model_price: 0,
  losing_groups: [],
})
const observations = observationsOf(
  {
    attempts: [
      { channelId: 1, model: 'm', outcome: 'ok', count: 80, ms: 80 * 100 },
      { channelId: 1, model: 'm', outcome: 'upstream', count: 20, ms: 0 },
      { channelId: 2, model: 'm', outcome: 'ok', count: 20, ms: 20 * 500 },
    ],
    tokens: [{ model: 'm', calls: 100, promptTokens: 1000, completionTokens: 500 }],
  },
  [cost(1, 4), cost(2, 1)],
  500_000,
)

describe('what if channels had another priority', () => {
  const ask = (changes: Parameters<typeof whatIf>[0]['changes']) =>
    whatIf({ group: 'default', model: undefined, changes, maxAttempts: 2 }, { channels }, observations)

  it('gives the same before and after where nothing changes', () => {
    const { calls, before, after } = ask([])
    expect(calls).toBe(100)
    expect(after).toEqual(before)
    // 80 at 4 × (10 + 2 × 5), 20 at 1 × 20.
    expect(before).toEqual({ failed: 0, retried: 20, latency_ms: 180, cost: 80 * 80 + 20 * 20, costed: 1 })
  })

  it('shows cost, latency and failures of the other order', () => {
    const { after, channels: moved } = ask([{ id: 2, priority: 20, weight: 1 }])
    expect(after).toEqual({ failed: 0, retried: 0, latency_ms: 500, cost: 2000, costed: 1 })
    expect(moved.map(({ id, before, after: then }) => [id, Math.round(before), Math.round(then)])).toEqual([
      [1, 80, 0],
      [2, 20, 100],
    ])
  })

  it('changes nothing that routing reads', () => {
    ask([{ id: 2, priority: 20, weight: 9 }])
    expect(channels[1]).toMatchObject({ priority: 0, weight: 1 })
  })
})

describe('the preview of a call', () => {
  const preview = (cooldownMs = (_: number) => 0) =>
    previewChannels(
      { model: 'm', group: 'default' },
      { snapshot: buildSnapshot(channels, []), health: { cooldownMs }, observations },
    )

  it('lists channels in the order of their tiers, and why others are passed by', () => {
    expect(preview().map(({ name, step, share, skip }) => [name, step, share, skip])).toEqual([
      ['dear', 1, 1, null],
      ['cheap', 2, 1, null],
      ['off', 0, 0, 'disabled'],
      ['others', 0, 0, 'group'],
    ])
  })

  it('puts channels in cooldown behind those that are not', () => {
    const rows = preview((id) => (id === 1 ? 30_000 : 0))
    expect(rows.slice(0, 2).map(({ name, skip, cooling_ms }) => [name, skip, cooling_ms])).toEqual([
      ['cheap', null, 0],
      ['dear', 'cooling', 30_000],
    ])
  })

  it('says what was seen, and what a mean call costs', () => {
    expect(preview()[0]).toMatchObject({ attempts: 100, failures: 20, latency_ms: 100, cost: 80 })
  })
})
