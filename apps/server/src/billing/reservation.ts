import type { Quota } from '../store/entities.ts'
import type { Account } from './account-book.ts'
import type { Reservation } from './ledger-types.ts'

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

/** A reservation as the ledger that made it sees it. */
export class OpenReservation implements Reservation {
  readonly userId: number
  readonly tokenId: number
  held: Quota
  tokenHeld: Quota
  readonly model: string
  readonly user: Account
  readonly token: Account | undefined
  /** The token pays of its own balance; an unlimited one is only counted down. */
  readonly tokenIsLimited: boolean
  state: 'open' | 'settled' | 'released' = 'open'

  constructor(
    model: string,
    user: Account,
    held: Quota,
    token: Account | undefined,
    tokenIsLimited: boolean,
    tokenHeld: Quota,
  ) {
    this.userId = user.id
    this.tokenId = token?.id ?? 0
    this.held = held
    this.tokenHeld = tokenHeld
    this.model = model
    this.user = user
    this.token = token
    this.tokenIsLimited = tokenIsLimited
    promise(user, held)
    if (token !== undefined) promise(token, tokenHeld)
  }

  /** What the accounts could give this call altogether. */
  get coverable(): Quota {
    if (this.state !== 'open') return 0
    const ofUser = availableOf(this.user) + this.held
    if (this.token === undefined || !this.tokenIsLimited) return Math.max(0, ofUser)
    return Math.max(0, Math.min(ofUser, availableOf(this.token) + this.tokenHeld))
  }

  /** False, and nothing has changed, when an account cannot give so much more. */
  extend(amount: Quota): boolean {
    if (this.state !== 'open' || amount > availableOf(this.user)) return false
    if (this.token !== undefined && this.tokenIsLimited) {
      if (amount > availableOf(this.token)) return false
      this.token.held += amount
      this.tokenHeld += amount
    }
    this.user.held += amount
    this.held += amount
    return true
  }

  /** Ends the promise. */
  end(state: 'settled' | 'released'): void {
    this.state = state
    giveBack(this.user, this.held)
    if (this.token !== undefined) giveBack(this.token, this.tokenHeld)
  }
}

function promise(account: Account, held: Quota): void {
  account.held += held
  account.inFlight += 1
}

function giveBack(account: Account, held: Quota): void {
  account.held -= held
  account.inFlight -= 1
}
