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
  /** Kept at nothing, too: channels are few, and entries that come and go with every drain cost more than they hold. */
  const sums = new Map<number, { quota: Quota; calls: number }>()
  return {
    of: (channelId) => ({ ...(sums.get(channelId) ?? nothingUndrained) }),
    add(channelId, quota) {
      const sum = sums.get(channelId)
      if (sum === undefined) {
        sums.set(channelId, { quota, calls: 1 })
        return
      }
      sum.quota += quota
      sum.calls += 1
    },
    remove(channelId, quota) {
      const sum = sums.get(channelId)
      if (sum === undefined) return
      sum.quota -= quota
      sum.calls -= 1
    },
  }
}
