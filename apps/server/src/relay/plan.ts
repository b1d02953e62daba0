import type { ChannelSnapshot, RoutedChannel, Tier } from '../channels/routing-types.ts'

/** A source of numbers in [0, 1). A dependency, so that weighted choice is testable. */
export type Random = () => number

/** How often a draw may hit a channel already tried before the tier is walked instead. */
const drawsBeforeWalk = 8

/** Draws by weight: the channel whose share of the sum holds the point. */
function draw(tier: Tier, random: Random): RoutedChannel | undefined {
  const sum = tier.cumulative.at(-1) ?? 0
  const point = random() * sum
  let low = 0
  let high = tier.cumulative.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((tier.cumulative[middle] ?? 0) > point) high = middle
    else low = middle + 1
  }
  return tier.channels[low]
}

/** Channels of a tier in a random order that follows their weights, each once; lazily, because most calls need one. */
function* drawAll(tier: Tier, random: Random): Generator<RoutedChannel> {
  const tried = new Set<RoutedChannel>()
  for (let misses = 0; tried.size < tier.channels.length && misses < drawsBeforeWalk; ) {
    const channel = draw(tier, random)
    if (channel === undefined || tried.has(channel)) {
      misses += 1
      continue
    }
    tried.add(channel)
    yield channel
  }
  for (const channel of tier.channels) if (!tried.has(channel)) yield channel
}

/**
 * The ordered attempts for a call: tiers from the highest priority down, inside a tier by weight.
 * Lazy and pure but for `random`; a channel is never named twice. `undefined` when no channel serves the model.
 */
export function plan(
  model: string,
  group: string,
  snapshot: ChannelSnapshot,
  random: Random,
): Iterator<RoutedChannel> | undefined {
  const tiers = snapshot.tiers(group, model)
  if (tiers === undefined || tiers.length === 0) return undefined
  return attempts(tiers, random)
}

function* attempts(tiers: readonly Tier[], random: Random): Generator<RoutedChannel> {
  for (const tier of tiers) yield* drawAll(tier, random)
}
