import type { HealthBook } from '../../channels/health/health-types.ts'
import type { RoutedChannel } from '../../channels/routing/routing-types.ts'

/** Chooses which key of a channel serves the next attempt: in turn, among those that are healthy. */
export interface KeyRing {
  /** Index of the key to use, never one of `tried`; `undefined` when no key of the channel may be used now. */
  pick(channel: RoutedChannel, model: string, tried?: ReadonlySet<number>): number | undefined
  /** Like `pick`, but takes keys in cooldown too: for calls that have nowhere else to go. */
  pickCooling(channel: RoutedChannel, tried?: ReadonlySet<number>): number | undefined
}

export function createKeyRing(health: Pick<HealthBook, 'admits'>): KeyRing {
  /** Where the turn of each multi-key channel stands. Grows with channels only. */
  const turns = new Map<number, number>()

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

  return {
    pick: rotate,
    pickCooling: (channel, tried) => rotate(channel, undefined, tried),
  }
}
