/** A limit for bytes that are held at the same time, shared by whoever holds them. */
export class ByteBudget {
  readonly #limit: number
  #taken = 0

  constructor(limitBytes: number) {
    this.#limit = limitBytes
  }

  /** Bytes that are taken now. */
  get takenBytes(): number {
    return this.#taken
  }

  hasRoomFor(bytes: number): boolean {
    return this.#taken + bytes <= this.#limit
  }

  /** False, and nothing is taken, when there is no room for so many. */
  tryTake(bytes: number): boolean {
    if (!this.hasRoomFor(bytes)) return false
    this.#taken += bytes
    return true
  }

  release(bytes: number): void {
    this.#taken -= bytes
  }
}

/** @param limitBytes how many bytes may be taken at the same time */
export function createByteBudget(limitBytes: number): ByteBudget {
  return new ByteBudget(limitBytes)
}
