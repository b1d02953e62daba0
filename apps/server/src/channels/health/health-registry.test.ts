import { describe, expect, it } from 'bun:test'
import { errorOf, healthWorld, minute, second, times } from '../test-support/health-world.ts'

describe('the breaker of a channel and model', () => {
  it('opens when five or more calls and half of all failed within a minute', () => {
    const { admits, fail, succeed } = healthWorld()
    times(5, () => succeed())
    times(4, () => fail('overloaded'))
    expect(admits()).toBe(true)
    fail('timeout')
    expect(admits()).toBe(false)
  })

  it('stays closed while less than half fail', () => {
    const { admits, fail, succeed } = healthWorld()
    times(20, () => succeed())
    times(19, () => fail('upstream_bug'))
    expect(admits()).toBe(true)
  })

  it('forgets failures older than a minute', () => {
    const { admits, fail, time } = healthWorld()
    times(4, () => fail('overloaded'))
    time.now += minute + 10 * second
    fail('overloaded')
    expect(admits()).toBe(true)
  })

  it("never counts callers' errors", () => {
    const { admits, fail, registry } = healthWorld()
    times(50, () => fail('bad_request'))
    times(50, () => fail('content_policy'))
    expect(admits()).toBe(true)
    expect(registry.view(1).errorRate).toBe(0)
  })

  it('affects neither other models nor other channels', () => {
    const { admits, fail, registry } = healthWorld()
    times(5, () => fail('overloaded'))
    expect(admits('m')).toBe(false)
    expect(admits('other')).toBe(true)
    expect(registry.admits(2, 0, 'm')).toBe(true)
  })

  it('lets one probe through after its pause, and closes when that succeeds', () => {
    const { admits, fail, succeed, time } = healthWorld()
    times(5, () => fail('overloaded'))
    time.now += 5 * second
    expect(admits()).toBe(true)
    expect(admits()).toBe(false)
    succeed()
    expect(admits()).toBe(true)
    expect(admits()).toBe(true)
  })

  it('doubles its pause after each failed probe, up to five minutes', () => {
    const { registry, admits, fail, time } = healthWorld()
    times(5, () => fail('overloaded'))
    const pauses: number[] = []
    times(9, () => {
      const ms = registry.cooldownMs(1, 'm')
      pauses.push(ms / second)
      time.now += ms
      expect(admits()).toBe(true)
      fail('overloaded')
    })
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300])
  })

  it('does not grow by failures of calls that were under way when it opened', () => {
    const { registry, fail } = healthWorld()
    times(100, () => fail('overloaded'))
    expect(registry.cooldownMs(1, 'm')).toBe(5 * second)
  })

  it('lets another probe go when the first one never reports', () => {
    const { admits, fail, time } = healthWorld()
    times(5, () => fail('overloaded'))
    time.now += 5 * second
    expect(admits()).toBe(true)
    time.now += 15 * second
    expect(admits()).toBe(true)
  })

  it('lets the next probe go at once when the first was refused for its own content', () => {
    const { admits, fail, time } = healthWorld()
    times(5, () => fail('overloaded'))
    time.now += 5 * second
    expect(admits()).toBe(true)
    fail('bad_request')
    expect(admits()).toBe(true)
  })

  it('closes early when calls without another channel succeed three times', () => {
    const { admits, fail, succeed } = healthWorld()
    times(5, () => fail('overloaded'))
    times(3, () => succeed())
    expect(admits()).toBe(true)
  })
})

describe('a missing model', () => {
  it('can fail and recover again after it was forgotten for being healthy', () => {
    const { admits, registry, fail, succeed, time } = healthWorld()
    for (let round = 0; round < 3; round += 1) {
      times(5, () => fail('overloaded'))
      expect(admits()).toBe(false)
      const ms = registry.cooldownMs(1, 'm')
      expect(ms).toBeLessThanOrEqual(minute)
      time.now += ms
      expect(admits()).toBe(true)
      succeed()
      times(20, () => {
        time.now += minute
        expect(admits()).toBe(true)
        succeed()
      })
      expect(registry.view(1)).toMatchObject({ state: 'closed', errorRate: 0 })
    }
  })

  it('starts a cooldown at once when the upstream says that it has no such model', () => {
    const { admits, fail } = healthWorld()
    fail('model_not_found', { status: 404 })
    expect(admits('m')).toBe(false)
    expect(admits('other')).toBe(true)
  })

  it('starts none because one caller used a path that the model does not serve', () => {
    const { admits, fail } = healthWorld()
    fail('not_found', { status: 404 })
    expect(admits()).toBe(true)
  })
})

describe('keys', () => {
  it('cool down for as long as Retry-After says, other keys go on', () => {
    const { admits, fail, time } = healthWorld(2)
    fail('rate_limited', { status: 429, retryAfterMs: 42 * second }, 'm', 0)
    expect(admits('m', 0)).toBe(false)
    expect(admits('m', 1)).toBe(true)
    time.now += 41 * second
    expect(admits('m', 0)).toBe(false)
    time.now += second
    expect(admits('m', 0)).toBe(true)
  })

  it('cool down for ten seconds, growing to five minutes, when a limit comes without Retry-After', () => {
    const { registry, admits, fail, time } = healthWorld()
    const pauses: number[] = []
    times(7, () => {
      fail('rate_limited', { status: 429 })
      pauses.push(registry.cooldownMs(1, 'm') / second)
      time.now += registry.cooldownMs(1, 'm')
      expect(admits()).toBe(true)
    })
    expect(pauses).toEqual([10, 20, 40, 80, 160, 300, 300])
  })

  it('ignore an absurd Retry-After', () => {
    const { registry, fail } = healthWorld()
    fail('rate_limited', { retryAfterMs: 1e12 })
    expect(registry.cooldownMs(1, 'm')).toBe(60 * minute)
  })

  it('cool down for the limited or forbidden model alone', () => {
    const { admits, fail } = healthWorld()
    fail('rate_limited', { status: 429 }, 'busy')
    fail('forbidden', { status: 403 }, 'closed')
    expect([admits('busy'), admits('closed'), admits('quiet')]).toEqual([false, false, true])
  })

  it('cool down for every model when refused or out of credit', () => {
    for (const kind of ['unauthorized', 'quota'] as const) {
      const { admits, fail } = healthWorld(2)
      fail(kind, {}, 'm', 1)
      expect([admits('m', 1), admits('other', 1), admits('m', 0)]).toEqual([false, false, true])
    }
  })

  it('all cool down before the channel has to wait', () => {
    const { registry, fail } = healthWorld(2)
    fail('rate_limited', { retryAfterMs: 30 * second }, 'm', 0)
    expect(registry.cooldownMs(1, 'm')).toBe(0)
    fail('rate_limited', { retryAfterMs: 20 * second }, 'm', 1)
    expect(registry.cooldownMs(1, 'm')).toBe(20 * second)
  })

  it('end their cooldown when a probe succeeds', () => {
    const { registry, admits, fail, succeed, time } = healthWorld()
    fail('unauthorized', { status: 401 })
    time.now += registry.cooldownMs(1, 'm')
    expect(admits()).toBe(true)
    expect(admits()).toBe(false)
    succeed()
    expect(admits('other')).toBe(true)
  })
})

describe('a step of the wall clock', () => {
  it('neither ends a cooldown nor lengthens it, and shows in the time of the next try', () => {
    for (const step of [-60 * minute, 60 * minute]) {
      const { registry, admits, fail, time } = healthWorld()
      times(5, () => fail('overloaded'))
      time.wallOffset += step
      expect(admits()).toBe(false)
      expect(registry.view(1).retryAt).toBe(time.now + time.wallOffset + 5 * second)
      time.now += 5 * second
      expect(admits()).toBe(true)
    }
  })

  it('leaves the failures of the last minute in the window', () => {
    const { admits, fail, time } = healthWorld()
    times(4, () => fail('overloaded'))
    time.wallOffset += 60 * minute
    fail('overloaded')
    expect(admits()).toBe(false)
  })
})

describe('reset', () => {
  it('forgets the health, and ignores attempts that started before', () => {
    const { registry, admits, fail, time } = healthWorld()
    fail('unauthorized')
    registry.reset(1)
    expect(admits()).toBe(true)
    time.now += second
    registry.record({ channelId: 1, keyIndex: 0, model: 'm', ms: 2 * second, error: errorOf('unauthorized') })
    expect(admits()).toBe(true)
    registry.record({ channelId: 1, keyIndex: 0, model: 'm', ms: second / 2, error: errorOf('unauthorized') })
    expect(admits()).toBe(false)
  })
})
