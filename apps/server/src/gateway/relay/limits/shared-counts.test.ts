import { describe, expect, it } from 'bun:test'
import { noUsage, usageOf } from '@tollgate/formats'
import { routedChannel } from '../../../channels/test-support/routed-channel.ts'
import type { RelayCall } from '../call.ts'
import { RelayError } from '../relay-error.ts'
import type { LimitCounts } from './limit-counts.ts'
import { acquireLimits, type LimitGrant } from './limits.ts'
import { createMemoryCounts } from './memory-counts.ts'
import { createChannelLimits, createRateLimit } from './rate-limits.ts'

/** Counts that several nodes share: they answer after a round trip, and some day not at all. */
function sharedCounts() {
  let now = 0
  let isGone = false
  const counts = createMemoryCounts({ now: () => now })
  const shared: LimitCounts = {
    async take(demands) {
      await Bun.sleep(1)
      if (isGone) throw new Error('the store is gone')
      return counts.take(demands)
    },
    settle: (taken, outcome) => void Bun.sleep(1).then(() => counts.settle(taken, outcome)),
  }
  return { shared, advance: (ms: number) => (now += ms), lose: () => (isGone = true) }
}

const noLimits = { requestsPerMinute: 0, tokensPerMinute: 0, concurrency: 0 }

function callOf(format: string, limits: Partial<typeof noLimits>): RelayCall {
  return {
    createdAt: 1_764_000_000,
    caller: { user: { id: 7, ...noLimits, ...limits }, token: null, group: 'default' },
    request: { format, model: 'm', candidates: 1, maxOutputTokens: 10, roughPromptTokens: () => 10 },
  } as unknown as RelayCall
}

const settings = { current: { GroupRateLimits: {}, ModelRateLimits: {}, PreConsumedQuota: 500 } } as never

async function refusalOf(passing: LimitGrant | Promise<LimitGrant>): Promise<RelayError> {
  const error = await Promise.resolve(passing).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof RelayError) return error
  throw new Error(`no refusal: ${String(error)}`)
}

describe('limits with asynchronous counts', () => {
  it('let as many calls through as there are places, and give places back', async () => {
    const { shared } = sharedCounts()
    const limit = createRateLimit(settings, shared)
    const pass = async () => acquireLimits([limit], callOf('openai-chat', { concurrency: 2 }))
    const passed = await Promise.allSettled([pass(), pass(), pass(), pass()])
    const permits = passed.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect(permits).toHaveLength(2)
    for (const grant of permits) grant.release({ succeeded: true, usage: noUsage })
    await Bun.sleep(10)
    await pass()
  })

  it.each([
    ['openai-chat', 'x-ratelimit-remaining-requests', 'x-ratelimit-remaining-tokens'],
    ['openai-responses', 'x-ratelimit-remaining-requests', 'x-ratelimit-remaining-tokens'],
    ['gemini', 'x-ratelimit-remaining-requests', 'x-ratelimit-remaining-tokens'],
    ['anthropic-messages', 'anthropic-ratelimit-requests-remaining', 'anthropic-ratelimit-tokens-remaining'],
  ])('tell callers of %s what is left, and when to come again', async (format, requests, tokens) => {
    const { shared, advance } = sharedCounts()
    const limit = createRateLimit(settings, shared)
    const call = callOf(format, { requestsPerMinute: 2, tokensPerMinute: 100 })
    const first = await acquireLimits([limit], call)
    expect(first.limitStatuses()).toMatchObject([{ remaining: 1 }, { remaining: 80 }])
    await acquireLimits([limit], call)
    const { status, headers, retryAfterSeconds = 0 } = await refusalOf(acquireLimits([limit], call))
    expect([status, headers[requests], headers[tokens]]).toEqual([429, '0', '60'])
    expect(retryAfterSeconds).toBeWithin(1, 121)
    advance(retryAfterSeconds * 1000)
    await acquireLimits([limit], call)
  })

  it('count the tokens that a call has used once that is known', async () => {
    const { shared } = sharedCounts()
    const limit = createRateLimit(settings, shared)
    const call = callOf('openai-chat', { tokensPerMinute: 100 })
    const grant = await acquireLimits([limit], call)
    grant.release({ succeeded: true, usage: usageOf({ inputTokens: 50, outputTokens: 20 }) })
    await Bun.sleep(10)
    expect((await acquireLimits([limit], call)).limitStatuses()).toMatchObject([{ remaining: 10 }])
  })

  it('release the grants of other limits when the store does not respond', async () => {
    const { shared, lose } = sharedCounts()
    const outcomes: unknown[] = []
    const other = {
      acquire: () => ({ granted: true as const, release: (outcome: unknown) => void outcomes.push(outcome) }),
    }
    lose()
    const passing = acquireLimits(
      [other, createRateLimit(settings, shared)],
      callOf('openai-chat', { concurrency: 1 }),
    )
    await expect(Promise.resolve(passing)).rejects.toThrow('the store is gone')
    expect(outcomes).toEqual([{ succeeded: false, refused: true }])
  })

  it('of channels are asked before each attempt and given back after it', async () => {
    const { shared } = sharedCounts()
    const limits = createChannelLimits(settings, shared)
    const known = routedChannel({ id: 3 })
    const channel = { ...known, setting: { ...known.setting, limits: { ...noLimits, concurrency: 1 } } }
    const call = callOf('openai-chat', {})
    const first = await limits.acquire(channel, call)
    expect([first?.granted, (await limits.acquire(channel, call))?.granted]).toEqual([true, false])
    if (first?.granted === true) first.release?.({ succeeded: false })
    await Bun.sleep(10)
    expect((await limits.acquire(channel, call))?.granted).toBe(true)
  })
})
