import { getOrInsert } from '@tollgate/base'
import type { HealthRegistry } from '../../../channels/health/health-types.ts'
import { ConsistentHash } from '../../../channels/routing/consistent-hash.ts'
import type { RoutedChannel } from '../../../channels/routing/routing-types.ts'

/** Chooses which key of a channel serves the next attempt: in turn, among those that are healthy. */
export interface KeyRotation {
  /** Index of the key to use, never one of `tried`; `undefined` when no key of the channel may be used now. */
  pick(
    channel: RoutedChannel,
    model: string,
    tried?: ReadonlySet<number>,
    /** Seed of a session: its own key is the first choice. */
    seed?: number,
  ): number | undefined
  /** Like `pick`, but takes keys in cooldown too: for calls that have nowhere else to go. */
  pickCooling(channel: RoutedChannel, tried?: ReadonlySet<number>): number | undefined
}

export function createKeyRotation(health: Pick<HealthRegistry, 'admits'>): KeyRotation {
  /** Number of turns at each multi-key channel. Grows with channels only. */
  const turns = new Map<number, number>()
  /** Orderings of channels that sessions were bound to. */
  const orderings = new WeakMap<readonly string[], ConsistentHash>()

  function isUsable(
    channel: RoutedChannel,
    index: number,
    tried: ReadonlySet<number> | undefined,
    model: string | undefined,
  ): boolean {
    if (channel.disabledKeys.has(index) || tried?.has(index) === true) return false
    return model === undefined || health.admits(channel.id, index, model)
  }

  /** @param model `undefined` to take keys in cooldown too */
  function rotate(
    channel: RoutedChannel,
    model: string | undefined,
    tried: ReadonlySet<number> | undefined,
  ): number | undefined {
    const count = channel.keys.length
    if (count === 1) return isUsable(channel, 0, tried, model) ? 0 : undefined
    const start = turns.get(channel.id) ?? 0
    for (let step = 0; step < count; step += 1) {
      const index = (start + step) % count
      if (!isUsable(channel, index, tried, model)) continue
      turns.set(channel.id, (index + 1) % count)
      return index
    }
    return undefined
  }

  /** The session's own key; the next ones in its order while that is not usable, but not all of a long list. */
  function prefer(
    channel: RoutedChannel,
    model: string,
    tried: ReadonlySet<number> | undefined,
    seed: number,
  ): number | undefined {
    const ordering = getOrInsert(orderings, channel.keys, () => orderOf(channel.keys))
    const own = ordering.first(seed)
    if (own === undefined || isUsable(channel, own, tried, model)) return own
    let looked = 0
    for (const index of ordering.all(seed)) {
      if (isUsable(channel, index, tried, model)) return index
      looked += 1
      if (looked === preferredKeys) break
    }
    return undefined
  }

  return {
    pick(channel, model, tried, seed) {
      const isFree = seed === undefined || channel.keys.length === 1
      const own = isFree ? undefined : prefer(channel, model, tried, seed)
      return own ?? rotate(channel, model, tried)
    },
    pickCooling: (channel, tried) => rotate(channel, undefined, tried),
  }
}

const preferredKeys = 3

function orderOf(keys: readonly string[]): ConsistentHash {
  return new ConsistentHash(keys.map((_, id) => ({ id, weight: 1 })))
}
