import type { Services } from '../../services.ts'
import { minorOf } from '../amounts.ts'
import type { CompleteOrder } from '../complete-order.ts'
import { epayCentDigits } from './order-form.ts'
import type { EpayFields } from './sign.ts'

/** The responses of the epay protocol: the provider sends the notice again unless it receives `success`. */
export type EpayReply = 'success' | 'fail'

interface Dependencies extends Pick<Services, 'store' | 'settings'> {
  readonly completeOrder: CompleteOrder
}

/**
 * Takes a notice whose signature was verified. Returns `success` only when the order's money is credited, now or before,
 * so that the provider repeats a notice that could not be credited.
 */
export function createEpayNotices({ store, settings, completeOrder }: Dependencies) {
  return async (notice: EpayFields): Promise<EpayReply> => {
    if (notice['pid'] !== settings.current.EpayId || notice['trade_status'] !== 'TRADE_SUCCESS') return 'fail'
    const order = await store.topUpOrders.findByTradeNo(notice['out_trade_no'] ?? '')
    if (order?.provider !== 'epay') return 'fail'
    if (minorOf(notice['money'] ?? '', epayCentDigits) !== order.moneyMinor) return 'fail'
    await completeOrder(order, { providerTradeNo: notice['trade_no'] })
    return 'success'
  }
}
