import { z } from 'zod'
import { quota, unixSeconds } from '../wire.ts'
import { id, nullAs } from './fields.ts'
import { defineResource } from './resource.ts'

export const topUpProviders = ['epay', 'stripe'] as const
/** A payment provider. */
export type TopUpProvider = (typeof topUpProviders)[number]

/** Abilities of a payment provider beside taking a payment. */
export interface TopUpProviderFacts {
  /** Returns money by its API; otherwise an administrator returns it there and records that here. */
  readonly refundsByApi: boolean
  /** Ends a payment that was started, so that nobody pays a cancelled order. */
  readonly endsPayments: boolean
  /** Names an order when it is placed; otherwise the first notice does. */
  readonly namesWhenPlaced: boolean
}

/** The one table of what differs between payment providers: server and console read it. */
export const topUpProviderFacts = {
  // The epay protocol has a cashier and a notice, and no calls that every site of it serves.
  epay: { refundsByApi: false, endsPayments: false, namesWhenPlaced: false },
  // https://docs.stripe.com/api/refunds/create, https://docs.stripe.com/api/checkout/sessions/expire
  stripe: { refundsByApi: true, endsPayments: true, namesWhenPlaced: true },
} as const satisfies Record<TopUpProvider, TopUpProviderFacts>

export const topUpStatuses = ['pending', 'success', 'expired', 'failed', 'cancelled'] as const
/** Status of an order. */
export type TopUpStatus = (typeof topUpStatuses)[number]

export const topUpReversals = ['none', 'refunded', 'disputed', 'charged_back'] as const
/**
 * Reversal of a paid order by the provider: some or all of it by refunds, or by a dispute that is open (`disputed`) or lost
 * (`charged_back`).
 */
export type TopUpReversal = (typeof topUpReversals)[number]

/** A started payment. Nobody writes its fields: the buyer says an amount and a method, and the provider what became of it. */
export const topUpOrderRecord = z.object({
  id: id.readonly(),
  userId: id.readonly(),
  /** The gateway's id for it at the provider. */
  tradeNo: z.string().readonly(),
  provider: z.enum(topUpProviders).readonly(),
  method: z.string().readonly(),
  /** Credited when it is paid. */
  quota: quota.readonly(),
  currency: z.string().readonly(),
  status: z.enum(topUpStatuses).default('pending').readonly(),
  reversal: z.enum(topUpReversals).default('none').readonly(),
  /** Taken back from what was credited, because the payment was refunded. */
  refundedQuota: quota.default(0).readonly(),
  /** Taken back because of a dispute that is open or lost. */
  disputedQuota: quota.default(0).readonly(),
  createdAt: unixSeconds.readonly(),
  /** Time when it was paid, or ended without a payment. */
  completedAt: nullAs(0, unixSeconds).default(null).readonly(),
  /** The provider's id for it; empty until it is known. */
  providerTradeNo: z.string().default('').readonly(),
})

export const topUpOrderResource = defineResource(topUpOrderRecord, {
  method: 'payment_method',
  createdAt: 'create_time',
  completedAt: 'complete_time',
})
