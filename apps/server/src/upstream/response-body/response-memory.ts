import {
  type AccountBodyBudget,
  createAccountBodyBudgets,
  createByteBudget,
  type SharedBytes,
} from '@tollgate/http/server'

/** A response up to this size is not counted: it takes little memory for a short time. */
export const smallResponseBytes = 64 * 1024

/** Exhausted room: the account's share, or that of all together. */
export type RefusedRoom = 'account' | 'all'

/** Memory of all calls' responses, bounded together and for each account. */
export interface ResponseMemory {
  /** Opens the hold of one response of an account; it must be released. */
  enter(account: number): ResponseHold
}

interface Options {
  readonly limitBytes: number
  readonly accountLimitBytes: number
  /** Time for which a response waits for room before it is refused: its upstream waits as well, since it is not read. */
  readonly waitMs?: number
  /** Other processes that hold responses within the same limit. */
  readonly among?: SharedBytes | undefined
}

const defaultWaitMs = 2000
const lookMs = 100

export function createResponseMemory({
  limitBytes,
  accountLimitBytes,
  waitMs = defaultWaitMs,
  among,
}: Options): ResponseMemory {
  const all = createByteBudget(limitBytes, among)
  const shares = createAccountBodyBudgets(accountLimitBytes)
  const room = new Room()
  return { enter: (account) => new ResponseHold({ all, room, waitMs }, shares.enter(account)) }
}

/** Those that wait for room; each looks again when some was released. */
class Room {
  #waiting: (() => void)[] = []

  released(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) resume()
  }

  /** Resolves when room was released, or the time is over. */
  async wait(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    this.#waiting.push(resolve)
    await promise
    clearTimeout(timer)
    this.#waiting = this.#waiting.filter((each) => each !== resolve)
  }
}

interface Shared {
  readonly all: ReturnType<typeof createByteBudget>
  readonly room: Room
  readonly waitMs: number
}

/** Memory that one response holds. */
export class ResponseHold {
  readonly #shared: Shared
  readonly #share: AccountBodyBudget
  #bytes = 0
  #isReleased = false

  constructor(shared: Shared, share: AccountBodyBudget) {
    this.#shared = shared
    this.#share = share
  }

  /** Takes so many more bytes, and waits for room where there is none. Resolves with whose room is used up. */
  take(bytes: number): RefusedRoom | undefined | Promise<RefusedRoom | undefined> {
    const refused = this.tryTake(bytes)
    return refused === undefined ? undefined : this.#wait(bytes)
  }

  /** Holds so many bytes from now on, more or fewer. Whose room is used up, where there is none: then it holds what it held. */
  set(bytes: number): RefusedRoom | undefined {
    const more = bytes - this.#bytes
    if (more > 0) return this.tryTake(more)
    if (more < 0 && !this.#isReleased) {
      this.#bytes = bytes
      this.#shared.all.release(-more)
      this.#share.release(-more)
      this.#shared.room.released()
    }
    return undefined
  }

  /** Releases all that it holds. Idempotent. */
  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#shared.all.release(this.#bytes)
    this.#share.release(this.#bytes)
    this.#share.leave()
    if (this.#bytes > 0) this.#shared.room.released()
  }

  async #wait(bytes: number): Promise<RefusedRoom | undefined> {
    const end = performance.now() + this.#shared.waitMs
    for (;;) {
      const leftMs = end - performance.now()
      // What another process releases is seen at the next look.
      if (leftMs > 0) await this.#shared.room.wait(Math.min(leftMs, lookMs))
      const refused = this.tryTake(bytes)
      if (refused === undefined || leftMs <= 0) return refused
    }
  }

  /** The same at once: whose room is used up, where there is none. */
  tryTake(bytes: number): RefusedRoom | undefined {
    // Released while it waited: its call is over.
    if (this.#isReleased) return undefined
    if (!this.#share.tryTake(bytes)) return 'account'
    if (!this.#shared.all.tryTake(bytes)) {
      this.#share.release(bytes)
      return 'all'
    }
    this.#bytes += bytes
    return undefined
  }
}
