import type { RelayMode } from '@tollgate/providers'
import type { HealthBook, RoutedChannel } from '../channels/routing-types.ts'
import type { KeyRing } from './key-ring.ts'
import type { Planned } from './plan.ts'

/** A channel with the key that is to serve the next attempt. */
export interface Candidate {
  readonly channel: RoutedChannel
  readonly keyIndex: number
  /** As the caller asked for it. */
  readonly model: string
  readonly upstreamModel: string
}

interface CandidateDependencies {
  readonly keyRing: KeyRing
  readonly health: Pick<HealthBook, 'retryAt'>
}

/** Keys of one channel tried for one call, at most: a channel of a hundred dead keys must not hold the caller up. */
const maxKeysPerChannel = 3

/** Walks a plan: healthy channels in its order, then those that rest, the soonest to come back first. */
export class Candidates {
  readonly #mode: RelayMode
  readonly #model: string
  readonly #planned: Planned
  readonly #deps: CandidateDependencies
  /** Passed by; sorted once the plan is at its end. */
  #resting: RoutedChannel[] | undefined
  #sorted = false
  #triedKeys: Map<number, Set<number>> | undefined

  constructor(mode: RelayMode, model: string, planned: Planned, deps: CandidateDependencies) {
    this.#mode = mode
    this.#model = model
    this.#planned = planned
    this.#deps = deps
  }

  /** The next attempt: never a channel already tried, resting ones only when no other is left. */
  next(): Candidate | undefined {
    return this.#nextHealthy() ?? this.#nextResting()
  }

  /** The same channel with another of its keys, when it has one that is well. */
  otherKey({ channel, keyIndex }: Candidate): Candidate | undefined {
    if (channel.keyCount === 1) return undefined
    this.#triedKeys ??= new Map()
    const tried = this.#triedKeys.get(channel.id) ?? new Set<number>()
    this.#triedKeys.set(channel.id, tried.add(keyIndex))
    if (tried.size >= maxKeysPerChannel) return undefined
    const next = this.#deps.keyRing.pick(channel, this.#model, tried)
    return next === undefined ? undefined : this.#candidate(channel, next)
  }

  #nextHealthy(): Candidate | undefined {
    for (let channel = this.#planned.next(); channel !== undefined; channel = this.#planned.next()) {
      if (!channel.provider.modes.includes(this.#mode)) continue
      const keyIndex = this.#deps.keyRing.pick(channel, this.#model)
      if (keyIndex !== undefined) return this.#candidate(channel, keyIndex)
      this.#resting ??= []
      this.#resting.push(channel)
    }
    return undefined
  }

  #nextResting(): Candidate | undefined {
    const { health, keyRing } = this.#deps
    const resting = this.#resting ?? []
    if (!this.#sorted) {
      this.#sorted = true
      resting.sort((a, b) => health.retryAt(b.id, this.#model) - health.retryAt(a.id, this.#model))
    }
    for (let channel = resting.pop(); channel !== undefined; channel = resting.pop()) {
      const keyIndex = keyRing.pickResting(channel)
      if (keyIndex !== undefined) return this.#candidate(channel, keyIndex)
    }
    return undefined
  }

  #candidate(channel: RoutedChannel, keyIndex: number): Candidate {
    const model = this.#model
    return { channel, keyIndex, model, upstreamModel: channel.modelMapping.get(model) ?? model }
  }
}
