import { describe, expect, it } from 'bun:test'
import type { RelayCall } from '../call.ts'
import type { LimitDecision } from './limits.ts'
import { createMemoryCounts } from './memory-counts.ts'
import { createRateLimit } from './rate-limits.ts'

const noLimits = { requestsPerMinute: 0, tokensPerMinute: 0, concurrency: 0 }
const oneRequest = { requests_per_minute: 1, tokens_per_minute: 0, concurrency: 0 }

function limited(models: readonly string[]) {
  const ModelRateLimits = Object.fromEntries(models.map((model) => [model, oneRequest]))
  const settings = { current: { GroupRateLimits: {}, ModelRateLimits, PreConsumedQuota: 500 } }
  const limit = createRateLimit(settings as never, createMemoryCounts({ now: () => 0 }))
  return (model: string) => {
    const caller = { user: { id: 7, ...noLimits }, token: null, group: 'default' }
    const request = { model, candidates: 1, maxOutputTokens: 10, roughPromptTokens: () => 10 }
    return limit.acquire({ caller, request } as unknown as RelayCall) as LimitDecision
  }
}

describe('the limit of a model', () => {
  it.each([
    ['gpt-4-gizmo-*', ['gpt-4-gizmo-a', 'gpt-4-gizmo-b']],
    ['gpt-4o-gizmo-*', ['gpt-4o-gizmo-a', 'gpt-4o-gizmo-b']],
    ['gemini-2.5-pro-thinking-*', ['gemini-2.5-pro-thinking-1', 'gemini-2.5-pro-thinking-2']],
  ])('of %s is shared by the models of the family', (family, [first = '', second = '']) => {
    const acquire = limited([family])
    expect(acquire(first)?.granted).toBe(true)
    expect(acquire(second)).toMatchObject({ granted: false, message: expect.stringContaining(family) })
  })

  it('is its own where it has one, beside that of its family', () => {
    const acquire = limited(['gpt-4-gizmo-*', 'gpt-4-gizmo-a'])
    expect(acquire('gpt-4-gizmo-b')?.granted).toBe(true)
    expect(acquire('gpt-4-gizmo-a')?.granted).toBe(true)
    expect(acquire('gpt-4-gizmo-a')?.granted).toBe(false)
    expect(acquire('gpt-4-gizmo-c')?.granted).toBe(false)
  })

  it('concerns no other model, whatever its name', () => {
    const acquire = limited(['gpt-4-gizmo-*'])
    for (const model of ['gpt-4', 'gpt-4o-gizmo-a', 'constructor', '__proto__', 'toString'])
      expect(acquire(model), model).toBeUndefined()
  })
})
