import type { Quota } from '../store/entities.ts'

export interface UndrainedSum {
  readonly quota: Quota
  readonly calls: number
}

export const nothingUndrained: UndrainedSum = { quota: 0, calls: 0 }

/** Numbers kept of one charge. */
const width = 4

/**
 * Charges that the database lacks, in the order of their numbers. Kept as bare numbers: thousands wait at a time, and
 * objects would have to be looked at by every collection.
 */
export class UndrainedCharges {
  /** A ring of `width` numbers per charge. */
  #ring = new Float64Array(1024 * width)
  #first: number
  #length = 0

  /** @param position the database has everything up to here */
  constructor(position: number) {
    this.#first = position + 1
  }

  /** The charge with the next number. */
  add(userId: number, tokenId: number, channelId: number, quota: Quota): void {
    if ((this.#length + 1) * width > this.#ring.length) this.#grow()
    const at = this.#placeOf(this.#length)
    this.#ring[at] = userId
    this.#ring[at + 1] = tokenId
    this.#ring[at + 2] = channelId
    this.#ring[at + 3] = quota
    this.#length += 1
  }

  /** The database has everything up to `position`: each charge is told once, however often it goes back. */
  drainedTo(position: number, tell: (userId: number, tokenId: number, quota: Quota) => void): void {
    for (; this.#length > 0 && this.#first <= position; this.#first += 1, this.#length -= 1) {
      const at = this.#placeOf(0)
      const ring = this.#ring
      tell(ring[at] ?? 0, ring[at + 1] ?? 0, ring[at + 3] ?? 0)
    }
  }

  /** What a channel served. Looks at every charge that waits: for those who read, not for calls. */
  ofChannel(channelId: number): UndrainedSum {
    let quota = 0
    let calls = 0
    for (let index = 0; index < this.#length; index += 1) {
      const at = this.#placeOf(index)
      if (this.#ring[at + 2] !== channelId) continue
      quota += this.#ring[at + 3] ?? 0
      calls += 1
    }
    return { quota, calls }
  }

  #placeOf(index: number): number {
    return ((this.#first + index) * width) % this.#ring.length
  }

  #grow(): void {
    const former = this.#ring
    this.#ring = new Float64Array(former.length * 2)
    for (let index = 0; index < this.#length; index += 1) {
      const at = ((this.#first + index) * width) % former.length
      this.#ring.set(former.subarray(at, at + width), this.#placeOf(index))
    }
  }
}
