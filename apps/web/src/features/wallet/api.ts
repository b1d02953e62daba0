import { queryOptions } from '@tanstack/react-query'
import { type CallData, type CallExtra, calls, type TopUpState, type WireTopUpOrder } from '@tollgate/api'
import type { ListSource } from '../../components/list/index.ts'
import { request, requestWithExtra } from '../../lib/api/api-client.ts'

/** Reads this person's methods and amounts of top-ups. */
export const topUpInfoQuery = queryOptions({
  queryKey: ['wallet', 'info'],
  queryFn: ({ signal }) => request(calls.wallet.info, { signal }),
})

export interface TopUpChoice {
  readonly amount: number
  readonly method: string
}

/** Reads the price of an amount, as decimal text of the method's currency. */
export function payableQuery({ amount, method }: TopUpChoice) {
  return queryOptions({
    queryKey: ['wallet', 'payable', method, amount],
    queryFn: ({ signal }) =>
      request(calls.wallet.amount, {
        body: { amount, top_up_code: '', payment_method: method },
        signal,
      }),
  })
}

/** Redeems a code; resolves with the quota gained. */
export function redeemCode(key: string): Promise<number> {
  return request(calls.wallet.redeem, { body: { key } })
}

/** Address at which the browser pays, and the fields it sends there. */
export type Checkout = CallExtra<typeof calls.wallet.pay> & {
  readonly fields: CallData<typeof calls.wallet.pay>
}

/** Places an order. */
export async function startPayment({ amount, method }: TopUpChoice): Promise<Checkout> {
  const body = { amount, top_up_code: '', payment_method: method }
  const { data, extra } = await requestWithExtra(calls.wallet.pay, { body })
  return { ...extra, fields: data }
}

/** Continues the payment of an own pending order. */
export async function resumePayment(tradeNo: string): Promise<Checkout> {
  const { data, extra } = await requestWithExtra(calls.wallet.resume, { body: { trade_no: tradeNo } })
  return { ...extra, fields: data }
}

export const ordersKey = ['wallet', 'orders'] as const

/** The own top-ups, newest first. */
export function ordersSource(status: TopUpState | undefined): ListSource<WireTopUpOrder> {
  return {
    queryKey: ordersKey,
    filter: { status },
    async read({ page, pageSize }, signal) {
      const query = { status, p: page, page_size: pageSize }
      const { items, total } = await request(calls.wallet.orders, { query, signal })
      return { rows: items, total }
    },
  }
}
