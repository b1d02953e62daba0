import { describe, expect, it } from 'bun:test'
import type { RoutedChannel } from '../../../channels/routing/routing-types.ts'
import { routedChannel } from '../../../channels/test-support/routed-channel.ts'
import { Candidates, callRequirements } from './candidates.ts'
import { createKeyRotation } from './key-rotation.ts'
import type { RoutePlan } from './plan.ts'

const channels = [1, 2, 3].map((id) => routedChannel({ id, keys: id === 1 ? ['a', 'b'] : ['k'] }))

const requirements = callRequirements({ mode: 'chat', model: 'm', request: { format: 'openai-chat' } })

function routePlan(list: readonly RoutedChannel[]): RoutePlan {
  const left = [...list]
  return { overrides: [], channels: list, next: () => left.shift() }
}

function candidatesWith(cooling: Readonly<Record<number, number>>) {
  const health = {
    admits: (id: number) => cooling[id] === undefined,
    cooldownMs: (id: number) => cooling[id] ?? 0,
  }
  return new Candidates(requirements, routePlan(channels), { keyRing: createKeyRotation(health), health })
}

describe('Candidates', () => {
  it('puts channels in cooldown behind the healthy ones, the soonest to come back first', () => {
    const candidates = candidatesWith({ 1: 900, 2: 300 })
    expect([0, 1, 2, 3].map(() => candidates.next()?.channel.id)).toEqual([3, 2, 1, undefined])
  })

  it('offers another key of the same channel once, then none', () => {
    const candidates = candidatesWith({})
    const first = candidates.next()
    expect(first?.channel.id).toBe(1)
    const second = first === undefined ? undefined : candidates.otherKey(first)
    expect(second).toMatchObject({ keyIndex: 1 })
    expect(second === undefined ? 'none' : candidates.otherKey(second)).toBeUndefined()
  })

  it('maps the model name for each channel', () => {
    const mapped = routedChannel({ id: 9, modelMapping: new Map([['m', 'upstream-m']]) })
    const health = { admits: () => true, cooldownMs: () => 0 }
    const candidates = new Candidates(requirements, routePlan([mapped]), {
      keyRing: createKeyRotation(health),
      health,
    })
    expect(candidates.next()?.upstreamModel).toBe('upstream-m')
  })
})
