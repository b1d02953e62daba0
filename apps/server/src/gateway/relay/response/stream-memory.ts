import {
  type RefusedRoom,
  type ResponseHold,
  smallResponseBytes,
} from '../../../upstream/response-body/response-memory.ts'

/** Upper bound of what an upstream sends before it waits for a caller that does not read. */
const stalledBytes = 256 * 1024

/**
 * Memory of one stream: the part of an event that is incomplete, once it is large, and the output that waits for a caller that does not
 * read. A stream of small events whose caller reads counts nothing.
 */
export class StreamMemory {
  readonly #enter: () => ResponseHold
  #hold: ResponseHold | undefined
  #pending = 0
  #isStalled = false

  constructor(enter: () => ResponseHold) {
    this.#enter = enter
  }

  /**
   * Counts bytes that were read, and of which something or nothing is forwarded. @returns the exhausted room, where no room is left
   */
  take(bytes: number, isForwarded: boolean): RefusedRoom | undefined {
    this.#pending = isForwarded ? 0 : this.#pending + bytes
    return this.#update()
  }

  /** Notes that the caller does not keep up. @returns as `take` */
  stall(): RefusedRoom | undefined {
    this.#isStalled = true
    return this.#update()
  }

  /** Notes that the caller has taken everything. */
  resumed(): void {
    if (!this.#isStalled) return
    this.#isStalled = false
    this.#update()
  }

  release(): void {
    this.#hold?.release()
  }

  #update(): RefusedRoom | undefined {
    const pending = this.#pending > smallResponseBytes ? this.#pending : 0
    const bytes = pending + (this.#isStalled ? stalledBytes : 0)
    if (bytes === 0 && this.#hold === undefined) return undefined
    this.#hold ??= this.#enter()
    return this.#hold.set(bytes)
  }
}
