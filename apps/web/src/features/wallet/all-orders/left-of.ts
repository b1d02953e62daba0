import type { WireTopUpOrderWithUser } from '@tollgate/api'

/** Decimals of an order's currency: those of its price. */
export function decimalsIn({ money }: Pick<WireTopUpOrderWithUser, 'money'>): number {
  return money.split('.')[1]?.length ?? 0
}

/** The part of a paid order that is neither refunded nor disputed, in its currency; 0 without a payment. */
export function leftOf(order: WireTopUpOrderWithUser): number {
  if (order.status !== 'success') return 0
  const units = 10 ** decimalsIn(order)
  const minor = (text: string) => Math.round(Number(text) * units)
  return (minor(order.money) - minor(order.refunded_money) - minor(order.disputed_money)) / units
}
