import { unixSeconds } from '@tollgate/base'
import { writeWithin } from '../../accounts/users/owned-rows.ts'
import { randomAlphanumerics } from '../../lib/random.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Services } from '../../services.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import type { NewTopUpOrder } from '../../store/money/top-up-orders.ts'
import { moneyText, priceAmount } from './amounts.ts'
import { findMethod, offeredMethods, type PaymentMethod } from './methods.ts'
import type { Checkout } from './orders.ts'
import type { PaymentProviders } from './providers.ts'

/** Payer of a top-up. */
export interface Payer {
  readonly userId: number
  readonly group: string
}

export interface PlacedOrder extends Checkout {
  readonly tradeNo: string
}

/** Orders that one user may have unpaid. */
const maxPendingOrders = 20

interface Dependencies extends Pick<Services, 'store' | 'settings' | 'clock'> {
  readonly providers: PaymentProviders
}

/** Creates the placement of orders: a quote, and the checkout for the browser. */
export function createOrderPlacement(deps: Dependencies) {
  const { store, settings, clock, providers } = deps
  return {
    /** Returns the price of an amount, as decimal text; by the first method that is offered unless one is named. */
    quote(payer: Payer, amount: number, name: string | undefined): string {
      const method = chosenMethod(settings, name)
      const { moneyMinor } = priceAmount(settings.current, amount, payer.group, method)
      return moneyText(moneyMinor, method.decimals)
    },
    /** Stores an order before it starts the payment, so that no payment arrives for an unknown order. */
    async position(payer: Payer, amount: number, name: string): Promise<PlacedOrder> {
      const method = chosenMethod(settings, name)
      const priced = priceAmount(settings.current, amount, payer.group, method)
      if (settings.current.ServerAddress === '') throw new Refusal('top_up_server_address_missing')
      const { userId } = payer
      const createdAt = unixSeconds(clock)
      const placed: NewTopUpOrder = {
        ...priced,
        tradeNo: `USR${userId}NO${randomAlphanumerics(6)}${createdAt}`,
        userId,
        provider: method.provider,
        method: method.method,
        currency: method.currency,
        createdAt,
      }
      const limit = { kind: 'pendingOrder', max: maxPendingOrders, now: createdAt } as const
      const order = await writeWithin(store, userId, limit, (tx) => tx.topUpOrders.create(placed))
      return { ...(await providers[order.provider].start(order)), tradeNo: order.tradeNo }
    },
  }
}

export type OrderPlacement = ReturnType<typeof createOrderPlacement>

/** Returns the chosen method; without a name the first that is offered. */
function chosenMethod({ current }: SettingsReader, name: string | undefined): PaymentMethod {
  const [first] = offeredMethods(current)
  if (first === undefined) throw new Refusal('top_up_not_configured')
  const method = name === undefined ? first : findMethod(current, name)
  if (method === undefined) throw new Refusal('top_up_method_unknown')
  return method
}
