/** @param share how many one holder may have; all when not given */
export function createSemaphore(count: number, share = count) {
  let taken = 0
  const perHolder = new Map<number | undefined, number>()
  return {
    get isFull(): boolean {
      return taken >= count
    },
    /**
     * Takes one; `undefined` while all are taken, or as many as one holder may have. The function gives it back, once however
     * often it is called.
     */
    take(holder?: number): (() => void) | undefined {
      const own = perHolder.get(holder) ?? 0
      if (taken >= count || own >= share) return undefined
      taken += 1
      perHolder.set(holder, own + 1)
      let isGiven = false
      return () => {
        if (isGiven) return
        isGiven = true
        taken -= 1
        const left = (perHolder.get(holder) ?? 0) - 1
        if (left > 0) perHolder.set(holder, left)
        else perHolder.delete(holder)
      }
    },
  }
}

/** So many of something at once, and no more. */
export type Semaphore = ReturnType<typeof createSemaphore>
