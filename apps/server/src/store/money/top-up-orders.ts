import {
  type Currency,
  type TopUpProvider,
  type TopUpReversal,
  topUpOrderRecord,
  topUpOrderResource,
} from '@tollgate/api'
import { sql } from 'kysely'
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
  refundedMinor: 0,
  disputedMinor: 0,
  handRefundedMinor: 0,
  settledReference: '',
  settledReason: '',
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
  /** Refunded money, in the smallest unit of `currency`, and the part of it that was returned otherwise than by the provider's API. */
  refundedMinor: integer(),
  handRefundedMinor: integer(),
  /** Money in disputes that are open or lost. */
  disputedMinor: integer(),
  /** The payment elsewhere by which an administrator settled it, and why; empty otherwise. */
  settledReference: text(),
  settledReason: text(),
})

/** A started payment, and its purpose. */
export type TopUpOrder = EntityOf<typeof topUpOrderTable>

/** The provider's ids of a payment, as far as they are known. */
export type PaidBy = { readonly [Id in 'providerTradeNo' | 'paymentId']?: TopUpOrder[Id] | undefined }

/** Reversed part of an order, as quota and as money. */
export type Reversal = Pick<
  TopUpOrder,
  'refundedQuota' | 'disputedQuota' | 'reversal' | 'refundedMinor' | 'disputedMinor' | 'handRefundedMinor'
>

/** An order's payment otherwise than by its provider. */
export type SettledElsewhere = Pick<TopUpOrder, 'settledReference' | 'settledReason'>

/** Payments under a filter in one currency, in its smallest unit. */
export interface TopUpSums {
  readonly currency: Currency
  readonly orders: number
  readonly paidMinor: number
  readonly refundedMinor: number
  readonly disputedMinor: number
  /** Credited, less what was taken back. */
  readonly quota: Quota
}

/** Facts of a payment beside its amount. */
export type ImportedPayment = Reversal &
  SettledElsewhere &
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
      {
        providerTradeNo,
        paymentId,
        at,
        ...settled
      }: PaidBy & Partial<SettledElsewhere> & { readonly at: Seconds },
    ): Promise<boolean> {
      const paid = db
        .updateTable('top_up_orders')
        .set({
          status: 'success',
          completed_at: at,
          ...(providerTradeNo !== undefined && { provider_trade_no: storableText(providerTradeNo) }),
          ...(paymentId !== undefined && { payment_id: storableText(paymentId) }),
          ...topUpOrderTable.change(settled),
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
      reversed: Reversal,
    ): Promise<boolean> {
      const { refundedQuota, disputedQuota, reversal } = reversed
      const { refundedMinor, disputedMinor, handRefundedMinor } = reversed
      const quotas = { refundedQuota, disputedQuota, reversal }
      const money = { refundedMinor, disputedMinor, handRefundedMinor }
      const changed = db
        .updateTable('top_up_orders')
        .set(topUpOrderTable.change({ ...quotas, ...money, revision: revision + 1 }))
        .where('id', '=', id)
        .where('revision', '=', revision)
        .where('status', '=', 'success')
        .returning('id')
      return hasRow(changed)
    },
    /** Makes a refund that was begun on an earlier revision another one than those that follow. */
    async raiseRevision(id: number, revision: number): Promise<void> {
      const raised = db
        .updateTable('top_up_orders')
        .set({ revision: revision + 1 })
        .where('id', '=', id)
      await raised.where('revision', '=', revision).execute()
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
    /** @returns false, without a change, when it was not pending */
    markUnpaid(id: number, status: 'expired' | 'failed' | 'cancelled', at: Seconds): Promise<boolean> {
      const ended = db.updateTable('top_up_orders').set({ status, completed_at: at }).where('id', '=', id)
      return hasRow(ended.where('status', '=', 'pending').returning('id'))
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
    /** Some orders under the filter below an id, newest first: for reading all of them. */
    batch(filter: TopUpOrderFilter, before: number | undefined, size: number): Promise<TopUpOrder[]> {
      let found = matching(filter).selectAll().orderBy('id', 'desc').limit(size)
      if (before !== undefined) found = found.where('id', '<', before)
      return topUpOrderTable.all(found)
    },
    /** Sums of the paid orders under the filter, by currency. */
    async sums(filter: TopUpOrderFilter): Promise<TopUpSums[]> {
      const sum = (expression: string) => sql<number>`cast(sum(${sql.raw(expression)}) as bigint)`
      return await matching(filter)
        .where('status', '=', 'success')
        .select([
          sql<Currency>`currency`.as('currency'),
          sql<number>`count(*)`.as('orders'),
          sum('money_minor').as('paidMinor'),
          sum('refunded_minor').as('refundedMinor'),
          sum('disputed_minor').as('disputedMinor'),
          sum('quota - refunded_quota - disputed_quota').as('quota'),
        ])
        .groupBy('currency')
        .orderBy('currency')
        .execute()
    },
  }
}

declare module '../schema/tables.ts' {
  interface Tables {
    top_up_orders: RowOf<typeof topUpOrderTable>
  }
}

export type TopUpOrderRepository = ReturnType<typeof createTopUpOrderRepository>
