import type { Seconds, TopUpOrder } from './entities.ts'

export type NewTopUpOrder = Omit<TopUpOrder, 'id' | 'status' | 'completedAt' | 'providerTradeNo'>

export interface TopUpOrderFilter {
  readonly userId?: number
  readonly status?: TopUpOrder['status']
  readonly provider?: TopUpOrder['provider']
  /** To the letter. */
  readonly tradeNo?: string
  /** When it was made; both inclusive. */
  readonly from?: Seconds
  readonly to?: Seconds
}

export interface TopUpOrderRepository {
  /** Pending. Throws `DuplicateError` for a trade number that exists. */
  create(order: NewTopUpOrder): Promise<TopUpOrder>
  findByTradeNo(tradeNo: string): Promise<TopUpOrder | undefined>
  /** Keeps under which name the provider knows it. */
  setProviderTradeNo(id: number, providerTradeNo: string): Promise<void>
  /**
   * Money arrived. An order that was taken for expired or failed is paid all the same.
   * @returns false, and nothing has changed, when it was paid before
   */
  markPaid(
    id: number,
    paid: { readonly providerTradeNo?: string | undefined; readonly at: Seconds },
  ): Promise<boolean>
  /** Only from pending. */
  markUnpaid(id: number, status: 'expired' | 'failed', at: Seconds): Promise<void>
  /** Those that are pending and were made before `before`. */
  expirePending(before: Seconds, at: Seconds): Promise<void>
  /** Newest first, with the filter's total. */
  page(
    filter: TopUpOrderFilter,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ rows: TopUpOrder[]; total: number }>
}
