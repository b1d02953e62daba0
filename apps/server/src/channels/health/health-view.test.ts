import { describe, expect, it } from 'bun:test'
import { channelReasonText } from '@tollgate/api'
import { healthWorld, minute, second, times } from '../test-support/health-world.ts'

describe('the view for operators', () => {
  it('names state, error rate, reason and the time of the next try', () => {
    const { registry, fail, succeed, time } = healthWorld()
    succeed()
    times(5, () => fail('overloaded', { status: 503 }))
    const view = registry.view(1)
    expect(view.state).toBe('open')
    expect(view.errorRate).toBeCloseTo(5 / 6)
    expect(view.reason).toEqual({
      code: 'many_failed',
      params: { model: 'm', failures: 5, attempts: 6, cause: 'overloaded', status: 503 },
    })
    expect(view.reason && channelReasonText(view.reason, 'en')).toBe(
      'm: 5 of 6 calls failed in a minute: overloaded (status 503)',
    )
    expect(view.retryAt).toBe(time.now + time.wallOffset + 5 * second)
  })

  it('lists keys in cooldown with their reason', () => {
    const { registry, fail, time } = healthWorld(3)
    fail('unauthorized', { status: 401 }, 'm', 2)
    expect(registry.view(1).coolingKeys).toEqual(
      new Map([
        [
          2,
          {
            reason: { code: 'unauthorized', params: { status: 401 } },
            retryAt: time.now + time.wallOffset + minute,
          },
        ],
      ]),
    )
  })

  it('shows the mean latency of each minute of the last hour that had calls, oldest first', () => {
    const { registry, succeed, time } = healthWorld()
    for (let call = 0; call < 70; call += 1) {
      succeed('m', 0, call)
      succeed('n', 0, call + 3)
      time.now += minute
    }
    expect(registry.view(1).recentMs).toEqual(Array.from({ length: 59 }, (_, index) => index + 13))
    succeed('m', 0, 500)
    expect(registry.view(1).recentMs.slice(-2)).toEqual([71, 500])
    time.now += 30 * minute
    expect(registry.view(1).recentMs.at(-1)).toBe(500)
    time.now += 30 * minute
    expect(registry.view(1).recentMs).toEqual([])
  })

  it('logs each decision once', () => {
    const { decisions, fail, succeed, time } = healthWorld()
    times(50, () => fail('overloaded', { status: 503 }))
    time.now += 5 * second
    succeed()
    expect(decisions.latest().map(({ kind, model }) => [kind, model])).toEqual([
      ['recover', 'm'],
      ['cooldown', 'm'],
    ])
  })

  it('lists the latest two hundred decisions', () => {
    const { decisions } = healthWorld()
    for (let id = 1; id <= 300; id += 1) decisions.add({ kind: 'cooldown', channelId: id, reason: '' })
    expect(decisions.latest().map((decision) => decision.channelId)).toEqual(
      Array.from({ length: 200 }, (_, index) => 300 - index),
    )
  })
})
