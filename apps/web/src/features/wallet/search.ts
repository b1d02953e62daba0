import type { TopUpStatus } from '@tollgate/api'
import { listParams } from '../../components/list/list-search.ts'
import { enumParam, searchParams } from '../../lib/search-params.ts'

/** What may become of an order. Written down here, because the contract's schemas are no part of the first load. */
export const orderStatuses = [
  'pending',
  'success',
  'expired',
  'failed',
] as const satisfies readonly TopUpStatus[]

/** What of the wallet is in the URL: where one is in the list of top-ups. */
export const walletSearch = searchParams({ page: listParams.page, status: enumParam(orderStatuses) })
export type WalletSearch = ReturnType<typeof walletSearch>
