import { z } from 'zod'
import {
  type TopUpReversal,
  type TopUpStatus,
  topUpOrderResource,
  topUpProviders,
} from '../resources/top-up-order.ts'
import { oneBasedPage, pageOf, pageSize, queryInteger, queryText, quota, readerClock } from '../wire.ts'
import { get, post } from './define.ts'

/** States that a list of orders is filtered by: `success` has those of which nothing was taken back. */
export const topUpStates = [
  'pending',
  'success',
  'expired',
  'failed',
  'cancelled',
  'refunded',
  'disputed',
  'charged_back',
] as const satisfies readonly (TopUpStatus | TopUpReversal)[]
export type TopUpState = (typeof topUpStates)[number]

/** Units of currency with a display in currency, points of quota without; see `display_in_currency`. */
const amount = z.number().int()

/** Also sent by such consoles, without effect. */
const topUpCode = z.string().optional()

/** A payment method. */
const topUpMethod = z.object({
  /** The value of `payment_method` in calls. */
  method: z.string(),
  provider: z.enum(topUpProviders),
  /** ISO 4217, lower case. */
  currency: z.string(),
  /** Paid for one unit of balance, before the group's ratio. */
  price: z.number(),
})
export type TopUpMethod = z.output<typeof topUpMethod>

/** The facts that the wallet page needs to offer a top-up to the caller. */
export const topUpInfo = z.object({
  enable_online_topup: z.boolean(),
  methods: z.array(topUpMethod),
  /** Ratio of the caller's group, which multiplies prices. */
  group_ratio: z.number(),
  display_in_currency: z.boolean(),
  quota_per_unit: z.number(),
  /** Least `amount`. */
  min_amount: z.number(),
  /** `amount`s to offer. */
  presets: z.array(z.number()),
  top_up_link: z.string(),
})
/** Methods of payment, and the steps of amounts. */
export type TopUpInfo = z.output<typeof topUpInfo>

export const topUpOrder = topUpOrderResource.wire.extend({
  /** The price, as decimal text of `currency`. */
  money: z.string(),
  /** The part of the price that was refunded, and the part in disputes that are open or lost. */
  refunded_money: z.string(),
  disputed_money: z.string(),
})
/** An order on the wire. */
export type WireTopUpOrder = z.output<typeof topUpOrder>

export const topUpOrderWithUser = topUpOrder.extend({
  username: z.string(),
  /** The payment by which an administrator settled the order elsewhere, and the reason; empty otherwise. */
  settled_reference: z.string(),
  settled_reason: z.string(),
})
/** An order with the name of its user. */
export type WireTopUpOrderWithUser = z.output<typeof topUpOrderWithUser>

const page = { p: oneBasedPage, page_size: pageSize }
const statusFilter = z.enum(topUpStates).optional().catch(undefined)

/** The number of an order of the caller, or for administrators of anybody. */
const ofOrder = z.object({ trade_no: z.string().min(1).max(100) })

/** Target of a browser that pays: the fields of a form, or none for an address to go to. */
const checkout = {
  data: z.record(z.string(), z.string()),
  extra: z.object({ url: z.string(), http_method: z.enum(['POST', 'GET']), trade_no: z.string() }),
}

/** Payments of orders in one currency, as decimal texts of it. Orders without a payment count in none. */
export const topUpSum = z.object({
  currency: z.string(),
  orders: z.number().int(),
  paid: z.string(),
  refunded: z.string(),
  /** Money in disputes that are open or lost. */
  disputed: z.string(),
  /** Paid, less refunds and disputes. */
  net: z.string(),
  /** Credited for them, less what was taken back. */
  quota,
})
/** Payments of orders in one currency. */
export type TopUpSum = z.output<typeof topUpSum>

export const wallet = {
  /** Redeems a code; `data` is the quota gained. */
  redeem: post('user', '/api/user/topup', {
    recentProof: 'uses',
    critical: true,
    body: z.object({ key: z.string().default('') }),
    data: quota,
  }),
  info: get('user', '/api/user/topup/info', { recentProof: 'reads', data: topUpInfo }),
  /** The price of `amount` for the caller, as decimal text; by the first method unless one is named. */
  amount: post('user', '/api/user/amount', {
    recentProof: 'reads',
    response: 'wallet',
    body: z.object({ amount, top_up_code: topUpCode, payment_method: z.string().optional() }),
    data: z.string(),
  }),
  /**
   * Starts a payment: `data` are the fields of a form that the browser sends to `url`. Without fields (`http_method`
   * GET) it just goes there.
   */
  pay: post('user', '/api/user/pay', {
    recentProof: 'uses',
    response: 'wallet',
    body: z.object({ amount, top_up_code: topUpCode, payment_method: z.string().default('') }),
    ...checkout,
  }),
  /** Continues the payment of an own pending order at its provider; refuses where that has ended it. */
  resume: post('user', '/api/user/topup/orders/resume', {
    recentProof: 'uses',
    response: 'wallet',
    body: ofOrder,
    ...checkout,
  }),
  /** Ends an own pending order. A payment that arrives all the same is still credited. */
  cancel: post('user', '/api/user/topup/orders/cancel', {
    recentProof: 'uses',
    body: ofOrder,
    data: topUpOrder,
  }),
  orders: get('user', '/api/user/topup/orders', {
    recentProof: 'reads',
    query: z.object({ ...page, status: statusFilter }),
    data: pageOf(topUpOrder),
  }),
  /** The same list by the address that programs know. */
  ordersSelf: get('user', '/api/user/topup/self', {
    recentProof: 'reads',
    query: z.object({ ...page, status: statusFilter }),
    data: pageOf(topUpOrder),
  }),
}

/** `success` once the money is credited; anything else makes the provider send it again. */
const epayCallback = { response: 'text', refusalText: 'fail' } as const
const epayFields = z.record(z.string(), z.string())

export const payments = {
  epayNotify: get('signature', '/api/user/epay/notify', {
    recentProof: 'signed',
    ...epayCallback,
    query: epayFields,
  }),
  epayNotifyForm: post('signature', '/api/user/epay/notify', {
    recentProof: 'signed',
    ...epayCallback,
    accepts: 'form',
    body: epayFields,
  }),
  stripeWebhook: post('signature', '/api/user/stripe/webhook', {
    recentProof: 'signed',
    accepts: 'raw',
    maxBodyBytes: 512 * 1024,
    response: 'text',
  }),
}

const orderFilter = {
  status: statusFilter,
  provider: z.enum(topUpProviders).optional().catch(undefined),
  user_id: queryInteger,
  username: queryText,
  trade_no: queryText,
  start_timestamp: queryInteger,
  end_timestamp: queryInteger,
}

/** Reason of the administrator: for the audit log. */
const reason = z.string().trim().max(200).default('')

export const topUpOrders = {
  list: get('admin', '/api/topup/', {
    part: 'money',
    recentProof: 'reads',
    query: z.object({ ...page, ...orderFilter }),
    data: pageOf(topUpOrderWithUser),
  }),
  /** Sums of everything under the filter, by currency. */
  sums: get('admin', '/api/topup/sums', {
    part: 'money',
    recentProof: 'reads',
    query: z.object(orderFilter),
    data: z.array(topUpSum),
  }),
  /** Everything under the filter as CSV, newest first, times in the caller's time zone. */
  export: get('admin', '/api/topup/export', {
    part: 'money',
    // The audit log records who took it along.
    recentProof: 'operates',
    query: z.object({ ...orderFilter, ...readerClock }),
    response: 'stream',
  }),
  /**
   * Credits an order by hand: its payment arrived without a notice, or, with a reference, it was settled elsewhere. Once: an order that
   * is paid stays as it is.
   */
  complete: post('admin', '/api/topup/complete', {
    part: 'money',
    recentProof: true,
    body: ofOrder.extend({
      /** The payment elsewhere: a bank's reference, a receipt. Ends the payment at the provider. */
      reference: z.string().trim().max(200).default(''),
      reason,
    }),
    data: topUpOrderWithUser,
  }),
  /**
   * Refunds a paid order, in part or whole, and takes as much of its credit back: by the provider's API, or `by_hand` as the record of money
   * that was returned otherwise.
   */
  refund: post('admin', '/api/topup/refund', {
    part: 'money',
    recentProof: true,
    body: ofOrder.extend({
      /** Decimal text of the order's currency. */
      money: z.string().max(20),
      /** `refunded_money` as the caller saw it: refused when somebody refunded meanwhile. */
      refunded_money: z.string().max(20),
      /** Set for money that was returned otherwise; needed where the provider returns none. */
      by_hand: z.boolean().default(false),
      reason,
    }),
    data: topUpOrderWithUser,
  }),
  /** Ends a pending order. A payment that arrives all the same is still credited. */
  cancel: post('admin', '/api/topup/cancel', {
    part: 'money',
    recentProof: 'operates',
    body: ofOrder.extend({ reason }),
    data: topUpOrderWithUser,
  }),
}
