import type { RoutedChannel, Tier } from '../../channels/routing/routing-types.ts'
import type { Planned } from './planned.ts'
import { drawOf, scoreOf } from './rendezvous.ts'
import type { Affinity, PlannedAffinity } from './session-affinity.ts'

/** The channels of a call that belongs to a session: each tier in the order that the session has for it. */
export class AffinityWalk implements Planned {
  readonly affinity: PlannedAffinity
  readonly #tiers: readonly Tier[]
  #tier = 0
  #next: RoutedChannel | undefined
  /** Channels named; most calls need one. */
  #named: Set<RoutedChannel> | undefined

  constructor(tiers: readonly Tier[], affinity: Affinity) {
    this.#tiers = tiers
    this.#next = best(tiers[0], affinity.seed, undefined)
    this.affinity = { ...affinity, channelId: this.#next?.id ?? 0 }
  }

  get overrides() {
    return this.#tiers.flatMap(({ overrides }) => overrides)
  }

  next(): RoutedChannel | undefined {
    const first = this.#next
    if (first !== undefined) {
      this.#next = undefined
      this.#named = new Set([first])
      return first
    }
    for (; this.#tier < this.#tiers.length; this.#tier += 1) {
      const channel = best(this.#tiers[this.#tier], this.affinity.seed, this.#named)
      if (channel === undefined) continue
      this.#named?.add(channel)
      return channel
    }
    return undefined
  }
}

/** A channel of weight 0 beside others is used only after they failed. */
function best(
  tier: Tier | undefined,
  seed: number,
  named: ReadonlySet<RoutedChannel> | undefined,
): RoutedChannel | undefined {
  let found: RoutedChannel | undefined
  let highest = -1
  for (const channel of tier?.channels ?? []) {
    if (named?.has(channel) === true) continue
    const isSpare = channel.weight <= 0
    // Spares among themselves share equally, below everything that has a weight.
    const score = isSpare ? drawOf(seed, channel.id) : 1 + scoreOf(seed, channel.id, channel.weight)
    if (score <= highest) continue
    highest = score
    found = channel
  }
  return found
}
