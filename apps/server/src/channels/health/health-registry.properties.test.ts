import { describe, expect, it } from 'bun:test'
import type { UpstreamErrorInfo, UpstreamErrorKind } from '@tollgate/formats'
import fc from 'fast-check'
import { errorOf, healthWorld, minute, second } from '../test-support/health-world.ts'

function withRetryAfter(retryAfterMs: number | undefined): Partial<UpstreamErrorInfo> {
  return retryAfterMs === undefined ? {} : { retryAfterMs }
}

type EventOf<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Event> ? Event : never

describe('whatever happens', () => {
  const event = fc.record({
    wait: fc.integer({ min: 0, max: 10 * minute }),
    ask: fc.boolean(),
    key: fc.integer({ min: 0, max: 1 }),
    kind: fc.constantFrom<(UpstreamErrorKind | 'success')[]>(
      'success',
      'bad_request',
      'content_policy',
      'unauthorized',
      'forbidden',
      'not_found',
      'rate_limited',
      'quota',
      'overloaded',
      'timeout',
      'upstream_bug',
    ),
    retryAfterMs: fc.option(fc.integer({ min: -1, max: Number.MAX_SAFE_INTEGER }), { nil: undefined }),
    hint: fc.option(
      fc.record({
        channelId: fc.constant(1),
        model: fc.constant('m'),
        keyIndex: fc.integer({ min: 0, max: 1 }),
        state: fc.constantFrom('open' as const, 'probing' as const, 'closed' as const, 'reset' as const),
        leftMs: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
        round: fc.integer({ min: 0, max: 5000 }),
        reason: fc.constant({ code: 'rate_limited' as const, params: {} }),
      }),
      { nil: undefined },
    ),
  })

  function happen(
    { time, registry, admits, fail, succeed }: ReturnType<typeof healthWorld>,
    { wait, ask, key, kind, retryAfterMs, hint }: EventOf<typeof event>,
  ): void {
    time.now += wait
    if (hint !== undefined) registry.hear(hint)
    if (ask) admits('m', key)
    if (kind === 'success') succeed('m', key)
    else fail(kind, { ...withRetryAfter(retryAfterMs), code: 'model_not_found' }, 'm', key)
  }

  it('and whatever other nodes report, a breaker never stays open: after an hour a probe goes through, and its success closes it', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        const world = healthWorld(2)
        const { time, admits, succeed } = world
        for (const each of events) happen(world, each)
        time.now += 60 * minute + 15 * second
        for (const key of [0, 1]) {
          expect(admits('m', key)).toBe(true)
          succeed('m', key)
          expect(admits('m', key)).toBe(true)
          expect(admits('m', key)).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('never lets two probes through at once', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const { time, registry, admits, fail, succeed } = healthWorld()
        for (const { wait, kind, retryAfterMs } of events) {
          time.now += wait
          const isCooling = registry.view(1).state !== 'closed' || registry.view(1).coolingKeys.size > 0
          if (admits() && isCooling) expect(admits()).toBe(false)
          if (kind === 'success') succeed()
          else fail(kind, withRetryAfter(retryAfterMs))
        }
      }),
      { numRuns: 300 },
    )
  })

  it('memory follows models and keys, not calls or callers', () => {
    const { registry, time } = healthWorld()
    for (let call = 0; call < 5000; call += 1) {
      registry.record({
        channelId: 1,
        keyIndex: 0,
        model: `gpt-4-gizmo-g-${call}`,
        ms: 1,
        error: errorOf('overloaded'),
      })
      time.now += 10
    }
    expect(registry.admits(1, 0, 'gpt-4-gizmo-never-seen')).toBe(false)
    expect(registry.view(1).reason?.params).toMatchObject({ model: 'gpt-4-gizmo-*' })
  })
})
