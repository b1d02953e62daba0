import type { TopUpOrder, TopUpOrderFilter, TopUpSums } from '../../store/money/top-up-orders.ts'
import type { Store } from '../../store/store.ts'

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
}

/** Orders that are in memory at once, whatever the length of an export. */
const batchOrders = 500

/** Orders as users and administrators see them. */
export function createOrders({ store }: Dependencies) {
  async function named(rows: readonly TopUpOrder[]): Promise<OrderWithUser[]> {
    const users = await store.users.listByIds([...new Set(rows.map((row) => row.userId))])
    return rows.map((row) => ({ ...row, username: users.get(row.userId)?.username ?? '' }))
  }

  /** The filter of the store; `undefined` when no order can match. */
  async function filterOf({ username, ...filter }: OrderSearch): Promise<TopUpOrderFilter | undefined> {
    const userId = await searchedUser(store, filter.userId, username)
    return userId === 'nobody' ? undefined : { ...filter, userId }
  }

  return {
    named,
    listOwn: (
      userId: number,
      filter: Pick<TopUpOrderFilter, 'status' | 'reversal'>,
      page: Page,
    ): Promise<{ rows: readonly TopUpOrder[]; total: number }> =>
      store.topUpOrders.page({ ...filter, userId }, page),
    async list(search: OrderSearch, page: Page): Promise<{ rows: readonly OrderWithUser[]; total: number }> {
      const filter = await filterOf(search)
      if (filter === undefined) return { rows: [], total: 0 }
      const { rows, total } = await store.topUpOrders.page(filter, page)
      return { rows: await named(rows), total }
    },
    /** Sums of the paid orders under the search, by currency. */
    async sums(search: OrderSearch): Promise<readonly TopUpSums[]> {
      const filter = await filterOf(search)
      return filter === undefined ? [] : await store.topUpOrders.sums(filter)
    },
    /** All orders under the search, newest first, some at a time. */
    async *batches(search: OrderSearch): AsyncGenerator<readonly OrderWithUser[]> {
      const filter = await filterOf(search)
      if (filter === undefined) return
      let before: number | undefined
      for (;;) {
        const rows = await store.topUpOrders.batch(filter, before, batchOrders)
        if (rows.length > 0) yield await named(rows)
        before = rows.at(-1)?.id
        if (rows.length < batchOrders) return
      }
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

/** Address at which a browser pays, and the fields it sends. */
export interface Checkout {
  readonly url: string
  /** `GET` goes there without fields. */
  readonly httpMethod: 'POST' | 'GET'
  readonly fields: Readonly<Record<string, string>>
}
