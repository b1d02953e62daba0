import type { Quota } from '../../store/entities.ts'
import type { Reservation } from '../ledger-types.ts'
import type { Account } from './account-book.ts'

/** What an account gives to a call that is admitted. */
export interface Demand {
  /** Must be available, or the call is refused. */
  readonly needed: Quota
  readonly held: Quota
}

/** What the account can still promise. */
export function availableOf(account: Account): Quota {
  return account.balance - account.held
}

/**
 * How much a call takes of what is available. Beside other calls of the account a call must cover what such calls
 * really cost of late; alone it need only cover its estimate, so that a small call of somebody short is served.
 * A free call needs nothing.
 */
export function demandOn(account: Account, estimate: Quota, remembered: Quota): Demand {
  if (estimate === 0) return { needed: 0, held: 0 }
  const usual = Math.max(estimate, remembered)
  if (account.inFlight > 0) return { needed: usual, held: usual }
  return { needed: estimate, held: Math.min(usual, availableOf(account)) }
}

/** Whether the account cannot give what the call needs. */
export function isShort(account: Account, { needed }: Demand): boolean {
  return needed > 0 && needed > availableOf(account)
}

/** The part of one account in a call. Every account of a call is charged all of it. */
export interface Share {
  readonly account: Account
  /** The account pays of its balance and can refuse; an unlimited one is only counted down. */
  readonly limited: boolean
  held: Quota
}

/** A reservation as the ledger that made it sees it: over any accounts, the user's first. */
export class OpenReservation implements Reservation {
  readonly userId: number
  readonly tokenId: number
  readonly model: string
  readonly shares: readonly Share[]
  state: 'open' | 'settled' | 'released' = 'open'

  constructor(model: string, userId: number, tokenId: number, shares: readonly Share[]) {
    this.userId = userId
    this.tokenId = tokenId
    this.model = model
    this.shares = shares
    for (const { account, held } of shares) {
      account.held += held
      account.inFlight += 1
    }
  }

  get held(): Quota {
    return this.shares[0]?.held ?? 0
  }

  /** What the accounts could give this call altogether. */
  get coverable(): Quota {
    if (this.state !== 'open') return 0
    let least = Number.POSITIVE_INFINITY
    for (const { account, limited, held } of this.shares)
      if (limited) least = Math.min(least, availableOf(account) + held)
    return Math.max(0, least)
  }

  /** False, and nothing has changed, when an account cannot give so much more. */
  extend(amount: Quota): boolean {
    if (this.state !== 'open') return false
    for (const { account, limited } of this.shares) if (limited && amount > availableOf(account)) return false
    for (const share of this.shares) {
      if (!share.limited) continue
      share.account.held += amount
      share.held += amount
    }
    return true
  }

  /** Ends the promise. */
  end(state: 'settled' | 'released'): void {
    this.state = state
    for (const { account, held } of this.shares) {
      account.held -= held
      account.inFlight -= 1
    }
  }
}
