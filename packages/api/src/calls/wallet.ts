import { z } from 'zod'
import {
  type TopUpReversal,
  type TopUpStatus,
  topUpOrderResource,
  topUpProviders,
} from '../resources/top-up-order.ts'
import { oneBasedPage, pageOf, pageSize, queryInteger, queryText, quota } from '../wire.ts'
import { get, post } from './define.ts'

/** States that a list of orders is filtered by: `success` has those of which nothing was taken back. */
export const topUpStates = [
  'pending',
  'success',
  'expired',
  'failed',
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
})
/** An order on the wire. */
export type WireTopUpOrder = z.output<typeof topUpOrder>

export const topUpOrderWithUser = topUpOrder.extend({ username: z.string() })
/** An order with the name of its user. */
export type WireTopUpOrderWithUser = z.output<typeof topUpOrderWithUser>

const page = { p: oneBasedPage, page_size: pageSize }
const statusFilter = z.enum(topUpStates).optional().catch(undefined)

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
    data: z.record(z.string(), z.string()),
    extra: z.object({ url: z.string(), http_method: z.enum(['POST', 'GET']), trade_no: z.string() }),
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

export const topUpOrders = {
  list: get('admin', '/api/topup/', {
    part: 'money',
    recentProof: 'reads',
    query: z.object({
      ...page,
      status: statusFilter,
      provider: z.enum(topUpProviders).optional().catch(undefined),
      user_id: queryInteger,
      /** An integer. */
      username: queryText,
      /** An integer. */
      trade_no: queryText,
      start_timestamp: queryInteger,
      end_timestamp: queryInteger,
    }),
    data: pageOf(topUpOrderWithUser),
  }),
  /** Credits an order whose payment arrived without a notice. Once: an order that is paid stays as it is. */
  complete: post('admin', '/api/topup/complete', {
    part: 'money',
    recentProof: true,
    body: z.object({ trade_no: z.string().min(1).max(100) }),
    data: topUpOrder,
  }),
}
