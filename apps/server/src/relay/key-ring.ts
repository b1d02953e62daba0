import type { HealthBook, RoutedChannel } from '../channels/routing-types.ts'

/** Chooses which key of a channel serves the next attempt: in turn, among those that are well. */
export interface KeyRing {
  /** Index of the key to use, never one of `tried`; `undefined` when no key of the channel may be used now. */
  pick(channel: RoutedChannel, model: string, tried?: ReadonlySet<number>): number | undefined
  /** Like `pick`, but a resting key is better than none: for calls that have nowhere else to go. */
  pickResting(channel: RoutedChannel, tried?: ReadonlySet<number>): number | undefined
}

export function createKeyRing(health: Pick<HealthBook, 'admits'>): KeyRing {
  /** Where the turn of each multi-key channel stands. Grows with channels only. */
  const turns = new Map<number, number>()

  function rotate(
    channel: RoutedChannel,
    tried: ReadonlySet<number> | undefined,
    usable: (index: number) => boolean,
  ): number | undefined {
    const count = channel.keys.length
    const start = count === 1 ? 0 : (turns.get(channel.id) ?? 0)
    for (let step = 0; step < count; step += 1) {
      const index = (start + step) % count
      if (channel.disabledKeys.has(index) || tried?.has(index) === true || !usable(index)) continue
      if (count > 1) turns.set(channel.id, (index + 1) % count)
      return index
    }
    return undefined
  }

  return {
    pick: (channel, model, tried) =>
      rotate(channel, tried, (index) => health.admits(channel.id, index, model)),
    pickResting: (channel, tried) => rotate(channel, tried, () => true),
  }
}
