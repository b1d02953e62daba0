/** So many of something at once, and no more. */
export interface Slots {
  /** Takes one; `undefined` while all are taken. The function gives it back, once however often it is called. */
  take(): (() => void) | undefined
}

export function createSlots(count: number): Slots {
  let taken = 0
  return {
    take() {
      if (taken >= count) return undefined
      taken += 1
      let isGiven = false
      return () => {
        if (!isGiven) taken -= 1
        isGiven = true
      }
    },
  }
}
