import { roles } from '@tollgate/api/roles'
import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/** Adds the id of a payment at its provider, and the administrators who made codes or changed them. */
export function paymentIdentity({ integer }: SqlDialect): string[] {
  return [
    `alter table top_up_orders add column payment_id text not null default ''`,
    'create index top_up_orders_by_payment on top_up_orders (payment_id)',
    `alter table redemptions add column admin_id ${integer} not null default 0`,
    `update redemptions set admin_id = creator_id
      where creator_id in (select id from users where role < ${roles.root})`,
  ]
}
