import type { Logger } from '../../lib/logger.ts'
import type { Quota } from '../../store/units.ts'
import type { Account, AccountCache, CachedAccountKind } from '../balances/account-cache.ts'

export interface BalanceUpdatesOptions {
  readonly caches: Readonly<Record<CachedAccountKind, AccountCache>>
  /** Reads the balance of an account from the database; it may differ from memory in anything. */
  readonly readAnew: (account: Account) => Promise<void>
  /** Adds to an account what has been credited in the database. Must not reject. */
  readonly credited: (account: Account, amount: Quota) => Promise<void>
  /** Receives the accounts of a finished move, while they are in memory. */
  readonly moved?: (accounts: readonly Account[]) => void
  readonly logger: Logger
}

export interface AccountRef {
  readonly kind: CachedAccountKind
  readonly id: number
}

const retryMs = 1000

/**
 * Money that moves in the database first and then in memory. One move of an account at a time; an account whose move
 * failed without saying whether it was written is read anew before it is trusted.
 */
export class BalanceUpdates {
  readonly #options: BalanceUpdatesOptions
  /** The last move of each account ends when its promise settles. */
  readonly #turns = new WeakMap<Account, Promise<unknown>>()
  readonly #doubtful = new Set<Account>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #closed = false

  constructor(options: BalanceUpdatesOptions) {
    this.#options = options
  }

  /**
   * Runs `work` while only calls move money of these accounts, and keeps them in memory for it. Passes it those that the
   * database has, in their order. Takes several accounts in one step, so that two updates cannot deadlock.
   */
  async withAccounts<T>(
    refs: readonly AccountRef[],
    work: (accounts: readonly Account[]) => Promise<T>,
  ): Promise<T> {
    const loaded = await Promise.all(refs.map(({ kind, id }) => this.#options.caches[kind].load(id)))
    const accounts = loaded.filter((account) => account !== undefined)
    for (const account of accounts) account.pins += 1
    const before = Promise.all(accounts.map((account) => this.#turns.get(account)))
    const result = before.then(async () => {
      for (const account of accounts) if (this.#doubtful.has(account)) await this.#readAnew(account)
      const outcome = await work(accounts)
      this.#options.moved?.(accounts)
      return outcome
    })
    const unpin = () => {
      for (const account of accounts) account.pins -= 1
    }
    const ended = result.then(unpin, unpin)
    for (const account of accounts) this.#turns.set(account, ended)
    return await result
  }

  /** Runs the database's part of a move. When it throws, memory equals the database, now or after a new read. */
  async inDatabase<T>(accounts: readonly Account[], work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      for (const account of accounts) await this.#doubtInTurn(account)
      throw error
    }
  }

  /** Counts in memory what the database has been credited with, or debited by. */
  credited(account: Account, amount: Quota): Promise<void> {
    return this.#options.credited(account, amount)
  }

  /** Reads accounts anew, each in its turn, now or soon. False when not all of them could be read now. */
  async doubt(accounts: readonly Account[]): Promise<boolean> {
    for (const account of accounts) this.#suspect(account)
    await Promise.all(accounts.map((account) => this.#tryAgain(account)))
    const isSure = accounts.every((account) => !this.#doubtful.has(account))
    if (!isSure) this.#retryLater()
    return isSure
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  #suspect(account: Account): void {
    if (this.#doubtful.has(account)) return
    this.#doubtful.add(account)
    account.pins += 1
  }

  async #doubtInTurn(account: Account): Promise<void> {
    this.#suspect(account)
    await this.#readAnew(account).catch((error: unknown) => {
      this.#options.logger.error(
        { err: error, kind: account.kind, id: account.id },
        'ledger: the database did not confirm this credit, and the balance is read again soon: check the database',
      )
      this.#retryLater()
    })
  }

  async #readAnew(account: Account): Promise<void> {
    await this.#options.readAnew(account)
    if (this.#doubtful.delete(account)) account.pins -= 1
  }

  #retryLater(): void {
    if (this.#closed || this.#timer !== undefined) return
    this.#timer = setTimeout(() => void this.#retry(), retryMs)
    this.#timer.unref()
  }

  async #retry(): Promise<void> {
    this.#timer = undefined
    for (const account of this.#doubtful) await this.#tryAgain(account)
    if (this.#doubtful.size > 0) this.#retryLater()
  }

  /** Takes a turn of the account, which reads it. */
  async #tryAgain(account: Account): Promise<void> {
    await this.withAccounts([account], async () => undefined).catch(() => undefined)
  }
}
