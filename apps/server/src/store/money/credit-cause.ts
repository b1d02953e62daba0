/** Causes of a credit to an account (or, with a negative amount, a debit) other than a charge. */
export type CreditCause =
  | 'initial'
  | 'admin-change'
  | 'owner-change'
  | 'redemption'
  | 'top-up'
  | 'transfer'
  | 'invitation'
  /** Credited for one call, of good will; below zero what was taken back of that. */
  | 'goodwill'
  /** Taken back because the payment was refunded or is disputed; given back when that ends. */
  | 'refund'
  | 'dispute'
  /** Moved from one account of a person to the other; beside it, entries of orders and codes that moved. */
  | 'merge'
  /** Balance and spending of an account at the gateway it was imported from. */
  | 'import'
  /** Debited for work that takes hours (a task), and refunded at its end, when the charge is known. */
  | 'hold'
  | 'hold-release'
  /** The sum by which charges were corrected. It is in the charges, too: no other cause is. */
  | 'correction'
