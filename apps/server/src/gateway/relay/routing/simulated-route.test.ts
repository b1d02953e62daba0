import { describe, expect, it } from 'bun:test'
import { buildSnapshot } from '../../../channels/routing/channel-snapshot.ts'
import type { RoutedChannel } from '../../../channels/routing/routing-types.ts'
import { expectedRoute } from '../../../channels/simulate/expected-route.ts'
import { routedChannel } from '../../../channels/test-support/routed-channel.ts'
import { plan } from './plan.ts'

const maxAttempts = 3
const calls = 40_000

/** Plays the relay's own plan, call by call. */
function played(channels: readonly RoutedChannel[], failureRate: (channel: RoutedChannel) => number) {
  const snapshot = buildSnapshot(channels, [])
  const answered = new Map<number, number>()
  let failed = 0
  let state = 7
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  for (let call = 0; call < calls; call += 1) {
    const way = plan('m', 'default', snapshot, random)
    let isAnswered = false
    for (let attempt = 0; attempt < maxAttempts && !isAnswered; attempt += 1) {
      const channel = way?.next()
      if (channel === undefined) break
      isAnswered = random() >= failureRate(channel)
      if (isAnswered) answered.set(channel.id, (answered.get(channel.id) ?? 0) + 1)
    }
    if (!isAnswered) failed += 1
  }
  return { answered, failed }
}

describe('the expected way of a call', () => {
  const make = (id: number, priority: number, weight: number) =>
    routedChannel({ id, priority, weight, models: new Set(['m']), groups: ['default'] })

  it.each([
    ['weights', [make(1, 0, 3), make(2, 0, 1)], [0, 0]],
    ['failures and tiers', [make(1, 10, 1), make(2, 10, 4), make(3, 0, 1)], [0.5, 0.2, 0.1]],
    ['a channel that always fails', [make(1, 10, 5), make(2, 5, 0), make(3, 5, 0)], [1, 0.3, 0]],
    [
      'more tiers than attempts',
      [make(1, 4, 1), make(2, 3, 1), make(3, 2, 1), make(4, 1, 1)],
      [0.6, 0.6, 0.6, 0],
    ],
    ['a weight of zero beside others', [make(1, 0, 0), make(2, 0, 2), make(3, 0, 2)], [0, 0.4, 0.4]],
  ] as const)('is what routing does call by call, with %s', (_, channels, rates) => {
    const failureRate = ({ id }: RoutedChannel) => rates[id - 1] ?? 0
    const tiers = buildSnapshot(channels, []).tiers('default', 'm') ?? []
    const expected = expectedRoute(tiers, maxAttempts, failureRate)
    const real = played(channels, failureRate)
    for (const channel of channels) {
      const share = (real.answered.get(channel.id) ?? 0) / calls
      expect(expected.answered.get(channel) ?? 0).toBeCloseTo(share, 1)
      expect(Math.abs((expected.answered.get(channel) ?? 0) - share)).toBeLessThan(0.015)
    }
    expect(Math.abs(expected.failed - real.failed / calls)).toBeLessThan(0.015)
    const sum = [...expected.answered.values()].reduce((total, part) => total + part, expected.failed)
    expect(sum).toBeCloseTo(1, 6)
  })
})
