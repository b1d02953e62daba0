import type { Quota } from '../../store/units.ts'
import type { Reservation } from '../ledger-types.ts'
import type { Account } from './account-cache.ts'

/** Quota that an account gives to a call that is admitted. */
export interface Demand {
  /** Must be available, or the call is refused. */
  readonly needed: Quota
  readonly reserved: Quota
  /** Common cost of such a call. */
  readonly usual: Quota
}

/** Returns the quota that this node may still reserve. Where a debit exceeded what was free, the rest of it is subtracted. */
export function availableOf({ balance, reserved, expected, free }: Account): Quota {
  return balance - reserved - expected + Math.min(0, free)
}

/**
 * Amount that a refusal names as left: of the whole balance, as far as this node knows it, unless that would cover the call and others
 * have it in use. Expected costs of other calls never make it negative.
 */
export function leftOf(account: Account, needed: Quota): Quota {
  const available = availableOf(account)
  const own = Math.max(available, Math.min(0, available + account.expected))
  const whole = own + Math.max(0, account.free) + account.others
  return whole < needed ? whole : own
}

/**
 * Returns what an account must give a call. Beside other calls of the account a call must cover the recent real cost of such
 * calls; alone it need only cover its estimate, so that a user with a small balance gets a small call served. A free call
 * needs nothing.
 * @param mayBeAlone whether no other node can have a call of the account either
 */
export function demandOn(account: Account, estimate: Quota, remembered: Quota, mayBeAlone: boolean): Demand {
  if (estimate === 0) return { needed: 0, reserved: 0, usual: 0 }
  const standard = Math.max(estimate, remembered)
  if (account.inFlight > 0 || !mayBeAlone) return { needed: standard, reserved: standard, usual: standard }
  return { needed: estimate, reserved: Math.min(standard, availableOf(account)), usual: standard }
}

/** Decides whether the account lacks the quota that the call needs. */
export function isShort(account: Account, { needed }: Demand): boolean {
  return needed > 0 && needed > availableOf(account)
}

/** The part of one account in a call. Every account of a call is charged all of it. */
export interface AccountShare {
  readonly account: Account
  /** A limited account can refuse; an unlimited one only counts down. */
  readonly limited: boolean
  reserved: Quota
  /** See `Account.expected`. */
  expected: Quota
}

/**
 * The most that one account can give its call; below zero when others have reserved more than it has. What others are only
 * expected to cost is not theirs yet.
 */
export function affordableOf({ account, reserved }: AccountShare): Quota {
  return availableOf(account) + account.expected + reserved
}

/** A reservation as the ledger that made it sees it: over any accounts, the user's first. */
export class OpenReservation implements Reservation {
  readonly userId: number
  readonly tokenId: number
  readonly model: string
  readonly accountShares: readonly AccountShare[]
  state: 'open' | 'settled' | 'released' = 'open'
  /** Accounts that may have less than the call costs. */
  #uncovered: readonly Account[] = []

  constructor(model: string, userId: number, tokenId: number, accountShares: readonly AccountShare[]) {
    this.userId = userId
    this.tokenId = tokenId
    this.model = model
    this.accountShares = accountShares
    for (const { account, reserved } of accountShares) {
      account.reserved += reserved
      account.inFlight += 1
    }
  }

  get reserved(): Quota {
    return this.accountShares[0]?.reserved ?? 0
  }

  /** The most that the accounts can give this call in total. */
  get affordable(): Quota {
    if (this.state !== 'open') return 0
    let affordable = Number.POSITIVE_INFINITY
    for (const share of this.accountShares)
      if (share.limited) affordable = Math.min(affordable, affordableOf(share))
    return Math.max(0, affordable)
  }

  /** Reserves more. False, and changes nothing, when an account lacks the quota. */
  extend(amount: Quota): boolean {
    if (this.state !== 'open') return false
    for (const share of this.accountShares) if (share.limited && amount > extensionOf(share)) return false
    for (const share of this.accountShares) {
      if (!share.limited) continue
      share.account.reserved += amount
      share.reserved += amount
      expectOf(share, Math.max(0, share.expected - amount))
    }
    return true
  }

  /** Expects the call to cost so much in total; a lower figure than before is the better one. */
  expect(cost: Quota): void {
    if (this.state !== 'open') return
    for (const share of this.accountShares)
      if (share.limited) expectOf(share, Math.max(0, cost - share.reserved))
  }

  /**
   * Has the call served although it may cost so much more than is reserved. False when an account that lacks this serves such
   * a call already.
   */
  serveUncovered(missing: Quota): boolean {
    this.coverAgain()
    const short = this.accountShares.filter((share) => share.limited && missing > extensionOf(share))
    if (this.state !== 'open' || short.some(({ account }) => account.uncovered > 0)) return false
    this.#uncovered = short.map(({ account }) => account)
    for (const account of this.#uncovered) account.uncovered += 1
    return true
  }

  /** Drops the doubt about the accounts: the call is not served, or its reservation is believed to be enough. */
  coverAgain(): void {
    for (const account of this.#uncovered) account.uncovered -= 1
    this.#uncovered = []
  }

  /** Ends the reservation. */
  end(state: 'settled' | 'released'): void {
    this.state = state
    this.coverAgain()
    for (const share of this.accountShares) {
      expectOf(share, 0)
      share.account.reserved -= share.reserved
      share.account.inFlight -= 1
    }
  }
}

/** The most that a reservation can grow by: what the call itself is expected to cost does not stand in its way. */
export function extensionOf({ account, expected }: AccountShare): Quota {
  return availableOf(account) + expected
}

function expectOf(share: AccountShare, amount: Quota): void {
  share.account.expected += amount - share.expected
  share.expected = amount
}
