import { queryOptions } from '@tanstack/react-query'
import { calls, type WireTopUpOrderWithUser } from '@tollgate/api'
import { type ListSource, listCache } from '../../../components/list/index.ts'
import { request, requestContent } from '../../../lib/api/api-client.ts'
import { saveResponse } from '../../../lib/browser/save-file.ts'
import { timesOf } from '../../../lib/format/range-times.ts'
import { clockHere } from '../../../lib/format/reader-clock.ts'
import { dateNow } from '../../../lib/server-clock.ts'
import type { OrdersSearch } from '../search.ts'

const queryKey = ['orders'] as const

/** Sums of orders in memory, which a change of one makes old. */
export const orderSumsKey = ['order-sums'] as const

/** Every page of orders in memory. */
export const orderLists = listCache<WireTopUpOrderWithUser>(queryKey)

/** Filter of the orders on screen. */
export type OrderFilter = Omit<OrdersSearch, 'page'>

/** Everybody's orders, newest first. */
export function allOrdersSource(filter: OrderFilter): ListSource<WireTopUpOrderWithUser> {
  return {
    queryKey,
    filter,
    async read({ page, pageSize }, signal) {
      const query = { ...queryOf(filter), p: page, page_size: pageSize }
      const { items, total } = await request(calls.topUpOrders.list, { query, signal })
      return { rows: items, total }
    },
  }
}

/** Reads the sums of everything under the filter. */
export function orderSumsQuery(filter: OrderFilter) {
  return queryOptions({
    queryKey: [...orderSumsKey, filter],
    queryFn: ({ signal }) => request(calls.topUpOrders.sums, { query: queryOf(filter), signal }),
  })
}

/** Saves everything under the filter as a file of CSV. */
export async function exportOrders(filter: OrderFilter): Promise<void> {
  const query = { ...queryOf(filter), ...clockHere() }
  await saveResponse(await requestContent(calls.topUpOrders.export, { query }))
}

function queryOf({ status, provider, user, id, range, from, to }: OrderFilter) {
  const times = timesOf({ range, from, to }, dateNow(), 'all')
  return {
    status,
    provider,
    username: user,
    trade_no: id,
    start_timestamp: times.from,
    end_timestamp: times.to,
  }
}
