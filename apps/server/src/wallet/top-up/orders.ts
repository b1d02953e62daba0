import { Refusal } from '../../lib/refusal.ts'
import type { Actor } from '../../records/audit-log/audit-log.ts'
import type { TopUpOrder, TopUpOrderFilter } from '../../store/money/top-up-orders.ts'
import type { Store } from '../../store/store.ts'
import type { CompleteOrder } from './complete-order.ts'

export interface Page {
  readonly offset: number
  readonly limit: number
}

export interface OrderSearch extends TopUpOrderFilter {
  /** An integer. */
  readonly username?: string | undefined
}

export interface OrderWithUser extends TopUpOrder {
  /** Empty when the account is deleted. */
  readonly username: string
}

interface Dependencies {
  readonly store: Pick<Store, 'topUpOrders' | 'users'>
  readonly completeOrder: CompleteOrder
}

/** Orders as users and administrators see them. */
export function createOrders({ store, completeOrder }: Dependencies) {
  const find = async (tradeNo: string) => (await store.topUpOrders.findByTradeNo(tradeNo)) ?? refuseUnknown()

  return {
    listOwn: (
      userId: number,
      filter: Pick<TopUpOrderFilter, 'status' | 'reversal'>,
      page: Page,
    ): Promise<{ rows: readonly TopUpOrder[]; total: number }> =>
      store.topUpOrders.page({ ...filter, userId }, page),
    async list(
      { username, ...filter }: OrderSearch,
      page: Page,
    ): Promise<{ rows: readonly OrderWithUser[]; total: number }> {
      const userId = await searchedUser(store, filter.userId, username)
      if (userId === 'nobody') return { rows: [], total: 0 }
      const { rows, total } = await store.topUpOrders.page({ ...filter, userId }, page)
      const users = await store.users.listByIds([...new Set(rows.map((row) => row.userId))])
      return {
        rows: rows.map((row) => ({ ...row, username: users.get(row.userId)?.username ?? '' })),
        total,
      }
    },
    /** Credits an order by hand, once; returns the order afterwards. */
    async complete(actor: Actor, tradeNo: string): Promise<TopUpOrder> {
      await completeOrder(await find(tradeNo), { actor })
      return await find(tradeNo)
    },
  }
}

export type Orders = ReturnType<typeof createOrders>

/** The owner of the orders to list: one user, all users, or none when the given name and id belong to different users. */
async function searchedUser(
  { users }: Pick<Store, 'users'>,
  userId: number | undefined,
  username: string | undefined,
): Promise<number | 'nobody' | undefined> {
  if (username === undefined) return userId
  const [named] = await users.idsByUsername(username)
  return named !== undefined && (userId === undefined || userId === named) ? named : 'nobody'
}

function refuseUnknown(): never {
  throw new Refusal('record_not_found')
}

/** Address at which a browser pays, and the fields it sends. */
export interface Checkout {
  readonly url: string
  /** `GET` goes there without fields. */
  readonly httpMethod: 'POST' | 'GET'
  readonly fields: Readonly<Record<string, string>>
}
