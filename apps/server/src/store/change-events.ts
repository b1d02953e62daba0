import type { FreezeCause, TopUpProvider } from '@tollgate/api'
import type { EventBus } from '../lib/async/event-bus.ts'
import type { Quota } from './units.ts'

export interface ChannelsChanged {
  readonly ids: readonly number[]
  /** Nothing has changed but fields of `ChannelSummary`: the long texts need no reload. */
  readonly inSummary?: boolean
}

export interface ChannelStatusChanged {
  readonly id: number
  readonly name: string
  readonly status: 'enabled' | 'auto-disabled'
  /** Reason as text in English, and as code and parameters for the reader's language (`channelReasonTexts`). */
  readonly reason: string
  readonly code: string
  readonly params: Readonly<Record<string, string | number>>
}

export interface ChannelTestFinished {
  /** Set for a run that a person started, unset for a scheduled one. */
  readonly manual: boolean
  readonly cancelled: boolean
  readonly total: number
  readonly tested: number
  readonly failed: readonly { readonly id: number; readonly name: string }[]
}

export interface PaymentReversed {
  readonly userId: number
  readonly username: string
  readonly tradeNo: string
  readonly cause: 'refund' | 'dispute'
  /** Change of the balance: below zero when the payment was reversed. */
  readonly amount: Quota
}

/** A provider's message that has the number of an order, and is about another payment. */
export interface PaymentRefused {
  readonly tradeNo: string
  readonly provider: TopUpProvider
  /** The provider's id of that payment. */
  readonly payment: string
  /** The field that contradicts the order. */
  readonly mismatch: string
}

/** A key that an administrator or a secret scanner froze. */
export interface KeyFrozen {
  readonly id: number
  readonly name: string
  /** Masked. */
  readonly key: string
  readonly userId: number
  readonly username: string
  readonly cause: Exclude<FreezeCause, ''>
  readonly note: string
}

/**
 * Committed changes, of this node or of another (see fleet/); directories in memory replace their copies. Published after the
 * commit, never before.
 */
export interface ChangeEvents {
  readonly 'user-changed': { readonly id: number }
  readonly 'token-changed': { readonly id: number; readonly keyHash: string }
  /** Published by the node that froze it. */
  readonly 'key-frozen': KeyFrozen
  readonly 'channels-changed': ChannelsChanged
  /** The gateway itself disabled or enabled a channel. */
  readonly 'channel-status-changed': ChannelStatusChanged
  /** A test of all channels ended, by itself or because it was cancelled. */
  readonly 'channel-test-finished': ChannelTestFinished
  /** A payment's refund or dispute moved a balance. Published by the node that moved it. */
  readonly 'payment-reversed': PaymentReversed
  /** A payment was refused an order's credit, or its reversal. Published by the node that was told of it. */
  readonly 'payment-refused': PaymentRefused
  readonly 'options-changed': { readonly keys: readonly string[] }
  /** Another node warned the user of a low balance, or saw the balance rise again. */
  readonly 'quota-warning-changed': { readonly userId: number }
  /** Announces that directories may hold old records: many changed at once, or this node missed what others changed. */
  readonly 'everything-changed': {
    /** Balances moved unseen too. The ledger takes no call until it has read its shares of them anew. */
    readonly inBalances: boolean
  }
  /** Users whose balance moved, with the new balances. Calls are reported in batches, once the database has them. */
  readonly 'balances-changed': { readonly balances: ReadonlyMap<number, Quota> }
}

export type ChangeBus = EventBus<ChangeEvents>
