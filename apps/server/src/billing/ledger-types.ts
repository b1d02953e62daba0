import type { CreditCause } from '../store/money/credit-cause.ts'
import type { AccountKind, Settlement } from '../store/settlement.ts'
import type { Store } from '../store/store.ts'
import type { Quota } from '../store/units.ts'

/** The reservation of one call. Opaque: only the ledger changes it; exactly one of settle and release ends it. */
export interface Reservation {
  readonly userId: number
  /** 0 when no token pays (playground). */
  readonly tokenId: number
  /** Held on the user; grows with `extend`. */
  readonly reserved: Quota
}

/** Current figures of the ledger, for monitoring. */
export interface LedgerFigures {
  readonly openReservations: number
  /** Settled calls that wait to be written to the database. */
  readonly queue: number
  /** Entries of the journal that the database lacks. */
  readonly journalLag: number
  /** False while the database does not take settled calls. */
  readonly isFlushing: boolean
  /** Reason for which it does not; `undefined` while it does. */
  readonly flushFault: unknown
  /** Balances in memory. */
  readonly users: number
  readonly tokens: number
  /** Set while this node may spend from its shares of balances; always where it has whole balances. */
  readonly hasLease: boolean
}

export interface ReserveRequest {
  readonly userId: number
  /** `null` for calls without a token (playground). */
  readonly token: { readonly id: number; readonly unlimited: boolean } | null
  /** Upper estimate of the charge by price and limits; an integer, 0 for free calls. */
  readonly estimate: Quota
  /**
   * The least that the account must cover for the call beside its other calls: a call without a limit on its output may cost
   * far more than its estimate, and many at once must not exceed a small balance.
   * Absent when the estimate is an upper bound.
   */
  readonly unboundedEstimate?: Quota
  /** Key of the remembered real charges, so that a burst of calls reserves what such calls really cost. */
  readonly model: string
}

/** A charged call without its position in the journal. */
export type Charge = Omit<Settlement, 'seq' | 'kind'>

/** A call that failed, for the log alone. `logged: false` leaves no trace, as logging is switched off. */
export type Failure = Omit<Charge, 'quota'>

export type ReserveRefusal = 'user-quota' | 'token-quota' | 'journal-full' | 'account-unknown'

export type ReserveResult =
  | { readonly ok: true; readonly reservation: Reservation }
  | { readonly ok: false; readonly refusal: ReserveRefusal; readonly balance: Quota; readonly needed: Quota }

/** Cost of a call at an upstream, as its reservation must cover it. */
export interface Exposure {
  /** Must be reserved before the call is sent: by its limits, and by what the upstream is known to exceed them. */
  readonly needed: Quota
  /** The most that its upstream would be believed. */
  readonly believed: Quota
}

/** `isUncovered`: the account serves another call that may cost more than it has, and this one must wait for its end. */
export type SecureResult =
  | { readonly ok: true }
  | (Extract<ReserveResult, { ok: false }> & { readonly isUncovered: boolean })

/** A charge taken in advance for work that outlives the process, as tasks do. */
export interface HoldRequest extends Pick<ReserveRequest, 'userId' | 'token' | 'model'> {
  /** Identifies the hold permanently; best the task's own id, stored before the hold is taken. */
  readonly id: string
  /** An integer, 0 for free work. */
  readonly amount: Quota
}

/** Writes within the transaction that ends a hold, such as marking a task as done. When it throws, both roll back. */
export type TransactionWork = (tx: Store) => Promise<void>

export type HoldResult = { readonly ok: true } | Extract<ReserveResult, { readonly ok: false }>

/**
 * The one place that moves money. Balances of accounts in use live in memory and are the truth while they do;
 * the database follows, written behind from the journal.
 */
export interface Ledger {
  /**
   * Loads the accounts into memory. Returns `undefined` synchronously when they are loaded already, so that the hot path
   * awaits nothing.
   */
  load(userId: number, tokenId: number): Promise<void> | undefined
  /** Reserves `estimate` on user and token, atomically: concurrent calls cannot reserve the same quota twice. */
  reserve(request: ReserveRequest): ReserveResult
  /**
   * Reserves as `reserve` does. Where the node's shares of the balances are too small, asks for more first, and then resolves
   * after a statement of the database and half a second at most for other nodes.
   */
  reserveOrAcquire(request: ReserveRequest): ReserveResult | Promise<ReserveResult>
  /**
   * Charges a reservation; `record` must follow before the caller receives the end of the response. Never throws for lack of
   * money or disk: it charges what was delivered.
   * @param cost the full cost where the accounts could not pay all of it: later calls must reserve that much
   */
  settle(reservation: Reservation, charge: Charge, cost?: Quota): void
  /**
   * Reserves `amount` more for a growing response: on the user and on a limited token, atomically.
   * @returns false, and changes nothing, when either lacks the quota or the reservation has ended
   */
  extend(reservation: Reservation, amount: Quota): boolean
  /** Reserves more as `extend` does, and asks for more first as `reserveOrAcquire` does. */
  extendOrAcquire(reservation: Reservation, amount: Quota): boolean | Promise<boolean>
  /**
   * Has a reservation hold what the call may cost at the upstream that it is about to be sent to. Where the accounts lack what
   * the upstream would be believed, each of them serves one such call at a time: what is not covered is one call at most.
   */
  secure(reservation: Reservation, exposure: Exposure): SecureResult | Promise<SecureResult>
  /** Expects a call in flight to cost so much in total, whatever its accounts have: no other call may reserve that. */
  expect(reservation: Reservation, cost: Quota): void
  /**
   * Returns the most that the accounts can pay for the call, its reservation included: the minimum of user and limited token,
   * never negative. 0 for a reservation that has ended.
   */
  affordable(reservation: Reservation): Quota
  /**
   * Sees to it that `cost` can be settled as far as the accounts have it, anywhere. `undefined` when there is nothing to wait
   * for; else waits some two seconds at most, and never rejects.
   */
  cover(reservation: Reservation, cost: Quota): Promise<void> | undefined
  /** Once it returns, all charges settled before survive `kill -9`. Separate from `settle`, so that calls share one write. */
  record(): void
  /** Releases the reservation. Idempotent, and harmless after `settle`. */
  release(reservation: Reservation): void
  /**
   * Releases the reservation and adds a row of type `error` to the log, which costs nothing and counts in no total. The row is
   * as durable as a charge. Does nothing after `settle` or `release`.
   */
  releaseLogged(reservation: Reservation, failure: Failure): void
  /** Adds the same row for a call that failed before it reserved anything; drops it when the journal has no room to spare. */
  logFailure(failure: Failure): void
  /**
   * Debits `amount` from user and token at once, in the database, until the hold ends. Refuses as `reserve` does. Throws
   * `DuplicateError` for the id of an existing hold.
   */
  hold(request: HoldRequest): Promise<HoldResult>
  /**
   * Ends a hold with the cost of the work, which may be more or less than the hold; logs and counts the charge as a call's.
   * @returns false, and changes nothing, when the hold has ended or was never taken: of all attempts to end it, over restarts
   * too, exactly one succeeds
   */
  settleHold(id: string, charge: Charge, inTransaction?: TransactionWork): Promise<boolean>
  /** Ends a hold and refunds it, with an uncharged row of type `error` when `failure` is given. Returns as `settleHold`. */
  releaseHold(id: string, failure?: Failure, inTransaction?: TransactionWork): Promise<boolean>
  /** Moves money for another reason than a call: database first (one transaction with its entry), then memory. */
  credit(credit: Credit): Promise<Quota>
  /**
   * Counts in memory what many accounts were credited with, or their charges corrected by, once `write` has written it in one
   * transaction: false says that it was written before. Calls of the accounts go on meanwhile.
   */
  correct(accounts: readonly AccountCredit[], write: () => Promise<boolean>): Promise<void>
  /** Sets a balance to a figure, as a credit of the difference to the balance at that moment. */
  setBalance(credit: Omit<Credit, 'amount'> & { readonly balance: Quota }): Promise<Quota>
  /**
   * Balance with every settled call counted (reserved quota not subtracted); `undefined` when not in memory. What other nodes
   * settled since this one last looked is not in it.
   */
  balance(kind: AccountKind, id: number): Quota | undefined
  /**
   * The balance for somebody to read, which was `stored` a moment ago: as this node has it where no other spends from it, else
   * what is stored less what this node settled since.
   */
  currentBalance(kind: 'user' | 'token', id: number, stored: Quota): Quota
  /**
   * Looks again at a balance that seems to be used up; `undefined` when there is nothing to wait for, because no other node can
   * have changed it, or it was looked at a moment ago. Never rejects.
   */
  lookAgain(kind: 'user' | 'token', id: number): Promise<void> | undefined
  /** Somebody else has credited or debited the account in the database. Does nothing when it is not in memory. */
  accountChanged(kind: AccountKind, id: number): void
  /** Other nodes changed too many accounts to name them. */
  changesMissed(): void
  /** Drops the known limit of a key that was changed, on this node or another: it may have been unlimited and be limited now. */
  limitChanged(tokenId: number): void
  /** Settled quota and calls that the database does not show yet, for figures read from it. */
  unflushed(kind: AccountKind, id: number): { readonly quota: Quota; readonly calls: number }
  /** Resolves when the database shows what was settled before, or does not take it now: for readers of the log. */
  flush(): Promise<void>
  readonly figures: LedgerFigures
  /** Prepares for the end of this node: other nodes get at once whatever none of its calls needs of its shares of balances. */
  leave(): void
  /** False while the journal cannot take another call: admission then refuses calls with 503. */
  readonly admitting: boolean
  /** Flushes all settled calls, stops writing behind and returns shares of balances. Calls in flight should have ended. */
  close(): Promise<void>
}

/** Credit to one of several accounts, or below zero a debit. */
export interface AccountCredit {
  readonly kind: Exclude<AccountKind, 'channel'>
  readonly id: number
  readonly amount: Quota
}

export interface Credit {
  readonly kind: AccountKind
  readonly id: number
  readonly cause: CreditCause
  readonly amount: Quota
  readonly actorId: number
  readonly note: string
  /**
   * Writes the reason within the transaction that moves the money: marks a code as used, an order as paid. When it throws, both
   * roll back, and `credit` throws the same error.
   */
  readonly inTransaction?: (tx: Store) => Promise<void>
}
