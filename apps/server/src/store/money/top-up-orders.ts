import {
  type Currency,
  type TopUpProvider,
  type TopUpReversal,
  topUpOrderRecord,
  topUpOrderResource,
} from '@tollgate/api'
import type { Connection } from '../database.ts'
import { countRows, hasRow, type Page, type PageOf, readPage } from '../queries.ts'
import { columnsOf } from '../schema/resource-columns.ts'
import { defineTable, type EntityOf, integer, type RowOf, text } from '../schema/table.ts'
import { storableText } from '../schema/text.ts'
import type { Quota, Seconds } from '../units.ts'

/** Fields of an order that was just placed. */
const untouched = {
  ...topUpOrderResource.defaults,
  paymentId: '',
  revision: 0,
  giftInviterId: 0,
  giftQuota: 0,
} as const

/** Fields of an order when it is placed: an import alone knows any of the later ones. */
export type NewTopUpOrder = Omit<TopUpOrder, 'id' | keyof typeof untouched> & Partial<OrderFields>

/** Fields of an order that the gateway sets after it was placed, of those that are declared. */
export type OrderFields = typeof topUpOrderResource.defaults

export interface TopUpOrderFilter {
  readonly userId?: number | undefined
  readonly status?: TopUpOrder['status'] | undefined
  readonly reversal?: TopUpReversal | undefined
  readonly provider?: TopUpOrder['provider'] | undefined
  /** The gateway's or the provider's id, to the letter. */
  readonly anyTradeNo?: string | undefined
  /** Time when it was placed; both inclusive. */
  readonly from?: Seconds | undefined
  readonly to?: Seconds | undefined
}

export const topUpOrderTable = defineTable('top_up_orders', {
  ...columnsOf(topUpOrderRecord),
  currency: text<Currency>(),
  /** Amount to pay, in the smallest unit of `currency`. */
  moneyMinor: integer(),
  /** The provider's id of the payment, where that has one beside the order's; empty until it is known. */
  paymentId: text(),
  /** Raised whenever the provider was asked what it took back. */
  revision: integer(),
  /** The inviter whose gift this order released, and the gift; 0 without one. */
  giftInviterId: integer(),
  giftQuota: integer(),
})

/** A started payment, and its purpose. */
export type TopUpOrder = EntityOf<typeof topUpOrderTable>

/** The provider's ids of a payment, as far as they are known. */
export type PaidBy = { readonly [Id in 'providerTradeNo' | 'paymentId']?: TopUpOrder[Id] | undefined }

/** Reversed part of an order. */
export type Reversal = Pick<TopUpOrder, 'refundedQuota' | 'disputedQuota' | 'reversal'>

/** Facts of a payment beside its amount. */
export type ImportedPayment = Reversal &
  Pick<TopUpOrder, 'providerTradeNo' | 'paymentId' | 'revision' | 'giftInviterId' | 'giftQuota'>

export function createTopUpOrderRepository({ db }: Connection) {
  const matching = ({ from, to, anyTradeNo, ...fields }: TopUpOrderFilter) => {
    let found = db.selectFrom('top_up_orders').where(({ and }) => and(topUpOrderTable.filter(fields)))
    if (from !== undefined) found = found.where('created_at', '>=', from)
    if (to !== undefined) found = found.where('created_at', '<=', to)
    if (anyTradeNo !== undefined)
      found = found.where(({ or, eb }) =>
        or([eb('trade_no', '=', anyTradeNo), eb('provider_trade_no', '=', anyTradeNo)]),
      )
    return found
  }

  return {
    /** Pending. Throws `DuplicateError` for a trade number that exists. */
    async create(order: NewTopUpOrder): Promise<TopUpOrder> {
      const row = topUpOrderTable.insertion({ ...untouched, ...order })
      const created = db.insertInto('top_up_orders').values(row).returningAll()
      return topUpOrderTable.read(await created.executeTakeFirstOrThrow())
    },
    async findByTradeNo(tradeNo: string): Promise<TopUpOrder | undefined> {
      const found = db.selectFrom('top_up_orders').selectAll().where('trade_no', '=', tradeNo)
      return await topUpOrderTable.first(found)
    },
    /** The order that a payment was made for. */
    async findByPaymentId(provider: TopUpProvider, paymentId: string): Promise<TopUpOrder | undefined> {
      if (paymentId === '') return undefined
      const paid = db.selectFrom('top_up_orders').selectAll().where('provider', '=', provider)
      return await topUpOrderTable.first(paid.where('payment_id', '=', storableText(paymentId)))
    },
    /** Stores the provider's id of the order. */
    async setProviderTradeNo(id: number, providerTradeNo: string): Promise<void> {
      const named = db.updateTable('top_up_orders').set({ provider_trade_no: storableText(providerTradeNo) })
      await named.where('id', '=', id).execute()
    },
    /** Stores the provider's ids of a payment, each only where none is stored. */
    async setPaymentIds(
      id: number,
      { providerTradeNo, paymentId }: Pick<TopUpOrder, 'providerTradeNo' | 'paymentId'>,
    ): Promise<void> {
      const fields = { provider_trade_no: providerTradeNo, payment_id: paymentId } as const
      for (const [column, value] of Object.entries(fields) as [keyof typeof fields, string][]) {
        const known = db.updateTable('top_up_orders').set({ [column]: storableText(value) })
        if (value !== '') await known.where('id', '=', id).where(column, '=', '').execute()
      }
    },
    /**
     * Money arrived. An expired or failed order becomes paid, too.
     * @returns false, without a change, when it was paid before
     */
    async markPaid(
      id: number,
      { providerTradeNo, paymentId, at }: PaidBy & { readonly at: Seconds },
    ): Promise<boolean> {
      const paid = db
        .updateTable('top_up_orders')
        .set({
          status: 'success',
          completed_at: at,
          ...(providerTradeNo !== undefined && { provider_trade_no: storableText(providerTradeNo) }),
          ...(paymentId !== undefined && { payment_id: storableText(paymentId) }),
        })
        .where('id', '=', id)
        .where('status', '<>', 'success')
        .returning('id')
      return hasRow(paid)
    },
    /**
     * Stores what the provider took back of a paid order.
     * @returns false, without a change, when somebody else stored that since `revision`
     */
    async markReversed(
      { id, revision }: Pick<TopUpOrder, 'id' | 'revision'>,
      { refundedQuota, disputedQuota, reversal }: Reversal,
    ): Promise<boolean> {
      const reversed = db
        .updateTable('top_up_orders')
        .set({
          refunded_quota: refundedQuota,
          disputed_quota: disputedQuota,
          reversal,
          revision: revision + 1,
        })
        .where('id', '=', id)
        .where('revision', '=', revision)
        .where('status', '=', 'success')
        .returning('id')
      return hasRow(reversed)
    },
    /** Stores the inviter's gift that the order released, or that it releases none any more. */
    async setGift(id: number, gift: { readonly inviterId: number; readonly quota: Quota }): Promise<void> {
      const provided = db.updateTable('top_up_orders').where('id', '=', id)
      await provided.set({ gift_inviter_id: gift.inviterId, gift_quota: gift.quota }).execute()
    },
    /** Stores what another gateway knew of the payment of an order that was imported. */
    async setPayment(id: number, payment: ImportedPayment): Promise<void> {
      const row = topUpOrderTable.change(payment)
      await db.updateTable('top_up_orders').set(row).where('id', '=', id).execute()
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
    countPending: (userId: number): Promise<number> =>
      countRows(db.selectFrom('top_up_orders').where('user_id', '=', userId).where('status', '=', 'pending')),
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
