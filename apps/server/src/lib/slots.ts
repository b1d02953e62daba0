/** So many of something at once, and no more. */
export interface Slots {
  readonly isFull: boolean
  /**
   * Takes one; `undefined` while all are taken, or as many as one holder may have. The function gives it back, once however
   * often it is called.
   */
  take(holder?: number): (() => void) | undefined
}

/** @param share how many one holder may have; all when not given */
export function createSlots(count: number, share = count): Slots {
  let taken = 0
  const held = new Map<number | undefined, number>()
  return {
    get isFull() {
      return taken >= count
    },
    take(holder) {
      const own = held.get(holder) ?? 0
      if (taken >= count || own >= share) return undefined
      taken += 1
      held.set(holder, own + 1)
      let isGiven = false
      return () => {
        if (isGiven) return
        isGiven = true
        taken -= 1
        const left = (held.get(holder) ?? 0) - 1
        if (left > 0) held.set(holder, left)
        else held.delete(holder)
      }
    },
  }
}
