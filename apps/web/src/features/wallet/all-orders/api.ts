import { calls, type WireTopUpOrderWithUser } from '@tollgate/api'
import { type ListSource, listCache } from '../../../components/list/index.ts'
import { request } from '../../../lib/api/api-client.ts'
import { timesOf } from '../../../lib/format/range-times.ts'
import type { OrdersSearch } from '../search.ts'

const queryKey = ['orders'] as const

/** Every page of orders in memory. */
export const orderLists = listCache<WireTopUpOrderWithUser>(queryKey)

/** Everybody's orders, newest first. */
export function allOrdersSource(filter: Omit<OrdersSearch, 'page'>): ListSource<WireTopUpOrderWithUser> {
  const { status, provider, user, id, range, from, to } = filter
  return {
    queryKey,
    filter,
    async read({ page, pageSize }, signal) {
      const times = timesOf({ range, from, to }, new Date(), 'all')
      const query = {
        p: page,
        page_size: pageSize,
        status,
        provider,
        username: user,
        trade_no: id,
        start_timestamp: times.from,
        end_timestamp: times.to,
      }
      const { items, total } = await request(calls.topUpOrders.list, { query, signal })
      return { rows: items, total }
    },
  }
}
