import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/**
 * Adds to an order what was taken back in the payment's currency, the part of it that administrators returned by hand, and the payment
 * by which it was settled elsewhere. Programs of the version before leave them alone.
 */
export function orderMoney({ integer }: SqlDialect): string[] {
  const amounts = ['refunded_minor', 'disputed_minor', 'hand_refunded_minor']
  return [
    ...amounts.map((name) => `alter table top_up_orders add column ${name} ${integer} not null default 0`),
    ...['settled_reference', 'settled_reason'].map(
      (name) => `alter table top_up_orders add column ${name} text not null default ''`,
    ),
    // The quota was worked out from the money in this proportion.
    ...['refunded', 'disputed'].map(
      (name) => `update top_up_orders
        set ${name}_minor = cast(round(1.0 * ${name}_quota * money_minor / quota) as bigint)
        where ${name}_quota <> 0 and quota <> 0`,
    ),
  ]
}
