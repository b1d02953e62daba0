import type { RowColumns, Rows, SqlTexts } from '../../dialects/sql-dialect.ts'
import { type AccountCharge, accountKinds, type ChargeSums } from '../../log/rows/charge-sums.ts'
import type { BatchStatement } from '../../program.ts'
import type { SharedAccountKind } from '../balance-shares.ts'

/**
 * An account that is gone has nothing to count; its charges stay.
 * @param node pays from its shares, where the nodes of the database have shares of balances
 */
export function* updateAccounts(
  charges: ChargeSums,
  dialect: SqlTexts,
  node: string | undefined,
): Generator<BatchStatement, void> {
  const { user, token, channel } = charges.total()
  const payer = dialect.kind === 'postgres' ? node : undefined
  yield chargeBalances('user', user, dialect, payer)
  yield chargeBalances('token', token, dialect, payer)
  yield dialect.updateRows(
    'channel_accounts',
    { id: 'integer', quota: 'integer' },
    (paid) => `used_quota = used_quota + ${paid('quota')}`,
    inOrder(channel).map(({ id, quota }) => [id, quota]),
  )
}

interface ChargedBalance {
  readonly table: string
  readonly columns: RowColumns
  row(charge: AccountCharge): Rows[number]
  sets(paid: (name: string) => string): string
}

const chargedBalances: Readonly<Record<SharedAccountKind, ChargedBalance>> = {
  user: {
    table: 'user_accounts',
    columns: { id: 'integer', quota: 'integer', calls: 'integer' },
    row: ({ id, quota, calls }) => [id, quota, calls],
    sets: (
      paid,
    ) => `quota = user_accounts.quota - ${paid('quota')}, used_quota = used_quota + ${paid('quota')},
        request_count = request_count + ${paid('calls')}`,
  },
  token: {
    table: 'token_accounts',
    columns: { id: 'integer', quota: 'integer', at: 'integer' },
    row: ({ id, quota, at }) => [id, quota, at],
    sets: (
      paid,
    ) => `remain_quota = remain_quota - ${paid('quota')}, used_quota = used_quota + ${paid('quota')},
        accessed_at = case when accessed_at < ${paid('at')} then ${paid('at')} else accessed_at end`,
  },
}

function chargeBalances(
  kind: SharedAccountKind,
  charges: ReadonlyMap<number, AccountCharge>,
  dialect: SqlTexts,
  payer: string | undefined,
): BatchStatement {
  const { table, columns, row, sets } = chargedBalances[kind]
  const rows = inOrder(charges).map(row)
  if (payer === undefined) return dialect.updateRows(table, columns, sets, rows)
  const { sql, parameters } = dialect.updateRows(
    table,
    columns,
    (paid) => `${sets(paid)}, granted = ${table}.granted - ${paid('quota')}`,
    rows,
  )
  return {
    sql: `with charged as (${sql} returning given.id, given.quota)
      insert into balance_shares (account_kind, account_id, node, amount)
      select '${kind}', id, ?, -quota from charged where quota <> 0
      on conflict (account_kind, account_id, node) do update set amount = balance_shares.amount + excluded.amount`,
    parameters: [...parameters, payer],
  }
}

/** Sorts charges by id, as the tables are: neighbours are on one page. */
function inOrder(charges: ReadonlyMap<number, AccountCharge>): AccountCharge[] {
  return [...charges.values()].sort((a, b) => a.id - b.id)
}

const hourlyCharges: RowColumns = {
  hour: 'integer',
  account_kind: 'text',
  account_id: 'integer',
  amount: 'integer',
  calls: 'integer',
  cost: 'integer',
  costed_quota: 'integer',
  costed_calls: 'integer',
}

const summed = ['amount', 'calls', 'cost', 'costed_quota', 'costed_calls']

/** Adds charges by time and account to a table of them. */
export function addHourlyCharges(
  table: string,
  { byStart }: Pick<ChargeSums, 'byStart'>,
  dialect: SqlTexts,
): BatchStatement {
  const rows = Array.from(byStart, ([hour, charges]) =>
    accountKinds.flatMap((kind) =>
      inOrder(charges[kind]).map((charge) => [
        hour,
        kind,
        charge.id,
        charge.quota,
        charge.calls,
        charge.cost,
        charge.costedQuota,
        charge.costedCalls,
      ]),
    ),
  ).flat()
  const added = summed.map((column) => `${column} = ${table}.${column} + excluded.${column}`)
  return dialect.insertRows(
    table,
    hourlyCharges,
    rows,
    `on conflict (hour, account_kind, account_id) do update set ${added.join(', ')}`,
  )
}
