import { getOrInsert } from '@tollgate/base'
import { WeightedDraw } from '../../lib/weighted-draw.ts'
import { routingName } from './routing-name.ts'
import type { ChannelSnapshot, RoutedChannel, Tier } from './routing-types.ts'

const asItIs = (name: string) => name

type Index<Entry> = ReadonlyMap<string, ReadonlyMap<string, Entry>>

export const emptySnapshot: ChannelSnapshot = buildSnapshot([], [])

/**
 * Builds the indexes that routing reads: a look-up costs the same with one channel and with thousands.
 * @param unroutable models of channels that no provider serves: known, but not reachable
 */
export function buildSnapshot(
  channels: readonly RoutedChannel[],
  unroutable: readonly string[],
): ChannelSnapshot {
  const byId = new Map(channels.map((channel) => [channel.id, channel]))
  const tiers = buildTiers(channels)
  const names = new Map(unroutable.map((model) => [model, model]))
  for (const channel of channels) for (const model of channel.models) getOrInsert(names, model, asItIs)
  const sortedModels = new Map<string, readonly string[]>()

  return {
    channels,
    channel: (id) => byId.get(id),
    tiers(group, model) {
      const models = tiers.get(group)
      return models?.get(model) ?? models?.get(routingName(model))
    },
    modelsOf(group) {
      // Sorted on first use: most snapshots are replaced before anybody lists their models.
      return getOrInsert(sortedModels, group, () => [...(tiers.get(group)?.keys() ?? [])].sort())
    },
    knowsModel: (model) => names.has(model) || names.has(routingName(model)),
    nameOf: (model) => names.get(model) ?? model,
  }
}

function buildTiers(channels: readonly RoutedChannel[]): Index<readonly Tier[]> {
  const candidates = new Map<string, Map<string, RoutedChannel[]>>()
  // Sorted once here: the lists of each group and model keep the order.
  for (const channel of channels.filter(isRoutable).sort(byPriority)) {
    for (const group of channel.groups)
      addModels(
        getOrInsert(candidates, group, () => new Map()),
        channel,
      )
  }
  const index = new Map<string, ReadonlyMap<string, readonly Tier[]>>()
  const tiersOf = createTierSplitter()
  for (const [group, models] of candidates) {
    const tiersOfModels = new Map<string, readonly Tier[]>()
    for (const [model, list] of models) tiersOfModels.set(model, tiersOf(list))
    index.set(group, tiersOfModels)
  }
  return index
}

function isRoutable(channel: RoutedChannel): boolean {
  return channel.status === 'enabled' && channel.keys.some((_, index) => !channel.disabledKeys.has(index))
}

function byPriority(a: RoutedChannel, b: RoutedChannel): number {
  return b.priority - a.priority || a.id - b.id
}

function addModels(models: Map<string, RoutedChannel[]>, channel: RoutedChannel): void {
  for (const model of channel.models) getOrInsert(models, model, () => []).push(channel)
}

/** Models that one channel alone serves share its tiers: with many models most of them do. */
function createTierSplitter(): (sorted: readonly RoutedChannel[]) => readonly Tier[] {
  const alone = new Map<RoutedChannel, readonly Tier[]>()
  return (sorted) => {
    const [only] = sorted
    if (only === undefined || sorted.length > 1) return splitIntoTiers(sorted)
    return getOrInsert(alone, only, () => splitIntoTiers(sorted))
  }
}

/** @param sorted by priority, highest first */
function splitIntoTiers(sorted: readonly RoutedChannel[]): readonly Tier[] {
  const tiers: Tier[] = []
  let start = 0
  for (let end = 1; end <= sorted.length; end += 1) {
    const first = sorted[start]
    if (first === undefined || sorted[end]?.priority === first.priority) continue
    const channels = sorted.slice(start, end)
    const overrides = channels.flatMap(({ paramOverride }) => (paramOverride === null ? [] : [paramOverride]))
    tiers.push({ priority: first.priority, channels, drawing: drawingOf(channels), overrides })
    start = end
  }
  return tiers
}

/**
 * Draws by the weights that the operator gave, or with equal shares when all are 0. A channel of weight 0 beside others
 * is never drawn: it is used only after they failed.
 */
function drawingOf(channels: readonly Pick<RoutedChannel, 'weight'>[]): WeightedDraw {
  const weights = channels.map(({ weight }) => Math.max(weight, 0))
  return new WeightedDraw(weights.every((weight) => weight === 0) ? weights.map(() => 1) : weights)
}
