/** Lets changes of one channel happen one after the other: each reads what the one before wrote. */
export interface ChannelLocks {
  run<Result>(channelId: number, work: () => Promise<Result>): Promise<Result>
}

export function createChannelLocks(): ChannelLocks {
  const tails = new Map<number, Promise<unknown>>()
  return {
    run(channelId, work) {
      const result = (tails.get(channelId) ?? Promise.resolve()).then(work)
      const tail = result.catch(() => undefined)
      tails.set(channelId, tail)
      void tail.then(() => {
        if (tails.get(channelId) === tail) tails.delete(channelId)
      })
      return result
    },
  }
}
