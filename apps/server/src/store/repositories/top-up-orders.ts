import type { Currency, TopUpProvider, TopUpStatus } from '@tollgate/api'
import type { Connection } from '../database.ts'
import { hasRow, type Page, type PageOf, readPage } from '../queries.ts'
import {
  defineTable,
  type EntityOf,
  generatedId,
  integer,
  optionalInteger,
  type RowOf,
  text,
} from '../schema/table.ts'
import { storableText } from '../schema/text.ts'
import type { Seconds } from '../units.ts'

export type NewTopUpOrder = Omit<TopUpOrder, 'id' | 'status' | 'completedAt' | 'providerTradeNo'>

export interface TopUpOrderFilter {
  readonly userId?: number | undefined
  readonly status?: TopUpOrder['status'] | undefined
  readonly provider?: TopUpOrder['provider'] | undefined
  /** To the letter. */
  readonly tradeNo?: string | undefined
  /** When it was placed; both inclusive. */
  readonly from?: Seconds | undefined
  readonly to?: Seconds | undefined
}

export const topUpOrderTable = defineTable('top_up_orders', {
  id: generatedId(),
  /** The gateway's id for it at the provider. */
  tradeNo: text(),
  userId: integer(),
  provider: text<TopUpProvider>(),
  /** The amount that the user chose. */
  method: text(),
  /** Credited when it is paid. */
  quota: integer(),
  /** To be paid, in the smallest unit of `currency`. */
  moneyMinor: integer(),
  currency: text<Currency>(),
  status: text<TopUpStatus>(),
  createdAt: integer(),
  /** When it was paid, expired or failed. */
  completedAt: optionalInteger(),
  /** The provider's id for it; empty until it is known. */
  providerTradeNo: text(),
})

/** A started payment, and its purpose. */
export type TopUpOrder = EntityOf<typeof topUpOrderTable>

export function createTopUpOrderRepository({ db }: Connection) {
  const matching = ({ from, to, ...fields }: TopUpOrderFilter) => {
    let found = db.selectFrom('top_up_orders').where(({ and }) => and(topUpOrderTable.filter(fields)))
    if (from !== undefined) found = found.where('created_at', '>=', from)
    if (to !== undefined) found = found.where('created_at', '<=', to)
    return found
  }

  return {
    /** Pending. Throws `DuplicateError` for a trade number that exists. */
    async create(order: NewTopUpOrder): Promise<TopUpOrder> {
      const row = topUpOrderTable.insertion({
        ...order,
        status: 'pending',
        completedAt: null,
        providerTradeNo: '',
      })
      const created = db.insertInto('top_up_orders').values(row).returningAll()
      return topUpOrderTable.read(await created.executeTakeFirstOrThrow())
    },
    async findByTradeNo(tradeNo: string): Promise<TopUpOrder | undefined> {
      return await topUpOrderTable.first(matching({ tradeNo }).selectAll())
    },
    /** Stores the provider's id of the order. */
    async setProviderTradeNo(id: number, providerTradeNo: string): Promise<void> {
      const named = db.updateTable('top_up_orders').set({ provider_trade_no: storableText(providerTradeNo) })
      await named.where('id', '=', id).execute()
    },
    /**
     * Money arrived. An expired or failed order becomes paid, too.
     * @returns false, without a change, when it was paid before
     */
    async markPaid(
      id: number,
      { providerTradeNo, at }: { readonly providerTradeNo?: string | undefined; readonly at: Seconds },
    ): Promise<boolean> {
      const paid = db
        .updateTable('top_up_orders')
        .set({
          status: 'success',
          completed_at: at,
          ...(providerTradeNo !== undefined && { provider_trade_no: storableText(providerTradeNo) }),
        })
        .where('id', '=', id)
        .where('status', '<>', 'success')
        .returning('id')
      return hasRow(paid)
    },
    /** Only from pending. */
    async markUnpaid(id: number, status: 'expired' | 'failed', at: Seconds): Promise<void> {
      const ended = db.updateTable('top_up_orders').set({ status, completed_at: at }).where('id', '=', id)
      await ended.where('status', '=', 'pending').execute()
    },
    /** The pending ones that were placed before `before`. */
    async expirePending(before: Seconds, at: Seconds): Promise<void> {
      await db
        .updateTable('top_up_orders')
        .set({ status: 'expired', completed_at: at })
        .where('status', '=', 'pending')
        .where('created_at', '<', before)
        .execute()
    },
    /** Newest first, with the filter's total. */
    async page(filter: TopUpOrderFilter, page: Page): Promise<PageOf<TopUpOrder>> {
      const newestFirst = matching(filter).selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc')
      return await readPage(topUpOrderTable, newestFirst, page)
    },
  }
}

declare module '../schema/tables.ts' {
  interface Tables {
    top_up_orders: RowOf<typeof topUpOrderTable>
  }
}

export type TopUpOrderRepository = ReturnType<typeof createTopUpOrderRepository>
