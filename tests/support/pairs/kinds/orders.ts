import { casesOf, type Kind } from '../kind.ts'
import { addPerson, insert, literal } from '../world.ts'

interface Order {
  readonly tradeNo: string
  readonly userId: number
}

/** An order that is not paid yet. */
export const orders: Kind<Order> = {
  rows: 'top_up_orders',
  async create(world) {
    const [{ id: userId }, tradeNo] = [await addPerson(world), world.fresh('TRADE')]
    const money = { quota: 500, money_minor: 700, currency: 'cny', status: 'pending', created_at: 1 }
    const by = { provider: 'epay', method: 'alipay', provider_trade_no: '' }
    await insert(world.rows, 'top_up_orders', { trade_no: tradeNo, user_id: userId, ...by, ...money })
    return { tradeNo, userId }
  },
  async read({ rows }, { tradeNo, userId }) {
    const found = await rows.select(`select status from top_up_orders where trade_no = ${literal(tradeNo)}`)
    const credited = await rows.select(
      `select amount from ledger_entries where cause = 'top-up' and note = ${literal(tradeNo)}`,
    )
    const [user] = await rows.select(`select status, deleted_at from users where id = ${userId}`)
    const isDeleted = user?.['deleted_at'] !== null
    return JSON.stringify([found, credited.map(({ amount }) => Number(amount)), isDeleted])
  },
  cases: [
    ...casesOf<Order>('topUpOrders.complete', {
      complete: ({ tradeNo }) => ({ body: { trade_no: tradeNo } }),
      'complete it again': ({ tradeNo }) => ({ body: { trade_no: tradeNo } }),
    }),
    ...casesOf<Order>('topUpOrders.cancel', {
      cancel: ({ tradeNo }) => ({ body: { trade_no: tradeNo } }),
    }),
    ...casesOf<Order>('topUpOrders.refund', {
      refund: ({ tradeNo }) => ({
        body: { trade_no: tradeNo, money: '1.00', refunded_money: '0.00', by_hand: true },
      }),
    }),
    ...casesOf<Order>('userAdmin.delete', {
      'delete the owner': ({ userId }) => ({ params: { id: userId } }),
    }),
  ],
}
