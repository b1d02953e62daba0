import { describe, expect, it } from 'bun:test'
import { healthWorld, times } from '../test-support/health-world.ts'
import { createOutcomeWriter } from './last-outcomes.ts'

describe('the last outcomes of a channel', () => {
  it('say when it succeeded, when it failed and why', () => {
    const { registry, fail, succeed, time } = healthWorld()
    expect(registry.view(1)).toMatchObject({ lastSuccessAt: 0, lastFailureAt: 0, lastFailure: undefined })
    const wall = () => Math.floor((time.now + time.wallOffset) / 1000)
    fail('timeout')
    const failedAt = wall()
    time.now += 5_000
    succeed()
    expect(registry.view(1)).toMatchObject({
      lastSuccessAt: wall(),
      lastFailureAt: failedAt,
      lastFailure: { code: 'timeout', params: {} },
    })
  })

  it("leave out a caller's fault", () => {
    const { registry, fail } = healthWorld()
    fail('bad_request')
    expect(registry.view(1)).toMatchObject({ lastFailureAt: 0 })
    expect(registry.takeOutcomes()).toEqual([])
  })

  it('are the same after a restart', () => {
    const before = healthWorld()
    before.succeed()
    before.time.now += 1000
    before.fail('overloaded', { status: 529 })
    const { registry } = healthWorld()
    registry.restore(before.registry.takeOutcomes())
    expect(registry.view(1)).toEqual({ ...registry.view(2), ...lastOf(before.registry.view(1)) })
    expect(registry.view(1).lastFailure).toEqual({ code: 'overloaded', params: { status: 529 } })
  })

  it('are written once for many calls, and again when they change or after a minute', () => {
    const { registry, fail, succeed, time } = healthWorld()
    times(50, () => succeed())
    expect(registry.takeOutcomes()).toHaveLength(1)
    time.now += 10_000
    succeed()
    expect(registry.takeOutcomes()).toEqual([])
    fail('timeout')
    expect(registry.takeOutcomes()).toHaveLength(1)
    time.now += 1_000
    succeed()
    expect(registry.takeOutcomes()).toHaveLength(1)
    time.now += 60_000
    succeed()
    expect(registry.takeOutcomes()).toHaveLength(1)
  })

  it('are forgotten with the channel', () => {
    const { registry, succeed } = healthWorld()
    succeed()
    registry.forget(1)
    expect(registry.view(1).lastSuccessAt).toBe(0)
    expect(registry.takeOutcomes()).toEqual([])
  })

  it('are written by the next run after the database was down, and not for a deleted channel', async () => {
    const { registry, succeed } = healthWorld()
    const written: number[] = []
    let isGone = true
    const known = new Set([1])
    const write = createOutcomeWriter({
      health: registry,
      directory: { snapshot: { channel: (id: number) => (known.has(id) ? {} : undefined) } as never },
      outcomes: {
        save: async (outcomes) => {
          if (isGone) throw new Error('the database is gone')
          written.push(...outcomes.map(({ channelId }) => channelId))
        },
      },
    })
    succeed()
    registry.record({ channelId: 2, keyIndex: 0, model: 'm', ms: 0 })
    await expect(write()).rejects.toThrow('gone')
    isGone = false
    await write()
    expect(written).toEqual([1])
  })
})

function lastOf({ lastSuccessAt, lastFailureAt, lastFailure }: ReturnType<typeof lastView>) {
  return { lastSuccessAt, lastFailureAt, lastFailure }
}

function lastView() {
  return healthWorld().registry.view(1)
}
