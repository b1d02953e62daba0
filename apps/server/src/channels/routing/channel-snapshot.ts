import { familyName } from '@tollgate/api'
import { getOrInsert } from '@tollgate/base'
import { ConsistentHash } from './consistent-hash.ts'
import { ModelNames } from './model-names.ts'
import type { ChannelSnapshot, RoutedChannel, Tier } from './routing-types.ts'
import { WeightedPicker } from './weighted-picker.ts'

/** A channel without a provider or with unreadable keys: known, but not reachable. */
export interface UnroutableChannel {
  readonly id: number
  readonly models: ReadonlySet<string>
}

export const emptySnapshot: ChannelSnapshot = buildSnapshot([], [])

/**
 * Builds the data that routing reads. Tiers are built when a group first requests a model and cached, so that a change
 * of one channel costs the same with many models as with few, and every later look-up is one of a map.
 * @param names of all models that the channels list
 */
export function buildSnapshot(
  channels: readonly RoutedChannel[],
  unroutable: readonly UnroutableChannel[],
  names: ModelNames = namesOf([...channels, ...unroutable]),
): ChannelSnapshot {
  const byId = new Map(channels.map((channel) => [channel.id, channel]))
  const ofGroup = byGroup(channels)
  const tiers = new Map<string, Map<string, readonly Tier[]>>()
  const sortedModels = new Map<string, readonly string[]>()
  const listers = new Map<string, Listers>()
  const tiersOf = createTierSplitter()
  const listed = [...channels, ...unroutable]

  function findTiers(group: string, model: string): readonly Tier[] | undefined {
    // The stored name, not the caller's: a substring would hold the request body in memory.
    const name = names.find(model)
    const ownChannels = ofGroup.get(group)
    if (name === undefined || ownChannels === undefined) return undefined
    // Also for a model that the group cannot reach: calls that are refused may come as often as others.
    const ofModels = getOrInsert(tiers, group, () => new Map<string, readonly Tier[]>())
    const found = getOrInsert(ofModels, name, () => tiersOf(ownChannels.filter(serving(name))))
    return found.length === 0 ? undefined : found
  }

  function listersOf(model: string): Listers {
    const name = names.find(model)
    return name === undefined
      ? 'none'
      : getOrInsert(listers, name, () => listersIn(channels, unroutable, name))
  }

  const isListed = (model: string) => listersOf(model) !== 'none'

  function lists(group: string, model: string): boolean {
    const found = listersOf(model)
    return typeof found === 'string' ? found === 'some of unknown groups' : found.has(group)
  }

  return {
    channels,
    channel: (id) => byId.get(id),
    tiers: (group, model) => findTiers(group, model) ?? findTiers(group, familyName(model)),
    // Sorted on first use: most snapshots are replaced before a caller lists their models.
    modelsOf: (group) => getOrInsert(sortedModels, group, () => modelsIn(ofGroup.get(group) ?? [])),
    knowsModel: (model) => isListed(model) || isListed(familyName(model)),
    lists: (group, model) => lists(group, model) || lists(group, familyName(model)),
    nameOf: (model) => names.find(model) ?? model,
    listing(part) {
      const found = new Set(names.containing(part))
      return new Set(listed.filter(({ models }) => share(models, found)).map(({ id }) => id))
    },
  }
}

/** Groups of the channels that list a model, enabled or not. */
type Listers = ReadonlySet<string> | 'some of unknown groups' | 'none'

function listersIn(
  channels: readonly RoutedChannel[],
  unroutable: readonly UnroutableChannel[],
  model: string,
): Listers {
  if (unroutable.some(({ models }) => models.has(model))) return 'some of unknown groups'
  const listing = channels.filter(serving(model))
  return listing.length === 0 ? 'none' : new Set(listing.flatMap(({ groups }) => groups))
}

function namesOf(channels: readonly UnroutableChannel[]): ModelNames {
  const names = new ModelNames()
  for (const { models } of channels) for (const model of models) names.intern(model)
  return names
}

/** Decides whether the sets have a name in common. */
function share(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [few, many] = a.size < b.size ? [a, b] : [b, a]
  for (const name of few) if (many.has(name)) return true
  return false
}

function serving(model: string): (channel: RoutedChannel) => boolean {
  return ({ models }) => models.has(model)
}

/** Channels that may be called, by group, the highest priority first. */
function byGroup(channels: readonly RoutedChannel[]): ReadonlyMap<string, readonly RoutedChannel[]> {
  const groups = new Map<string, RoutedChannel[]>()
  for (const channel of channels.filter(isRoutable).sort(byPriority))
    for (const group of channel.groups) getOrInsert(groups, group, () => []).push(channel)
  return groups
}

function modelsIn(channels: readonly RoutedChannel[]): readonly string[] {
  const models = new Set<string>()
  for (const channel of channels) for (const model of channel.models) models.add(model)
  return [...models].sort()
}

/** Decides whether calls may reach the channel: it is enabled, and has a key in service. */
export function isRoutable(channel: RoutedChannel): boolean {
  return channel.status === 'enabled' && channel.keys.some((_, index) => !channel.disabledKeys.has(index))
}

function byPriority(a: RoutedChannel, b: RoutedChannel): number {
  return b.priority - a.priority || a.id - b.id
}

/** All models that only one channel serves share its tiers: with many models most of them do. */
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
    const ordering = new ConsistentHash(channels)
    tiers.push({ priority: first.priority, channels, picker: pickerOf(channels), ordering, overrides })
    start = end
  }
  return tiers
}

/**
 * Draws by the weights that the operator gave, or with equal shares when all are 0. A channel of weight 0 beside others
 * is never drawn: it is used only after they failed.
 */
function pickerOf(channels: readonly Pick<RoutedChannel, 'weight'>[]): WeightedPicker {
  const weights = channels.map(({ weight }) => Math.max(weight, 0))
  return new WeightedPicker(weights.every((weight) => weight === 0) ? weights.map(() => 1) : weights)
}
