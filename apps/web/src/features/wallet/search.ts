import type { TopUpProvider, TopUpState } from '@tollgate/api'
import { listParams } from '../../components/list/list-search.ts'
import { timeParams } from '../../lib/format/time-range.ts'
import { enumParam, searchParams, textParam } from '../../lib/search-params.ts'

/** States of an order. Written down here, because the contract's schemas are no part of the first load. */
export const orderStates = [
  'pending',
  'success',
  'expired',
  'failed',
  'cancelled',
  'refunded',
  'disputed',
  'charged_back',
] as const satisfies readonly TopUpState[]

export const paymentProviders = ['epay', 'stripe'] as const satisfies readonly TopUpProvider[]

/** Parameters of the wallet in the URL: the position in the list of top-ups. */
export const walletSearch = searchParams({ page: listParams.page, status: enumParam(orderStates) })
export type WalletSearch = ReturnType<typeof walletSearch>

/** Parameters of everybody's orders in the URL. */
export const ordersSearch = searchParams({
  page: listParams.page,
  status: enumParam(orderStates),
  provider: enumParam(paymentProviders),
  /** A username. */
  user: textParam,
  /** The gateway's or the provider's id of an order. */
  id: textParam,
  ...timeParams,
})
export type OrdersSearch = ReturnType<typeof ordersSearch>
