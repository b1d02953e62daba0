import { describe, expect, it } from 'bun:test'
import { buildSnapshot } from '../../../channels/routing/channel-snapshot.ts'
import type { ChannelSnapshot, RoutedChannel } from '../../../channels/routing/routing-types.ts'
import { routedChannel } from '../../../channels/test-support/routed-channel.ts'
import { Candidates, callRequirements } from './candidates.ts'
import { createKeyRotation } from './key-rotation.ts'
import { plan, planOne, type RoutePlan } from './plan.ts'

const channels = [1, 2, 3].map((id) => routedChannel({ id, keys: id === 1 ? ['a', 'b'] : ['k'] }))

const requirements = callRequirements({ mode: 'chat', model: 'm', request: { format: 'openai-chat' } })

function routePlan(list: readonly RoutedChannel[]): RoutePlan {
  const left = [...list]
  return { overrides: [], channels: list, next: () => left.shift(), current: (channel) => channel }
}

function candidatesWith(cooling: Readonly<Record<number, number>>) {
  const health = {
    admits: (id: number) => cooling[id] === undefined,
    cooldownMs: (id: number) => cooling[id] ?? 0,
  }
  return candidatesOf(routePlan(channels), { snapshot: buildSnapshot(channels, []) }, health)
}

function candidatesOf(
  way: RoutePlan,
  directory: { snapshot: ChannelSnapshot },
  health = { admits: (_id: number) => true, cooldownMs: (_id: number) => 0 },
) {
  return new Candidates(requirements, way, {
    channels: directory,
    keyRing: createKeyRotation(health),
    health,
  })
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
    const candidates = candidatesOf(routePlan([mapped]), { snapshot: buildSnapshot([mapped], []) })
    expect(candidates.next()?.upstreamModel).toBe('upstream-m')
  })
})

describe('channels that change while a call is under way', () => {
  const served = { models: new Set(['m']), groups: ['default'], keys: ['k'] }
  const first = routedChannel({ id: 1, priority: 1, ...served })
  const second = routedChannel({ id: 2, ...served })
  const drain = { since: 0, by: 1, stays: true }
  const leaving: readonly [string, RoutedChannel | undefined][] = [
    ['is disabled', { ...second, status: 'disabled' }],
    ['is taken out by the gateway', { ...second, status: 'auto-disabled' }],
    ['is deleted', undefined],
    ['is drained', { ...second, status: 'disabled', drain }],
    ['loses the model', { ...second, models: new Set(['other']) }],
    ['loses the group', { ...second, groups: ['vip'] }],
  ]

  function underWay() {
    const directory = { snapshot: buildSnapshot([first, second], []) }
    const way = plan('m', 'default', directory.snapshot, () => 0)
    if (way === undefined) throw new Error('no plan')
    const candidates = candidatesOf(way, directory)
    expect(candidates.next()?.channel).toBe(first)
    const becomes = (changed: RoutedChannel | undefined) => {
      directory.snapshot = buildSnapshot(changed === undefined ? [first] : [first, changed], [])
    }
    return { candidates, becomes }
  }

  it.each(leaving)('are passed by when one %s', (_, changed) => {
    const { candidates, becomes } = underWay()
    becomes(changed)
    expect(candidates.next()).toBeUndefined()
  })

  it.each(leaving)('are left when the call waited for its turn and one %s', (_, changed) => {
    const { candidates, becomes } = underWay()
    const chosen = candidates.next()
    if (chosen === undefined) throw new Error('no candidate')
    expect(candidates.afterWait(chosen)).toBe(chosen)
    becomes(changed)
    expect(candidates.afterWait(chosen)).toBeUndefined()
  })

  it('get the call with the keys and the address that they have by then', () => {
    const { candidates, becomes } = underWay()
    const chosen = candidates.next()
    if (chosen === undefined) throw new Error('no candidate')
    const moved = { ...second, keys: ['gone', 'new'], disabledKeys: new Map([[0, { reason: '', at: 1 }]]) }
    becomes(moved)
    expect(candidates.afterWait(chosen)).toMatchObject({ channel: moved, keyIndex: 1 })
    expect(candidates.otherKey(chosen)).toMatchObject({ channel: moved, keyIndex: 1 })
  })

  it('of a call that belongs to one channel alone end it', () => {
    const directory = { snapshot: buildSnapshot([second], []) }
    const pinned = { ...second, keys: ['its own'] }
    const candidates = candidatesOf(planOne(pinned), directory)
    const chosen = candidates.next()
    expect(chosen?.channel).toBe(pinned)
    directory.snapshot = buildSnapshot([{ ...second, status: 'disabled' }], [])
    expect(chosen && candidates.afterWait(chosen)).toBeUndefined()
  })
})
