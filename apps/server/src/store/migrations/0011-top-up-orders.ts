import type { SqlDialect } from '../dialects/sql-dialect.ts'

/** Orders of online payments, and what lists of them and of redemption codes are read by. */
export function topUpOrders({ newId, integer, tableEnd, byteOrder }: SqlDialect): string[] {
  const live = 'where deleted_at is null'
  return [
    `create table top_up_orders (
      id ${newId},
      trade_no text not null unique,
      user_id ${integer} not null,
      provider text not null,
      method text not null,
      quota ${integer} not null,
      money_minor ${integer} not null,
      currency text not null,
      status text not null,
      created_at ${integer} not null,
      completed_at ${integer},
      provider_trade_no text not null
    ) ${tableEnd}`,
    'create index top_up_orders_by_time on top_up_orders (created_at, id)',
    'create index top_up_orders_by_user on top_up_orders (user_id, created_at, id)',
    // With the provider, so that both together are counted from the index alone.
    'create index top_up_orders_by_status on top_up_orders (status, created_at, id, provider)',
    'create index top_up_orders_by_provider on top_up_orders (provider, created_at, id)',
    `create index redemptions_live on redemptions (id) ${live}`,
    `create index redemptions_by_status on redemptions (status, id) ${live}`,
    `create index redemptions_by_name on redemptions ((lower(name)${byteOrder}), id) ${live}`,
    `create index redemptions_by_status_and_name on redemptions (status, (lower(name)${byteOrder}), id) ${live}`,
    `create index redemptions_by_quota on redemptions (quota, id) ${live}`,
    `create index redemptions_by_time_of_use on redemptions (coalesce(redeemed_at, 0), id) ${live}`,
  ]
}
