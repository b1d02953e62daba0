import { type Program, query } from '../../program.ts'

const accounts = ['user_accounts', 'token_accounts']

/** Nodes hold nothing of the balances of a copy: what those of the original hold is free here. */
export function* returnShares(): Program<void> {
  for (const table of accounts) yield* query(`update ${table} set granted = 0 where granted <> 0`)
  yield* query('delete from balance_shares')
}
