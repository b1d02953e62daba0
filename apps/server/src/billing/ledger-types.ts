import type { CreditCause } from '../store/repositories/ledger.ts'
import type { AccountKind, Settlement } from '../store/settlement.ts'
import type { Store } from '../store/store.ts'
import type { Quota } from '../store/units.ts'

/** What is held for one call. Opaque: only the ledger changes it; exactly one of settle and release ends it. */
export interface Reservation {
  readonly userId: number
  /** 0 when no token pays (playground). */
  readonly tokenId: number
  /** Held on the user; grows with `extend`. */
  readonly reserved: Quota
}

export interface ReserveRequest {
  readonly userId: number
  /** `null` for calls without a token (playground). */
  readonly token: { readonly id: number; readonly unlimited: boolean } | null
  /** Upper estimate of the charge by price and limits; a whole number, 0 for free calls. */
  readonly estimate: Quota
  /**
   * What the call must at least cover beside other calls of the account: a call without a limit on its output may cost
   * far more than its estimate, and many at once must not outrun a small balance.
   * Absent when the estimate is an upper bound.
   */
  readonly unboundedEstimate?: Quota
  /** Name under which real charges are remembered, so that a burst of calls holds what such calls really cost. */
  readonly model: string
}

/** Everything of a charged call but its place in the journal. */
export type Charge = Omit<Settlement, 'seq' | 'kind'>

/** A call that failed, for the log alone. `logged: false` leaves no trace, as logging is switched off. */
export type Failure = Omit<Charge, 'quota'>

export type ReserveRefusal = 'user-quota' | 'token-quota' | 'journal-full' | 'account-unknown'

export type ReserveResult =
  | { readonly ok: true; readonly reservation: Reservation }
  | { readonly ok: false; readonly refusal: ReserveRefusal; readonly balance: Quota; readonly needed: Quota }

/** A charge taken in advance for work that outlives the process, as tasks do. */
export interface HoldRequest extends Pick<ReserveRequest, 'userId' | 'token' | 'model'> {
  /** Names the hold for good; best the task's own id, kept before the hold is taken. */
  readonly id: string
  /** A whole number, 0 for free work. */
  readonly amount: Quota
}

/** Why a hold ends, written in the transaction that ends it: a task is marked as done. What it throws undoes both. */
export type TransactionWork = (tx: Store) => Promise<void>

export type HoldResult = { readonly ok: true } | Extract<ReserveResult, { readonly ok: false }>

/**
 * The one place that moves money. Balances of accounts in use live in memory and are the truth while they do;
 * the database follows, written behind from the journal.
 */
export interface Ledger {
  /**
   * Brings the accounts into memory. Synchronous and free when they are there already: returns `undefined` then,
   * so that the hot path awaits nothing.
   */
  load(userId: number, tokenId: number): Promise<void> | undefined
  /** Holds `estimate` on user and token, atomically: concurrent calls cannot promise the same quota twice. */
  reserve(request: ReserveRequest): ReserveResult
  /**
   * Charges a reservation; `record` must follow before the end of the answer is handed to the caller. Never throws for
   * lack of money or disk: what was delivered is charged.
   * @param cost what the call came to where its accounts could not pay all of it: calls after it are held to that
   */
  settle(reservation: Reservation, charge: Charge, cost?: Quota): void
  /**
   * Holds `amount` more for a call whose answer grows: on the user and on a limited token, atomically.
   * @returns false, and nothing has changed, when either cannot give it or the reservation has ended
   */
  extend(reservation: Reservation, amount: Quota): boolean
  /**
   * What the accounts of the call could still give it altogether, what is held for it included: the least of user and
   * limited token, 0 at least. 0 for a reservation that has ended.
   */
  affordable(reservation: Reservation): Quota
  /** When it returns, every charge settled before survives `kill -9`. Apart, for calls that settle together. */
  record(): void
  /** Gives everything back. Idempotent, and harmless after `settle`. */
  release(reservation: Reservation): void
  /**
   * `release`, and a row of type `error` in the log, which costs nothing and counts in no total. The row is settled,
   * and lost or kept, like a charge; after `settle` or `release` nothing happens.
   */
  releaseLogged(reservation: Reservation, failure: Failure): void
  /** The same row for a call that failed before it held anything; dropped when the journal has no room to spare. */
  logFailure(failure: Failure): void
  /**
   * Takes `amount` from user and token at once and keeps it, in the database, until the hold is ended. Refused as a
   * reservation is. Throws `DuplicateError` for an id that is held already.
   */
  hold(request: HoldRequest): Promise<HoldResult>
  /**
   * Ends a hold with what the work cost, more or less than was held; the charge is logged and counted as a call's is.
   * @returns false, and nothing has changed, when the hold was ended before or never taken: however often it is asked,
   * and over restarts, one of all who end it wins
   */
  settleHold(id: string, charge: Charge, inTransaction?: TransactionWork): Promise<boolean>
  /** Ends a hold and gives everything back, with an uncharged row of type `error` when `failure` is given. As above. */
  releaseHold(id: string, failure?: Failure, inTransaction?: TransactionWork): Promise<boolean>
  /** Moves money for another reason than a call: database first (one transaction with its entry), then memory. */
  credit(credit: Credit): Promise<Quota>
  /** Sets a balance to a figure, as a credit of the difference to the balance at that moment. */
  setBalance(credit: Omit<Credit, 'amount'> & { readonly balance: Quota }): Promise<Quota>
  /** Balance with every settled call counted (held quota not subtracted); `undefined` when not in memory. */
  balance(kind: AccountKind, id: number): Quota | undefined
  /** Settled quota and calls that the database does not show yet, for figures read from it. */
  unflushed(kind: AccountKind, id: number): { readonly quota: Quota; readonly calls: number }
  /** Resolves when the database shows what was settled before, or does not take it now: for readers of the log. */
  flush(): Promise<void>
  /** False while the journal cannot take another call: admission answers 503. */
  readonly admitting: boolean
  /** Writes out what is settled and stops writing behind. Calls in flight should have ended. */
  close(): Promise<void>
}

export interface Credit {
  readonly kind: AccountKind
  readonly id: number
  readonly cause: CreditCause
  readonly amount: Quota
  readonly actorId: number
  readonly note: string
  /**
   * What the money is for, written in the transaction that moves it: a code is marked as used, an order as paid. What it
   * throws undoes both, and `credit` throws it.
   */
  readonly inTransaction?: (tx: Store) => Promise<void>
}
