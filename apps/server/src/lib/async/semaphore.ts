/** @param share the most permits of one holder; all when not given */
export function createSemaphore(count: number, share = count) {
  let taken = 0
  const perHolder = new Map<number | undefined, number>()
  return {
    get isFull(): boolean {
      return taken >= count
    },
    /**
     * Acquires a permit; `undefined` while all are taken, or when the holder has its share. The returned function
     * releases it; further calls of it do nothing.
     */
    take(holder?: number): (() => void) | undefined {
      const own = perHolder.get(holder) ?? 0
      if (taken >= count || own >= share) return undefined
      taken += 1
      perHolder.set(holder, own + 1)
      let isReleased = false
      return () => {
        if (isReleased) return
        isReleased = true
        taken -= 1
        const left = (perHolder.get(holder) ?? 0) - 1
        if (left > 0) perHolder.set(holder, left)
        else perHolder.delete(holder)
      }
    },
  }
}

/** A limited number of permits. */
export type Semaphore = ReturnType<typeof createSemaphore>
