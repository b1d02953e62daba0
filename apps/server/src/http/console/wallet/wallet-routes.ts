import {
  type CallArguments,
  calls,
  decimalsOf,
  type TopUpInfo,
  type TopUpState,
  topUpOrderResource,
  type WireTopUpOrder,
} from '@tollgate/api'
import type { TopUpOrder } from '../../../store/money/top-up-orders.ts'
import type { RedeemCode } from '../../../wallet/redemptions/redeem-code.ts'
import { moneyText } from '../../../wallet/top-up/amounts.ts'
import type { OrderSearch, Orders } from '../../../wallet/top-up/orders.ts'
import type { OrderPlacement } from '../../../wallet/top-up/place-order.ts'
import { type ConsoleRoute, pageResult, pageWindow, route } from '../route.ts'

export interface WalletDependencies {
  readonly redeem: RedeemCode
  readonly createOrders: OrderPlacement
  readonly orders: Orders
  readonly infoFor: (group: string) => TopUpInfo
}

export function walletRoutes({ redeem, createOrders, orders, infoFor }: WalletDependencies): ConsoleRoute[] {
  return [
    route(calls.wallet.redeem, ({ body }, { caller }) => redeem(caller, body.key)),
    route(calls.wallet.info, (_, { caller }) => infoFor(caller.group)),
    route(calls.wallet.amount, ({ body }, { caller }) =>
      createOrders.quote(caller, body.amount, body.payment_method),
    ),
    route(calls.wallet.pay, async ({ body }, { caller }) => {
      const placed = await createOrders.position(caller, body.amount, body.payment_method)
      const { url, httpMethod, fields, tradeNo } = placed
      return { data: { ...fields }, extra: { url, http_method: httpMethod, trade_no: tradeNo } }
    }),
    ...[calls.wallet.orders, calls.wallet.ordersSelf].map((call) =>
      route(call, async ({ query }, { caller }) => {
        const found = await orders.listOwn(caller.userId, stateFilter(query.status), pageWindow(query))
        return pageResult(query, found, toWire)
      }),
    ),
    route(calls.topUpOrders.list, async ({ query }) => {
      const found = await orders.list(searchOf(query), pageWindow(query))
      return pageResult(query, found, (row) => ({ ...toWire(row), username: row.username }))
    }),
    route(calls.topUpOrders.complete, async ({ body }, { actor }) =>
      toWire(await orders.complete(actor, body.trade_no)),
    ),
  ]
}

type OrderQuery = CallArguments<(typeof calls)['topUpOrders']['list']>['query']

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
  return {
    ...topUpOrderResource.toWire(order),
    money: moneyText(order.moneyMinor, decimalsOf(order.currency)),
  }
}
