import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/**
 * Adds the shares of balances that nodes hold. `granted` is the sum of an account's shares; `last_grant` lets the statement that grants
 * return what it granted.
 */
export function balanceShares({ integer, tableEnd }: SqlDialect): string[] {
  const columns = ['granted', 'last_grant'].flatMap((column) =>
    ['user_accounts', 'token_accounts'].map(
      (table) => `alter table ${table} add column ${column} ${integer} not null default 0`,
    ),
  )
  return [
    ...columns,
    `create table balance_shares (
      account_kind text not null,
      account_id ${integer} not null,
      node text not null,
      amount ${integer} not null,
      primary key (account_kind, account_id, node)
    ) ${tableEnd}`,
    'create index balance_shares_of_node on balance_shares (node)',
  ]
}
