import {
  type RefusedRoom,
  type ResponseHold,
  smallResponseBytes,
} from '../../../upstream/response-body/response-memory.ts'

/** What an upstream has sent at most before it waits for a caller that does not read. */
const stalledBytes = 256 * 1024

/**
 * What one stream holds in memory: the part of an event that is not complete, once it is much, and what waits for a caller that
 * does not read. A stream of small events whose caller reads counts nothing.
 */
export class StreamMemory {
  readonly #enter: () => ResponseHold
  #hold: ResponseHold | undefined
  #pending = 0
  #isStalled = false

  constructor(enter: () => ResponseHold) {
    this.#enter = enter
  }

  /** So many bytes were read, and something or nothing of them is forwarded. @returns whose room is used up, where there is none */
  take(bytes: number, isForwarded: boolean): RefusedRoom | undefined {
    this.#pending = isForwarded ? 0 : this.#pending + bytes
    return this.#update()
  }

  /** The caller does not keep up. @returns as `take` */
  stall(): RefusedRoom | undefined {
    this.#isStalled = true
    return this.#update()
  }

  /** The caller has taken everything. */
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
