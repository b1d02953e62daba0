import type { RelayMode } from '@tollgate/providers'
import type { HealthBook, RoutedChannel } from '../channels/routing-types.ts'
import type { KeyRing } from './key-ring.ts'

/** A channel with the key that is to serve the next attempt. */
export interface Candidate {
  readonly channel: RoutedChannel
  readonly keyIndex: number
  readonly upstreamModel: string
}

export interface Candidates {
  /** The next attempt: never a channel already tried, resting ones only when no other is left. */
  next(): Candidate | undefined
  /** The same channel with another of its keys, when it has one that is well. */
  otherKey(after: Candidate): Candidate | undefined
}

interface CandidateDependencies {
  readonly keyRing: KeyRing
  readonly health: Pick<HealthBook, 'retryAt'>
}

/** Keys of one channel tried for one call, at most: a channel of a hundred dead keys must not hold the caller up. */
const maxKeysPerChannel = 3

/** Upstream model name after mapping. */
function upstreamModelOf(channel: RoutedChannel, model: string): string {
  return channel.modelMapping.get(model) ?? model
}

/** Walks a plan: healthy channels in its order, then those that rest, the soonest to come back first. */
export function createCandidates(
  mode: RelayMode,
  model: string,
  planned: Iterator<RoutedChannel>,
  { keyRing, health }: CandidateDependencies,
): Candidates {
  const resting: RoutedChannel[] = []
  const triedKeys = new Map<number, Set<number>>()
  let sorted = false

  function candidate(channel: RoutedChannel, keyIndex: number): Candidate {
    return { channel, keyIndex, upstreamModel: upstreamModelOf(channel, model) }
  }

  function nextHealthy(): Candidate | undefined {
    for (let step = planned.next(); step.done !== true; step = planned.next()) {
      if (!step.value.provider.modes.includes(mode)) continue
      const keyIndex = keyRing.pick(step.value, model)
      if (keyIndex !== undefined) return candidate(step.value, keyIndex)
      resting.push(step.value)
    }
    return undefined
  }

  function nextResting(): Candidate | undefined {
    if (!sorted) {
      sorted = true
      resting.sort((a, b) => health.retryAt(b.id, model) - health.retryAt(a.id, model))
    }
    for (let channel = resting.pop(); channel !== undefined; channel = resting.pop()) {
      const keyIndex = keyRing.pickResting(channel)
      if (keyIndex !== undefined) return candidate(channel, keyIndex)
    }
    return undefined
  }

  return {
    next: () => nextHealthy() ?? nextResting(),
    otherKey({ channel, keyIndex }) {
      if (channel.keys.length === 1) return undefined
      const tried = triedKeys.get(channel.id) ?? new Set<number>()
      triedKeys.set(channel.id, tried.add(keyIndex))
      if (tried.size >= maxKeysPerChannel) return undefined
      const next = keyRing.pick(channel, model, tried)
      return next === undefined ? undefined : candidate(channel, next)
    },
  }
}
