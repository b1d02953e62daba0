import type { AccountKind } from '../../store/settlement.ts'
import type { Quota } from '../../store/units.ts'

/** Accounts whose balances are in memory while they are in use. Channels are not: only the database sums what they used. */
export type CachedAccountKind = Exclude<AccountKind, 'channel'>

/** A balance as it comes into memory. */
export interface LoadedBalance {
  readonly balance: Quota
  readonly free: Quota
  readonly others: Quota
}

/** A balance in use. Memory is the truth while it is held; the database follows. */
export interface Account {
  readonly kind: CachedAccountKind
  readonly id: number
  /** Quota that this node may spend, every settled call counted: the whole balance, or the node's share of it. */
  balance: Quota
  /** Quota that no node had been granted when this node last looked; below zero when a debit exceeded that. */
  free: Quota
  /** Quota that other nodes held then. */
  others: Quota
  /** Calls are refused when it is short, as far as this node knows: what they cost beyond the share is returned at once. */
  isLimited: boolean
  /** The share was granted ahead, for many calls. */
  isAmple: boolean
  /** A share below this is raised ahead of need; 0 for none. */
  lowWater: Quota
  /** Reserved for calls in flight. */
  reserved: Quota
  /** Expected cost of calls in flight beyond their reservations; no other call may reserve it. */
  expected: Quota
  /** Number of open reservations, empty ones included. */
  inFlight: number
  /** Number of calls that are served although they may cost more than the account has. */
  uncovered: number
  /** Number of its newest settled call; 0 for none since it came into memory. */
  lastCharge: number
  /** Work under way that relies on this object. */
  pins: number
  /** Used since the last eviction check. */
  recent: boolean
}

/** The balance of the account, as far as this node knows what others have done with theirs. */
export function wholeBalanceOf({ balance, free, others }: Account): Quota {
  return balance + free + others
}

export interface AccountCacheOptions {
  readonly kind: CachedAccountKind
  /** The stored balance; `undefined` when the database has no such account. */
  readonly read: (id: number) => Promise<LoadedBalance | undefined>
  /** Most accounts in the cache; it never evicts those with calls in flight, unflushed calls or pins. */
  readonly limit: number
  /** Number of the newest call that the database has, with all before it. */
  readonly flushedTo: () => number
  /** Returns the share of an account, which can only be evicted without one; absent where the node has whole balances. */
  readonly returnShare?: (account: Account) => void
}

/** Accounts checked per insertion into a full cache: it may overflow while they are all in use. */
const maxLooks = 32

/** Accounts of one kind that are in use, and a bounded number of those that were. */
export class AccountCache {
  readonly #options: AccountCacheOptions
  readonly #accounts = new Map<number, Account>()
  /** Accounts in the order in which eviction checks them. */
  readonly #inTurn = new Set<Account>()
  readonly #loading = new Map<number, Promise<Account | undefined>>()

  constructor(options: AccountCacheOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#inTurn.size
  }

  find(id: number): Account | undefined {
    const account = this.#accounts.get(id)
    if (account !== undefined) account.recent = true
    return account
  }

  /** Loads an account, with one read for concurrent calls. `undefined` when the database lacks it. */
  load(id: number): Promise<Account | undefined> {
    const known = this.#accounts.get(id)
    if (known !== undefined) return Promise.resolve(known)
    const pending = this.#loading.get(id)
    if (pending !== undefined) return pending
    const work = this.#readIn(id).finally(() => this.#loading.delete(id))
    this.#loading.set(id, work)
    return work
  }

  async #readIn(id: number): Promise<Account | undefined> {
    const loaded = await this.#options.read(id)
    if (loaded === undefined) return undefined
    this.#evict()
    const { balance, free, others } = loaded
    const account: Account = {
      kind: this.#options.kind,
      id,
      balance,
      free,
      others,
      isLimited: true,
      isAmple: false,
      lowWater: 0,
      reserved: 0,
      expected: 0,
      inFlight: 0,
      uncovered: 0,
      lastCharge: 0,
      pins: 0,
      recent: true,
    }
    this.#accounts.set(id, account)
    this.#inTurn.add(account)
    return account
  }

  /** All accounts in memory. */
  all(): Iterable<Account> {
    return this.#inTurn
  }

  /** Forgets every account that nothing uses; returns the others. */
  forgetIdle(): Account[] {
    const flushedTo = this.#options.flushedTo()
    for (const account of this.#inTurn) {
      if (isInUse(account, flushedTo)) continue
      this.#inTurn.delete(account)
      this.#accounts.delete(account.id)
    }
    return [...this.#inTurn]
  }

  /** CLOCK (second chance): an account used since the last look goes to the end instead. */
  #evict(): void {
    const { returnShare } = this.#options
    const flushedTo = this.#options.flushedTo()
    let looks = 0
    for (const account of this.#inTurn) {
      if (this.#inTurn.size < this.#options.limit || looks === maxLooks) return
      looks += 1
      this.#inTurn.delete(account)
      if (account.recent || isInUse(account, flushedTo)) this.#inTurn.add(account)
      else if (returnShare === undefined || account.balance === 0) this.#accounts.delete(account.id)
      else {
        this.#inTurn.add(account)
        returnShare(account)
      }
      account.recent = false
    }
  }
}

function isInUse({ inFlight, lastCharge, pins }: Account, flushedTo: number): boolean {
  return inFlight > 0 || lastCharge > flushedTo || pins > 0
}
