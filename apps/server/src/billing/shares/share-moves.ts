import { setImmediate as turn } from 'node:timers/promises'
import { getOrInsert } from '@tollgate/base'
import {
  ampleCalls,
  type BalanceShareRepository,
  type ShareMove,
  type ShareRequest,
} from '../../store/money/balance-shares.ts'
import type { Quota } from '../../store/units.ts'
import type { Account, CachedAccountKind } from '../balances/account-cache.ts'
import type { Fleet } from './fleet.ts'
import { idleShareOf } from './share-rules.ts'

export interface ShareMoveOptions {
  readonly repository: Pick<BalanceShareRepository, 'acquire' | 'giveBack'>
  readonly node: string
  readonly fleet: Pick<Fleet, 'nodes'>
  /** False while others may have this node's shares. */
  readonly canSpend: () => boolean
  /** A move of these accounts failed without saying whether it was written. */
  readonly doubt: (accounts: readonly Account[]) => void
}

interface Acquisition {
  /** The least of those who wait. */
  needed: Quota
  /** Sum of what all waiting calls want. */
  wanted: Quota
  /** The most of those who wait. */
  usual: Quota
  readonly done: ReturnType<typeof Promise.withResolvers<Quota>>
}

interface Return {
  /** Functions that compute the amount when the return begins; the largest amount counts. */
  readonly amounts: ((account: Account) => Quota)[]
  readonly done: ReturnType<typeof Promise.withResolvers<void>>
}

const kinds = ['user', 'token'] as const satisfies readonly CachedAccountKind[]

/**
 * Moves quota between what is free in the database and the shares of this node, one round at a time: a round has one
 * statement for all acquisitions of a kind and one for all returns. What comes meanwhile goes with the next round, so that a
 * slow database gets larger statements and not more of them.
 */
export class ShareMoves {
  readonly #options: ShareMoveOptions
  readonly #acquisitions = new Map<Account, Acquisition>()
  readonly #returns = new Map<Account, Return>()
  #isScheduled = false
  #isClosed = false
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: ShareMoveOptions) {
    this.#options = options
  }

  /**
   * Raises a share; calls that wait for one account share the grant.
   * @returns what was granted to all of them: 0 when less is free than the least of them needs
   */
  acquire(account: Account, { needed, wanted, usual: standard }: Omit<ShareRequest, 'id'>): Promise<Quota> {
    const waiting = this.#acquisitions.get(account)
    if (waiting !== undefined) {
      waiting.needed = Math.min(waiting.needed, needed)
      waiting.wanted += wanted
      waiting.usual = Math.max(waiting.usual, standard)
      return waiting.done.promise
    }
    const done = Promise.withResolvers<Quota>()
    this.#acquisitions.set(account, { needed, wanted, usual: standard, done })
    account.pins += 1
    this.#schedule()
    return done.promise
  }

  /** Lowers a share by what `amount` says at the time. Resolves when the database has it, or is in doubt. */
  giveBack(account: Account, amount: (account: Account) => Quota): Promise<void> {
    const { amounts, done } = getOrInsert(this.#returns, account, () => {
      account.pins += 1
      return { amounts: [], done: Promise.withResolvers<void>() }
    })
    if (!amounts.includes(amount)) amounts.push(amount)
    this.#schedule()
    return done.promise
  }

  /** Runs `work` while no share moves: memory and database then differ by the unflushed charges alone. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work, work)
    this.#turn = result.catch(() => undefined)
    return result
  }

  /** Runs `work` after the moves that have begun; there are none any more. */
  close(work: () => Promise<void>): Promise<void> {
    this.#isClosed = true
    return this.exclusive(work)
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    // Waits for the calls of the same turn of the event loop.
    setImmediate(() => {
      this.exclusive(() => {
        this.#isScheduled = false
        return this.#round()
      })
    })
  }

  async #round(): Promise<void> {
    const acquisitions = taken(this.#acquisitions)
    const returns = taken(this.#returns)
    await Promise.all(kinds.map((kind) => this.#acquireAll(kind, ofKind(kind, acquisitions))))
    if (returns.size === 0) return
    // Calls that waited for a grant reserve it first.
    await turn()
    await Promise.all(kinds.map((kind) => this.#returnAll(kind, ofKind(kind, returns))))
  }

  async #acquireAll(kind: CachedAccountKind, waiting: ReadonlyMap<Account, Acquisition>): Promise<void> {
    if (waiting.size === 0) return
    const { repository, node, fleet, canSpend } = this.#options
    const requests = Array.from(waiting, ([{ id }, { done: _, ...request }]) => ({ id, ...request }))
    try {
      if (this.#isClosed || !canSpend()) throw new Error('this node may not acquire shares')
      const nodes = fleet.nodes()
      const moves = await this.#move([...waiting.keys()], () =>
        repository.acquire(node, kind, nodes, requests),
      )
      for (const [account, { usual: standard, done }] of waiting) {
        const amount = moves.get(account.id)?.amount ?? 0
        account.balance += amount
        account.isAmple = nodes > 1 && amount >= ampleCalls * standard
        account.lowWater = account.isAmple ? Math.floor(idleShareOf(account) / 2) : 0
        done.resolve(amount)
      }
    } catch (error) {
      for (const { done } of waiting.values()) done.reject(error)
    } finally {
      for (const account of waiting.keys()) account.pins -= 1
    }
  }

  async #returnAll(kind: CachedAccountKind, waiting: ReadonlyMap<Account, Return>): Promise<void> {
    const amounts = new Map<Account, Quota>()
    for (const [account, { amounts: stated }] of waiting) {
      const amount = Math.max(...stated.map((amountOf) => amountOf(account)))
      // From here on no call may reserve it.
      if (amount !== 0) amounts.set(account, amount)
    }
    const { repository, node, canSpend } = this.#options
    // Shares that are lost are read anew before the node spends again.
    if (amounts.size > 0 && !this.#isClosed && canSpend()) {
      for (const [account, amount] of amounts) account.balance -= amount
      const rows = Array.from(amounts, ([{ id }, amount]) => ({ id, amount }))
      // Who waits for a return looks at the database itself.
      await this.#move([...amounts.keys()], () => repository.giveBack(node, kind, rows)).catch(
        () => undefined,
      )
    }
    for (const [account, { done }] of waiting) {
      account.pins -= 1
      done.resolve()
    }
  }

  /** Runs a statement and learns from it what is free and what others hold. */
  async #move(
    accounts: readonly Account[],
    statement: () => Promise<readonly ShareMove[]>,
  ): Promise<ReadonlyMap<number, ShareMove>> {
    let moves: ReadonlyMap<number, ShareMove>
    try {
      moves = new Map((await statement()).map((move) => [move.id, move]))
    } catch (error) {
      this.#options.doubt(accounts)
      throw error
    }
    for (const account of accounts) {
      const move = moves.get(account.id)
      if (move === undefined) continue
      account.free = move.quota - move.granted
      account.others = move.granted - move.share
    }
    return moves
  }
}

function taken<Value>(waiting: Map<Account, Value>): Map<Account, Value> {
  const all = new Map(waiting)
  waiting.clear()
  return all
}

function ofKind<Value>(
  kind: CachedAccountKind,
  waiting: ReadonlyMap<Account, Value>,
): ReadonlyMap<Account, Value> {
  return new Map([...waiting].filter(([account]) => account.kind === kind))
}
