import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/**
 * Adds reversals by a payment's provider, and the inviter's gift that an order released. `status` keeps its values: the version before
 * credits an order whose status is another than `success`.
 */
export function paymentReversals({ integer }: SqlDialect): string[] {
  const integers = ['refunded_quota', 'disputed_quota', 'revision', 'gift_inviter_id', 'gift_quota']
  return [
    ...integers.map((name) => `alter table top_up_orders add column ${name} ${integer} not null default 0`),
    `alter table top_up_orders add column reversal text not null default 'none'`,
    'create index top_up_orders_by_reversal on top_up_orders (status, reversal, created_at, id)',
    'create index top_up_orders_by_provider_id on top_up_orders (provider_trade_no)',
  ]
}
