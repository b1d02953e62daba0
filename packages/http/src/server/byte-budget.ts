/** A limit for bytes that are held at the same time, shared by whoever holds them. */
export interface ByteBudget {
  /** Bytes that are taken now. */
  readonly takenBytes: number
  /** False, and nothing is taken, when so many are not left. */
  tryTake(bytes: number): boolean
  release(bytes: number): void
}

/** @param limitBytes how many bytes may be taken at the same time */
export function createByteBudget(limitBytes: number): ByteBudget {
  let taken = 0
  return {
    get takenBytes() {
      return taken
    },
    tryTake(bytes) {
      if (taken + bytes > limitBytes) return false
      taken += bytes
      return true
    },
    release(bytes) {
      taken -= bytes
    },
  }
}
