import type { Quota } from '../store/entities.ts'

export interface UndrainedSum {
  readonly quota: Quota
  readonly calls: number
}

export const nothingUndrained: UndrainedSum = { quota: 0, calls: 0 }

/** What channels served that the database does not show yet. */
export interface ChannelSums {
  of(channelId: number): UndrainedSum
  add(channelId: number, quota: Quota): void
  remove(channelId: number, quota: Quota): void
}

export function createChannelSums(): ChannelSums {
  const sums = new Map<number, UndrainedSum>()
  const of = (channelId: number) => sums.get(channelId) ?? nothingUndrained
  return {
    of,
    add(channelId, quota) {
      const sum = of(channelId)
      sums.set(channelId, { quota: sum.quota + quota, calls: sum.calls + 1 })
    },
    remove(channelId, quota) {
      const sum = of(channelId)
      if (sum.calls <= 1) sums.delete(channelId)
      else sums.set(channelId, { quota: sum.quota - quota, calls: sum.calls - 1 })
    },
  }
}
