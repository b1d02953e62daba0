import { decimalsOf, type Language } from '@tollgate/api'
import { type ReaderClock, type Zone, zoneOf } from '@tollgate/api/calendar'
import { byteOrderMark, csvLine } from '../../lib/csv.ts'
import { localTime, moneyCells, moneyHeaders } from '../../lib/export-cells.ts'
import type { TopUpOrder } from '../../store/money/top-up-orders.ts'
import { moneyText } from './amounts.ts'
import type { OrderWithUser } from './orders.ts'

/** The reader of an export of orders, as plain data: the export may be made in another thread. */
export interface OrderReader extends ReaderClock {
  readonly language: Language
  readonly quotaPerUnit: number
}

interface LocalReader extends OrderReader {
  readonly zone: Zone
}

type Cell = string | number

interface Column {
  readonly header: Readonly<Record<Language, string>>
  readonly cell: (order: OrderWithUser, reader: LocalReader) => Cell
}

const payment = (name: 'moneyMinor' | 'refundedMinor' | 'disputedMinor') => (order: TopUpOrder) =>
  Number(moneyText(order[name], decimalsOf(order.currency)))

const columns: readonly Column[] = [
  { header: { en: 'ID', zh: 'ID' }, cell: ({ id }) => id },
  { header: { en: 'Ordered', zh: '下单时间' }, cell: (order, { zone }) => localTime(order.createdAt, zone) },
  {
    header: { en: 'Completed', zh: '完成时间' },
    cell: ({ completedAt }, { zone }) => (completedAt === null ? '' : localTime(completedAt, zone)),
  },
  { header: { en: 'User ID', zh: '用户 ID' }, cell: ({ userId }) => userId },
  { header: { en: 'User', zh: '用户' }, cell: ({ username }) => username },
  { header: { en: 'Order number', zh: '订单号' }, cell: ({ tradeNo }) => tradeNo },
  { header: { en: 'Provider', zh: '支付平台' }, cell: ({ provider }) => provider },
  { header: { en: 'Payment method', zh: '支付方式' }, cell: ({ method }) => method },
  { header: { en: 'Provider’s ID', zh: '平台单号' }, cell: ({ providerTradeNo }) => providerTradeNo },
  {
    header: { en: 'Status', zh: '状态' },
    cell: ({ status, reversal }) => (reversal === 'none' ? status : reversal),
  },
  { header: { en: 'Currency', zh: '币种' }, cell: ({ currency }) => currency.toUpperCase() },
  { header: { en: 'Price', zh: '价格' }, cell: payment('moneyMinor') },
  { header: { en: 'Refunded', zh: '已退款' }, cell: payment('refundedMinor') },
  { header: { en: 'Disputed', zh: '争议中' }, cell: payment('disputedMinor') },
  { header: { en: 'Settled by', zh: '线下付款凭证' }, cell: ({ settledReference }) => settledReference },
]

/** Orders as CSV with what is left of their credit, in pieces that are built on demand. */
export async function* exportOrders(
  batches: AsyncIterable<readonly OrderWithUser[]>,
  reader: OrderReader,
): AsyncGenerator<string> {
  const { language, quotaPerUnit } = reader
  const local = { ...reader, zone: zoneOf(reader) }
  yield byteOrderMark +
    csvLine([...columns.map(({ header }) => header[language]), ...moneyHeaders('credit', language)])
  for await (const orders of batches)
    yield orders
      .map((order) =>
        csvLine([
          ...columns.map(({ cell }) => cell(order, local)),
          ...moneyCells(creditOf(order), quotaPerUnit),
        ]),
      )
      .join('')
}

/** Returns the credit of an order that is left on the balance. */
function creditOf({ status, quota, refundedQuota, disputedQuota }: TopUpOrder): number {
  return status === 'success' ? quota - refundedQuota - disputedQuota : 0
}
