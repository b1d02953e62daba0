import type { ChannelSnapshot, RoutedChannel, Tier } from '../../channels/routing/routing-types.ts'
import { AffinityOrder } from './affinity-order.ts'
import type { RoutePlan } from './route-plan.ts'
import type { Affinity } from './session-affinity.ts'

/** A source of numbers in [0, 1). A dependency, so that weighted choice is testable. */
export type Random = () => number

/** How often a draw may hit a channel already tried before the tier is walked instead. */
const drawsBeforeWalk = 8

/** The channels of a tier but the tried ones, in a random order that follows their weights. */
function* drawOthers(
  tier: Tier,
  tried: Set<RoutedChannel>,
  random: Random,
): Generator<RoutedChannel, undefined> {
  for (let misses = 0; tried.size < tier.channels.length && misses < drawsBeforeWalk; ) {
    const channel = tier.channels[tier.picker.draw(random())]
    if (channel === undefined || tried.has(channel)) {
      misses += 1
      continue
    }
    tried.add(channel)
    yield channel
  }
  for (const channel of tier.channels) if (!tried.has(channel)) yield channel
}

function* afterFirst(
  tiers: readonly Tier[],
  first: RoutedChannel | undefined,
  random: Random,
): Generator<RoutedChannel, undefined> {
  for (const tier of tiers) {
    const isDrawn = first !== undefined && tier === tiers[0]
    yield* drawOthers(tier, new Set(isDrawn ? [first] : []), random)
  }
}

/**
 * The first channels of calls are taken in turn, those behind them by luck: whatever calls fail together should not go
 * on together. Most calls need one channel: what leads to the others is made when they are asked for.
 */
class TierOrder implements RoutePlan {
  readonly #tiers: readonly Tier[]
  readonly #random: Random
  #first: RoutedChannel | undefined
  #others: Iterator<RoutedChannel, undefined> | undefined

  constructor(tiers: readonly Tier[], random: Random) {
    this.#tiers = tiers
    this.#random = random
  }

  get overrides() {
    return this.#tiers.flatMap(({ overrides }) => overrides)
  }

  get channels() {
    return this.#tiers.flatMap(({ channels }) => channels)
  }

  next(): RoutedChannel | undefined {
    const [tier] = this.#tiers
    if (this.#first === undefined && tier !== undefined) {
      this.#first = tier.channels[tier.picker.next(this.#random)]
      if (this.#first !== undefined) return this.#first
    }
    this.#others ??= afterFirst(this.#tiers, this.#first, this.#random)
    return this.#others.next().value
  }
}

/**
 * The ordered attempts for a call: tiers from the highest priority down, inside a tier by weight.
 * Lazy; touches nothing but `random` and whose turn it is in the tier. A channel is never named twice. `undefined` when
 * no channel serves the model.
 * @param affinityIn the session that the call belongs to, if it does: its channels have an order of their own
 */
export function plan(
  model: string,
  group: string,
  snapshot: ChannelSnapshot,
  random: Random,
  affinityIn?: (tiers: readonly Tier[]) => Affinity | undefined,
): RoutePlan | undefined {
  const tiers = snapshot.tiers(group, model)
  if (tiers === undefined || tiers.length === 0) return undefined
  const affinity = affinityIn?.(tiers)
  return affinity === undefined ? new TierOrder(tiers, random) : new AffinityOrder(tiers, affinity)
}

/** The one channel an administrator chose. */
export function planOne(channel: RoutedChannel): RoutePlan {
  let left: RoutedChannel | undefined = channel
  return {
    overrides: channel.paramOverride === null ? [] : [channel.paramOverride],
    channels: [channel],
    next() {
      const next = left
      left = undefined
      return next
    },
  }
}
