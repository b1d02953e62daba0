import type { Insertable, Selectable } from 'kysely'
import type { Connection } from '../database.ts'
import type { TopUpOrder } from '../entities.ts'
import type { TopUpOrderRow } from '../tables.ts'
import { storableText } from '../text.ts'
import type { TopUpOrderFilter, TopUpOrderRepository } from '../top-up-order-repository.ts'
import { type Fields, integer, optionalInteger, readEntity, text, writeColumns } from './fields.ts'

const fields: Fields<TopUpOrder> = {
  id: integer('id'),
  tradeNo: text('trade_no'),
  userId: integer('user_id'),
  // The contract's own words are all that is ever written there.
  provider: text('provider') as Fields<TopUpOrder>['provider'],
  method: text('method'),
  quota: integer('quota'),
  moneyMinor: integer('money_minor'),
  currency: text('currency') as Fields<TopUpOrder>['currency'],
  status: text('status') as Fields<TopUpOrder>['status'],
  createdAt: integer('created_at'),
  completedAt: optionalInteger('completed_at'),
  providerTradeNo: text('provider_trade_no'),
}

export function createTopUpOrderRepository({ db }: Connection): TopUpOrderRepository {
  const matching = (filter: TopUpOrderFilter) => {
    let found = db.selectFrom('top_up_orders')
    if (filter.userId !== undefined) found = found.where('user_id', '=', filter.userId)
    if (filter.status !== undefined) found = found.where('status', '=', filter.status)
    if (filter.provider !== undefined) found = found.where('provider', '=', filter.provider)
    if (filter.tradeNo !== undefined) found = found.where('trade_no', '=', storableText(filter.tradeNo))
    if (filter.from !== undefined) found = found.where('created_at', '>=', filter.from)
    if (filter.to !== undefined) found = found.where('created_at', '<=', filter.to)
    return found
  }

  return {
    async create(order) {
      const row = writeColumns<TopUpOrder, Insertable<TopUpOrderRow>>(fields, {
        ...order,
        status: 'pending',
        completedAt: null,
        providerTradeNo: '',
      })
      const created = db.insertInto('top_up_orders').values(row).returningAll()
      return readEntity(fields, await created.executeTakeFirstOrThrow())
    },
    async findByTradeNo(tradeNo) {
      return toOrder(await matching({ tradeNo }).selectAll().executeTakeFirst())
    },
    async setProviderTradeNo(id, providerTradeNo) {
      const named = db.updateTable('top_up_orders').set({ provider_trade_no: storableText(providerTradeNo) })
      await named.where('id', '=', id).execute()
    },
    async markPaid(id, { providerTradeNo, at }) {
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
      return (await paid.executeTakeFirst()) !== undefined
    },
    async markUnpaid(id, status, at) {
      const ended = db.updateTable('top_up_orders').set({ status, completed_at: at }).where('id', '=', id)
      await ended.where('status', '=', 'pending').execute()
    },
    async expirePending(before, at) {
      await db
        .updateTable('top_up_orders')
        .set({ status: 'expired', completed_at: at })
        .where('status', '=', 'pending')
        .where('created_at', '<', before)
        .execute()
    },
    async page(filter, { offset, limit }) {
      const newestFirst = matching(filter).selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc')
      const page = newestFirst.offset(offset).limit(limit)
      const count = matching(filter).select((each) => each.fn.countAll<number>().as('total'))
      const [rows, counted] = await Promise.all([page.execute(), count.executeTakeFirstOrThrow()])
      return { rows: rows.map((row) => readEntity(fields, row)), total: counted.total }
    },
  }
}

function toOrder(row: Selectable<TopUpOrderRow> | undefined): TopUpOrder | undefined {
  return row && readEntity(fields, row)
}
