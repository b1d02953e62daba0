import {
  type CallArguments,
  calls,
  decimalsOf,
  type TopUpInfo,
  type TopUpState,
  type TopUpSum,
  topUpOrderResource,
  type WireTopUpOrder,
  type WireTopUpOrderWithUser,
} from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { Pieces } from '../../../lib/async/pieces.ts'
import type { AuditLog } from '../../../records/audit-log/audit-log.ts'
import type { SettingsReader } from '../../../settings/settings.ts'
import type { TopUpOrder, TopUpSums } from '../../../store/money/top-up-orders.ts'
import type { RedeemCode } from '../../../wallet/redemptions/redeem-code.ts'
import { moneyText } from '../../../wallet/top-up/amounts.ts'
import type { EndOrder } from '../../../wallet/top-up/end-order.ts'
import type { OrderReader } from '../../../wallet/top-up/order-export.ts'
import type { Checkout, OrderSearch, Orders, OrderWithUser } from '../../../wallet/top-up/orders.ts'
import type { OrderPlacement } from '../../../wallet/top-up/place-order.ts'
import type { OrderRefunds } from '../../../wallet/top-up/refund-order.ts'
import { csvFile, exportRecord } from '../csv-file.ts'
import { type ConsoleRoute, pageResult, pageWindow, route } from '../route.ts'

export interface WalletDependencies extends OrderDependencies {
  readonly redeem: RedeemCode
  readonly createOrders: OrderPlacement
  readonly infoFor: (group: string) => TopUpInfo
}

interface OrderDependencies {
  readonly orders: Orders
  /** Makes the file of the orders under a search. */
  readonly orderFile: (search: OrderSearch, reader: OrderReader) => Pieces
  readonly endOrder: EndOrder
  readonly refunds: OrderRefunds
  readonly auditLog: Pick<AuditLog, 'record'>
  readonly settings: SettingsReader
  readonly clock: Clock
}

export function walletRoutes(deps: WalletDependencies): ConsoleRoute[] {
  const { redeem, createOrders, orders, infoFor, endOrder } = deps
  return [
    route(calls.wallet.redeem, ({ body }, { caller }) => redeem(caller, body.key)),
    route(calls.wallet.info, (_, { caller }) => infoFor(caller.group)),
    route(calls.wallet.amount, ({ body }, { caller }) =>
      createOrders.quote(caller, body.amount, body.payment_method),
    ),
    route(calls.wallet.pay, async ({ body }, { caller }) => {
      const placed = await createOrders.position(caller, body.amount, body.payment_method)
      return checkoutResult(placed, placed.tradeNo)
    }),
    route(calls.wallet.resume, async ({ body }, { caller }) =>
      checkoutResult(await endOrder.resumeOwn(caller.userId, body.trade_no), body.trade_no),
    ),
    route(calls.wallet.cancel, async ({ body }, { caller }) =>
      toWire(await endOrder.cancelOwn(caller.userId, body.trade_no)),
    ),
    ...[calls.wallet.orders, calls.wallet.ordersSelf].map((call) =>
      route(call, async ({ query }, { caller }) => {
        const found = await orders.listOwn(caller.userId, stateFilter(query.status), pageWindow(query))
        return pageResult(query, found, toWire)
      }),
    ),
    ...orderRoutes(deps),
  ]
}

/** Orders of everybody, for administrators. */
function orderRoutes(deps: OrderDependencies): ConsoleRoute[] {
  const { orders, orderFile, endOrder, refunds, settings, clock } = deps
  const withUser = async (order: TopUpOrder) => {
    const [named] = await orders.named([order])
    return toWireWithUser(named ?? { ...order, username: '' })
  }
  return [
    route(calls.topUpOrders.list, async ({ query }) =>
      pageResult(query, await orders.list(searchOf(query), pageWindow(query)), toWireWithUser),
    ),
    route(calls.topUpOrders.sums, async ({ query }) => (await orders.sums(searchOf(query))).map(toWireSum)),
    route(calls.topUpOrders.export, ({ query }, { language }) => {
      const { utc_offset, time_zone, ...filter } = query
      const reader = { language, utc_offset, time_zone, quotaPerUnit: settings.current.QuotaPerUnit }
      return {
        ...csvFile('orders', orderFile(searchOf(filter), reader), query, unixSeconds(clock)),
        ...exportRecord('top-up-order.export', { kind: 'top-up-order', name: 'orders' }, query),
      }
    }),
    route(calls.topUpOrders.complete, async ({ body }, { actor }) =>
      withUser(await endOrder.complete(actor, body.trade_no, body)),
    ),
    route(calls.topUpOrders.refund, async ({ body }, { actor }) =>
      withUser(
        await refunds.refund(actor, {
          tradeNo: body.trade_no,
          money: body.money,
          seenRefunded: body.refunded_money,
          isByHand: body.by_hand,
          reason: body.reason,
        }),
      ),
    ),
    route(calls.topUpOrders.cancel, async ({ body }, { actor }) =>
      withUser(await endOrder.cancel(actor, body.trade_no, body.reason)),
    ),
  ]
}

function checkoutResult({ url, httpMethod, fields }: Checkout, tradeNo: string) {
  return { data: { ...fields }, extra: { url, http_method: httpMethod, trade_no: tradeNo } }
}

type OrderQuery = CallArguments<(typeof calls)['topUpOrders']['sums']>['query']

function searchOf({ user_id, trade_no, start_timestamp, end_timestamp, ...query }: OrderQuery): OrderSearch {
  const { status, provider, username } = query
  return {
    ...stateFilter(status),
    provider,
    username,
    userId: user_id,
    anyTradeNo: trade_no,
    from: start_timestamp,
    to: end_timestamp,
  }
}

/** Orders of which something was taken back are paid ones. */
function stateFilter(state: TopUpState | undefined): Pick<OrderSearch, 'status' | 'reversal'> {
  switch (state) {
    case undefined:
      return {}
    case 'success':
      return { status: 'success', reversal: 'none' }
    case 'refunded':
    case 'disputed':
    case 'charged_back':
      return { status: 'success', reversal: state }
    default:
      return { status: state }
  }
}

function toWire(order: TopUpOrder): WireTopUpOrder {
  const text = (minor: number) => moneyText(minor, decimalsOf(order.currency))
  return {
    ...topUpOrderResource.toWire(order),
    money: text(order.moneyMinor),
    refunded_money: text(order.refundedMinor),
    disputed_money: text(order.disputedMinor),
  }
}

function toWireWithUser(order: OrderWithUser): WireTopUpOrderWithUser {
  const { username, settledReference, settledReason } = order
  return { ...toWire(order), username, settled_reference: settledReference, settled_reason: settledReason }
}

function toWireSum({ currency, orders, quota, ...minor }: TopUpSums): TopUpSum {
  const text = (amount: number) => moneyText(amount, decimalsOf(currency))
  const { paidMinor, refundedMinor, disputedMinor } = minor
  return {
    ...{ currency, orders, quota },
    paid: text(paidMinor),
    refunded: text(refundedMinor),
    disputed: text(disputedMinor),
    net: text(paidMinor - refundedMinor - disputedMinor),
  }
}
