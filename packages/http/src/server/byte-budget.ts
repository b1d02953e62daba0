/** Bytes that other processes have taken of the same budget. */
export interface SharedBytes {
  /** Returns how many they have now. */
  others(): number
  /** Tells them how many this process has. */
  taken(bytes: number): void
}

const noOthers: SharedBytes = { others: () => 0, taken() {} }

/** A limit for bytes in memory at the same time, shared by all their holders. */
export class ByteBudget {
  readonly #limit: number
  readonly #among: SharedBytes
  #taken = 0

  constructor(limitBytes: number, among = noOthers) {
    this.#limit = limitBytes
    this.#among = among
  }

  /** Bytes that are taken now. */
  get takenBytes(): number {
    return this.#taken
  }

  hasRoomFor(bytes: number): boolean {
    return this.#taken + this.#among.others() + bytes <= this.#limit
  }

  /** Takes the bytes; returns false, and takes none, when they exceed the limit. */
  tryTake(bytes: number): boolean {
    if (!this.hasRoomFor(bytes)) return false
    this.#taken += bytes
    this.#among.taken(this.#taken)
    return true
  }

  release(bytes: number): void {
    this.#taken -= bytes
    this.#among.taken(this.#taken)
  }
}

/**
 * @param limitBytes how many bytes may be taken at the same time
 * @param among other processes that take of the same budget
 */
export function createByteBudget(limitBytes: number, among?: SharedBytes): ByteBudget {
  return new ByteBudget(limitBytes, among)
}

/** Bytes that the bodies of one account hold, within its share. Each body that entered it leaves it. */
export interface AccountBodyBudget {
  /** False, and nothing is taken, when the share has no room for so many. */
  tryTake(bytes: number): boolean
  release(bytes: number): void
  hasRoomFor(bytes: number): boolean
  leave(): void
}

/** Shares of a byte budget, one for each account that has bodies in flight, so that no account takes the others' room. */
export class AccountBodyBudgets {
  readonly #limit: number
  readonly #shares = new Map<number, AccountBudget>()

  constructor(limitBytes: number) {
    this.#limit = limitBytes
  }

  /** Accounts that have bodies in flight. */
  get size(): number {
    return this.#shares.size
  }

  /** The share of an account, for one body that must leave it. */
  enter(account: number): AccountBodyBudget {
    let share = this.#shares.get(account)
    if (share === undefined) {
      share = new AccountBudget(this.#limit, () => this.#shares.delete(account))
      this.#shares.set(account, share)
    }
    share.bodies += 1
    return share
  }
}

class AccountBudget extends ByteBudget implements AccountBodyBudget {
  bodies = 0
  readonly #left: () => void

  constructor(limitBytes: number, left: () => void) {
    super(limitBytes)
    this.#left = left
  }

  leave(): void {
    this.bodies -= 1
    if (this.bodies === 0) this.#left()
  }
}

/** @param limitBytes how many bytes of bodies one account may hold at the same time */
export function createAccountBodyBudgets(limitBytes: number): AccountBodyBudgets {
  return new AccountBodyBudgets(limitBytes)
}
