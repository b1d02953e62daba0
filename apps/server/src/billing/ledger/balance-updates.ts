import type { Logger } from '../../lib/logger.ts'
import type { LedgerRepository } from '../../store/store.ts'
import type { Account, AccountCache, CachedAccountKind } from './account-cache.ts'

export interface BalanceUpdatesOptions {
  readonly repository: Pick<LedgerRepository, 'balanceOf'>
  readonly caches: Readonly<Record<CachedAccountKind, AccountCache>>
  /** Sum of the account's charges that the database lacks. */
  readonly unflushed: (kind: CachedAccountKind, id: number) => number
  /** Runs work while no flush runs: database and memory then differ exactly by the unflushed charges. */
  readonly whileFlushPaused: <T>(work: () => Promise<T>) => Promise<T>
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
      for (const account of accounts) await this.#doubt(account)
      throw error
    }
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  async #doubt(account: Account): Promise<void> {
    this.#doubtful.add(account)
    account.pins += 1
    await this.#readAnew(account).catch((error: unknown) => {
      this.#options.logger.error(
        { err: error, kind: account.kind, id: account.id },
        'ledger: a credit may have been written, asking again soon',
      )
      this.#retryLater()
    })
  }

  async #readAnew(account: Account): Promise<void> {
    const { repository, unflushed, whileFlushPaused } = this.#options
    const { kind, id } = account
    await whileFlushPaused(async () => {
      const stored = await repository.balanceOf(kind, id)
      if (stored !== undefined) account.balance = stored - unflushed(kind, id)
    })
    if (this.#doubtful.delete(account)) account.pins -= 1
  }

  #retryLater(): void {
    if (this.#closed || this.#timer !== undefined) return
    this.#timer = setTimeout(() => void this.#retry(), retryMs)
    this.#timer.unref()
  }

  async #retry(): Promise<void> {
    this.#timer = undefined
    for (const account of this.#doubtful) {
      // Its turn reads it.
      await this.withAccounts([account], async () => undefined).catch(() => undefined)
    }
    if (this.#doubtful.size > 0) this.#retryLater()
  }
}
