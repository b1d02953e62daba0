import type { RoutedChannel, Tier } from '../../channels/routing/routing-types.ts'
import type { RoutePlan } from './route-plan.ts'
import type { Affinity, ChannelAffinity } from './session-affinity.ts'

/** The channels of a call that belongs to a session: each tier in the order that the session has for it. */
export class AffinityOrder implements RoutePlan {
  readonly affinity: ChannelAffinity
  readonly #tiers: readonly Tier[]
  #own: RoutedChannel | undefined
  /** Most calls need one channel: what leads to the others is made when they are asked for. */
  #others: Iterator<RoutedChannel, undefined> | undefined

  constructor(tiers: readonly Tier[], affinity: Affinity) {
    this.#tiers = tiers
    this.#own = ownOf(tiers[0], affinity.seed)
    this.affinity = { ...affinity, channelId: this.#own?.id ?? 0 }
  }

  get overrides() {
    return this.#tiers.flatMap(({ overrides }) => overrides)
  }

  get channels() {
    return this.#tiers.flatMap(({ channels }) => channels)
  }

  next(): RoutedChannel | undefined {
    const own = this.#own
    this.#own = undefined
    if (own !== undefined) return own
    this.#others ??= othersOf(this.#tiers, this.affinity.seed)
    return this.#others.next().value
  }
}

function ownOf(tier: Tier | undefined, seed: number): RoutedChannel | undefined {
  const own = tier?.ordering.first(seed)
  return own === undefined ? undefined : tier?.channels[own]
}

/** All but the session's own, which is the first of all. */
function* othersOf(tiers: readonly Tier[], seed: number): Generator<RoutedChannel, undefined> {
  let isOwn = true
  for (const { channels, ordering } of tiers) {
    for (const index of ordering.all(seed)) {
      const channel = channels[index]
      if (channel !== undefined && !isOwn) yield channel
      isOwn = false
    }
  }
}
