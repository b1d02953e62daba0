import type { ChannelSnapshot, RoutedChannel, Tier } from '../../../channels/routing/routing-types.ts'
import type { ParamOverride } from '../../../upstream/body-operations/operation.ts'

/** A source of numbers in [0, 1). A dependency, so that weighted choice is testable. */
export type Random = () => number

/** Number of draws that may hit a channel already tried before the tier is walked instead. */
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

/** Model and group of the calls that a plan is for. */
interface Served {
  readonly model: string
  readonly group: string
}

/** Parts that all orders of a model's tiers share. */
abstract class TierPlan implements RoutePlan {
  protected readonly tiers: readonly Tier[]
  readonly #served: Served

  constructor(served: Served, tiers: readonly Tier[]) {
    this.#served = served
    this.tiers = tiers
  }

  get overrides() {
    return this.tiers.flatMap(({ overrides }) => overrides)
  }

  get channels() {
    return this.tiers.flatMap(({ channels }) => channels)
  }

  current(planned: RoutedChannel, snapshot: ChannelSnapshot): RoutedChannel | undefined {
    if (snapshot.channel(planned.id) === planned) return planned
    const tiers = snapshot.tiers(this.#served.group, this.#served.model) ?? []
    return tiers.flatMap(({ channels }) => channels).find(({ id }) => id === planned.id)
  }

  abstract next(): RoutedChannel | undefined
}

/**
 * The first channels of calls are taken in turn, those behind them by luck: whatever calls fail together should not go
 * on together. Most calls need one channel: what leads to the others is made when they are asked for.
 */
class TierOrder extends TierPlan {
  readonly #random: Random
  #first: RoutedChannel | undefined
  #others: Iterator<RoutedChannel, undefined> | undefined

  constructor(served: Served, tiers: readonly Tier[], random: Random) {
    super(served, tiers)
    this.#random = random
  }

  next(): RoutedChannel | undefined {
    const [tier] = this.tiers
    if (this.#first === undefined && tier !== undefined) {
      this.#first = tier.channels[tier.picker.next(this.#random)]
      if (this.#first !== undefined) return this.#first
    }
    this.#others ??= afterFirst(this.tiers, this.#first, this.#random)
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
  const served = { model, group }
  return affinity === undefined
    ? new TierOrder(served, tiers, random)
    : new AffinityOrder(served, tiers, affinity)
}

/** The one channel an administrator chose. */
export function planOne(channel: RoutedChannel): RoutePlan {
  let left: RoutedChannel | undefined = channel
  return {
    overrides: channel.paramOverride === null ? [] : [channel.paramOverride],
    channels: [channel],
    current: (planned, snapshot) =>
      snapshot.channel(planned.id)?.status === 'enabled' ? planned : undefined,
    next() {
      const next = left
      left = undefined
      return next
    },
  }
}

/** Channels in the order in which a call tries them. */
export interface RoutePlan {
  /** The `param_override` of the channels that may be tried. */
  readonly overrides: readonly ParamOverride[]
  /** The channels that may be tried, in no order. */
  readonly channels: readonly RoutedChannel[]
  /** The session that the call belongs to, and the channel that is its own. */
  readonly affinity?: ChannelAffinity
  /** Never one named before; `undefined` when there is none left. */
  next(): RoutedChannel | undefined
  /** Returns a channel of the plan as it is by now; `undefined` when it serves no such calls any more. */
  current(planned: RoutedChannel, snapshot: ChannelSnapshot): RoutedChannel | undefined
}

/** The channels of a call that belongs to a session: each tier in the order that the session has for it. */
export class AffinityOrder extends TierPlan {
  readonly affinity: ChannelAffinity
  #own: RoutedChannel | undefined
  /** Most calls need one channel: what leads to the others is made when they are asked for. */
  #others: Iterator<RoutedChannel, undefined> | undefined

  constructor(served: Served, tiers: readonly Tier[], affinity: Affinity) {
    super(served, tiers)
    this.#own = ownOf(tiers[0], affinity.seed)
    this.affinity = { ...affinity, channelId: this.#own?.id ?? 0 }
  }

  next(): RoutedChannel | undefined {
    const own = this.#own
    this.#own = undefined
    if (own !== undefined) return own
    this.#others ??= othersOf(this.tiers, this.affinity.seed)
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

/** Identifiers by which a call belongs to earlier ones. */
export type AffinitySource = 'prompt_cache_key' | 'session_id' | 'user_id' | 'conversation'

/** Calls of one session go to one channel and key, whose upstream then has their beginning in its prompt cache. */
export interface Affinity {
  readonly by: AffinitySource
  /** The same for every call of the session, an unsigned whole number of 32 bits. */
  readonly seed: number
}

/** The same, with the channel that is the session's own. */
export interface ChannelAffinity extends Affinity {
  readonly channelId: number
}
