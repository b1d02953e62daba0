import { createBatchLoader } from '../../lib/async/batch-loader.ts'
import type { Logger } from '../../lib/logger.ts'
import type {
  AccountFigures,
  BalanceShareRepository,
  ShareRequest,
} from '../../store/money/balance-shares.ts'
import type { Quota } from '../../store/units.ts'
import {
  type Account,
  type AccountCache,
  type CachedAccountKind,
  type LoadedBalance,
  wholeBalanceOf,
} from '../balances/account-cache.ts'
import type { UnflushedCharges } from '../write-behind/unflushed.ts'
import type { Fleet } from './fleet.ts'
import { ShareMoves } from './share-moves.ts'
import { ShareRecall } from './share-recall.ts'
import { allOf, restOf, surrenderOf } from './share-rules.ts'

export interface ShareOptions {
  readonly repository: BalanceShareRepository
  readonly node: string
  readonly fleet: Fleet
  readonly caches: Readonly<Record<CachedAccountKind, AccountCache>>
  readonly unflushed: Pick<UnflushedCharges, 'position' | 'after'>
  /** Runs work while no flush runs. */
  readonly whileFlushPaused: <T>(work: () => Promise<T>) => Promise<T>
  /** Reads accounts anew, now or soon; false when not all of them could be read now. */
  readonly doubt: (accounts: readonly Account[]) => Promise<boolean>
  readonly nowMs: () => number
  readonly logger: Logger
}

/** An account may have what a call needs: a node that does not reply holds that much of it. */
export class SilentHolderError extends Error {
  override readonly name = 'SilentHolderError'
}

/** A refusal that is remembered. */
interface AccountRefusal {
  readonly needed: Quota
  /** A node that holds some did not reply: where that is enough, nobody knows whether the account lacks it. */
  readonly isUnknown: boolean
  readonly lastsMs: number
  readonly untilMs: number
}

/** Quota that a call lacks on an account. */
export interface Shortage extends Omit<ShareRequest, 'id'> {
  readonly account: Account
}

/**
 * An account that lacks what a call needs is not looked at again for so long; at first for the lesser time, where other nodes hold
 * some of it, which comes back when their calls end, and for twice as long with each refusal that follows.
 */
const refusalMs = 250
const minRefusalMs = 8
/** Accounts whose refusals are remembered. */
const refusalLimit = 10_000
/** The end of a response waits no longer for quota beyond its reservation. */
const settlementMs = 1000

/** The shares of balances that this node spends from, on a database whose balances other nodes spend from too. */
export class Shares {
  readonly #options: ShareOptions
  readonly #moves: ShareMoves
  readonly #recall: ShareRecall | undefined
  /** Under way, by account. */
  readonly #recalls = new Map<Account, Promise<boolean>>()
  readonly #refusals = new Map<Account, AccountRefusal>()
  /** The lease under which memory is right. */
  #lease: number | undefined
  #isStartingAnew = false
  #isLeaving = false

  constructor(options: ShareOptions) {
    this.#options = options
    const { repository, node, fleet, nowMs } = options
    this.#lease = fleet.shareLease()
    this.#moves = new ShareMoves({
      repository,
      node,
      fleet,
      canSpend: () => this.canSpend,
      doubt: (accounts) => void options.doubt(accounts),
    })
    const { messages } = fleet
    // A node that was alone holds whole balances; if it fell silent, the others would have to wait for its end.
    fleet.onCompany?.(() => this.#tidyAll())
    if (messages !== undefined)
      this.#recall = new ShareRecall({
        node,
        messages,
        nowMs,
        surrender: (kind, id, need) => this.#surrender(kind, id, need),
      })
  }

  /** False while others may have this node's shares. */
  get canSpend(): boolean {
    const lease = this.#options.fleet.shareLease()
    if (lease === undefined) return false
    if (lease !== this.#lease) this.#startAnew(lease)
    return lease === this.#lease
  }

  get isAlone(): boolean {
    return this.#options.fleet.nodes() <= 1
  }

  /**
   * Raises a share by what a call lacks, from what is free or what other nodes can do without. False when the account has too
   * little; another call may take what was granted before this one does.
   * @throws when the database cannot be asked, SilentHolderError when another node that has enough cannot
   */
  async obtain({ account, ...request }: Shortage): Promise<boolean> {
    const { needed } = request
    if (this.#isRefused(account, needed)) return this.#refused(account, needed)
    const isGranted = async () => (await this.#moves.acquire(account, request)) >= needed
    if ((await isGranted()) || (await this.#recalled(account, needed, isGranted))) {
      this.#refusals.delete(account)
      return true
    }
    return this.#refused(account, needed)
  }

  /** Remembers the refusal where it does not find it granted. */
  async #recalled(account: Account, need: Quota, isGranted: () => Promise<boolean>): Promise<boolean> {
    if (account.others <= 0 || this.#recall === undefined) {
      this.#refuse(account, need)
      return false
    }
    const haveReplied = await this.#recallOnce(account, need)
    if (await isGranted()) return true
    this.#refuse(account, need, !haveReplied)
    return false
  }

  #refused(account: Account, needed: Quota): false {
    if (this.#refusals.get(account)?.isUnknown !== true || account.others < needed) return false
    throw new SilentHolderError('another node holds this balance and does not reply')
  }

  /** Decides whether the account was found to lack quota a moment ago. */
  isRefusing(account: Account): boolean {
    return this.#isRefused(account, Number.POSITIVE_INFINITY)
  }

  /** Raises a share by as much of `amount` as the account has anywhere. Never throws, and takes a second at most. */
  async gather(account: Account, amount: Quota): Promise<void> {
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(late.resolve, settlementMs)
    // A share that cannot be raised pays what it has.
    await Promise.race([this.#gatherAll(account, amount).catch(() => undefined), late.promise])
    clearTimeout(timer)
  }

  /** Asks for more in the background when a share that is ample runs low. */
  refill(account: Account, standard: Quota): void {
    if (this.#isLeaving || account.lowWater <= account.balance - account.reserved) return
    account.lowWater = 0
    // The next call that is short asks again, and learns why it failed.
    this.#moves
      .acquire(account, { needed: Math.max(1, standard), wanted: 0, usual: standard })
      .catch(() => undefined)
  }

  /** Returns what the node does not need after calls of the account have ended. */
  tidy(account: Account): void {
    if (this.#restOf(account) !== 0) void this.#moves.giveBack(account, this.#restOf)
  }

  /** Returns what calls in flight have not reserved, and from now on the rest after each call. */
  leave(): void {
    this.#isLeaving = true
    this.#tidyAll()
  }

  #tidyAll(): void {
    for (const cache of Object.values(this.#options.caches))
      for (const account of cache.all()) this.tidy(account)
  }

  /** Returns all of an account that is to leave memory. */
  returnIdle(account: Account): void {
    void this.#moves.giveBack(account, allOf)
  }

  /** Learns what is free and what others hold, after somebody has moved it; no other move of the account may run. */
  async refresh(account: Account): Promise<void> {
    const { repository, node } = this.#options
    this.#refusals.delete(account)
    await this.#moves.exclusive(async () => {
      const figures = (await repository.read(node, account.kind, [account.id])).get(account.id)
      if (figures !== undefined) Object.assign(account, restingOf(figures))
    })
    if (wholeBalanceOf(account) <= 0) this.#refuse(account, 1)
    this.tidy(account)
  }

  /** Changes of accounts were missed: this node returns what it holds before it spends again. */
  missed(): void {
    this.#lease = undefined
  }

  /** Reads the share itself anew, after a move that may or may not be in the database. */
  async readAnew(account: Account): Promise<void> {
    const { repository, node, whileFlushPaused, unflushed } = this.#options
    await whileFlushPaused(() =>
      this.#moves.exclusive(async () => {
        const figures = await repository.readLocked(node, account.kind, account.id)
        if (figures === undefined) return
        if (figures.position < unflushed.position) throw new Error('the database went back in time')
        const balance = figures.share - unflushed.after(figures.position, account.kind, account.id)
        Object.assign(account, { balance, ...restingOf(figures) })
      }),
    )
  }

  /**
   * Ends the moves and returns everything.
   * @param isFlushed without that the shares stay: they pay for charges that are in the journal alone
   */
  async close(isFlushed: boolean): Promise<void> {
    this.#recall?.close()
    const { repository, node, logger } = this.#options
    try {
      await this.#moves.close(async () => {
        if (isFlushed) await repository.returnAll(node)
      })
    } catch (error) {
      logger.warn(
        { err: error },
        'ledger: shares of balances were not returned, and this node holds them until its next start: check the database',
      )
    }
  }

  readonly #restOf = (account: Account): Quota =>
    this.#isLeaving ? allOf(account) : restOf(account, this.#options.fleet.nodes())

  #refuse(account: Account, needed: Quota, isUnknown = false): void {
    if (this.#refusals.size >= refusalLimit) this.#refusals.clear()
    const nowMs = this.#options.nowMs()
    const former = this.#refusals.get(account)
    const isRepeated = former !== undefined && nowMs < former.untilMs + refusalMs
    const nextMs = isRepeated ? Math.min(refusalMs, 2 * former.lastsMs) : minRefusalMs
    const lastsMs = account.others > 0 ? nextMs : refusalMs
    this.#refusals.set(account, { needed, isUnknown, lastsMs, untilMs: nowMs + lastsMs })
  }

  #isRefused(account: Account, needed: Quota): boolean {
    const refusal = this.#refusals.get(account)
    return refusal !== undefined && needed >= refusal.needed && this.#options.nowMs() < refusal.untilMs
  }

  async #gatherAll(account: Account, amount: Quota): Promise<void> {
    const acquire = (wanted: Quota) => this.#moves.acquire(account, { needed: 1, wanted, usual: wanted })
    const granted = await acquire(amount)
    if (granted >= amount || account.others <= 0 || this.#recall === undefined) return
    await this.#recallOnce(account, amount - granted)
    await acquire(amount - granted)
  }

  /** Resolves with whether all holders have replied. */
  #recallOnce(account: Account, need: Quota): Promise<boolean> {
    const running = this.#recalls.get(account)
    if (running !== undefined) return running
    const recall = this.#askHolders(account, need).finally(() => this.#recalls.delete(account))
    this.#recalls.set(account, recall)
    return recall
  }

  async #askHolders({ kind, id }: Account, need: Quota): Promise<boolean> {
    const { repository, node } = this.#options
    return (await this.#recall?.request(await repository.holders(node, kind, id), kind, id, need)) ?? true
  }

  async #surrender(kind: CachedAccountKind, id: number, need: Quota): Promise<void> {
    const account = this.#options.caches[kind].find(id)
    if (account !== undefined) await this.#moves.giveBack(account, (held) => surrenderOf(held, need))
  }

  /** Returns what the database says that this node holds: under an earlier lease others may have returned it. */
  #startAnew(lease: number): void {
    if (this.#isStartingAnew) return
    this.#isStartingAnew = true
    const { doubt, logger } = this.#options
    this.#returnAll()
      .then(async (inUse) => {
        if (await doubt(inUse)) this.#lease = lease
      })
      .catch((error: unknown) =>
        logger.error(
          { err: error },
          'ledger: shares of balances cannot be returned and are tried again: check the database',
        ),
      )
      .finally(() => {
        this.#isStartingAnew = false
      })
  }

  /** Returns the accounts in use, which have nothing left but what they owe; memory forgets the others. */
  #returnAll(): Promise<readonly Account[]> {
    const { repository, node, caches, unflushed, whileFlushPaused } = this.#options
    return whileFlushPaused(() =>
      this.#moves.exclusive(async () => {
        await repository.returnAll(node)
        const inUse = [...caches.user.forgetIdle(), ...caches.token.forgetIdle()]
        for (const account of inUse)
          account.balance = -unflushed.after(unflushed.position, account.kind, account.id)
        return inUse
      }),
    )
  }
}

/** Reads what a node has of balances as they come into memory. */
export function shareLoader(
  repository: Pick<BalanceShareRepository, 'read'>,
  node: string,
  kind: CachedAccountKind,
): (id: number) => Promise<LoadedBalance | undefined> {
  return createBatchLoader(async (ids: readonly number[]) => {
    const found = await repository.read(node, kind, ids)
    return new Map(
      Array.from(found, ([id, figures]) => [id, { balance: figures.share, ...restingOf(figures) }]),
    )
  })
}

function restingOf({ quota, granted, share }: AccountFigures): Pick<Account, 'free' | 'others'> {
  return { free: quota - granted, others: granted - share }
}
