import { SQL } from 'bun'
import { openBeside } from '../processes/open-beside.ts'

/** Rows of each kind: more than four megabytes of an export. */
const rows = 40_000
/** A user whom the fillers of the log make. */
const userId = 500

const columns = {
  security_events: 'created_at, user_id, username, kind, detail, address, user_agent',
  top_up_orders:
    'trade_no, user_id, provider, method, quota, money_minor, currency, status, created_at, completed_at, provider_trade_no',
  ledger_entries: 'account_kind, account_id, cause, amount, created_at, actor_id, note',
} as const

const values = {
  security_events: `1700000000 + n, ${userId}, 'filled-user-${userId}', 'login', '', '10.0.0.7',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 ' || n`,
  top_up_orders: `'trade-' || n, ${userId}, 'stripe', 'card', n, n, 'usd', 'success', 1700000000 + n, 1700000060 + n, 'cs_' || n`,
  ledger_entries: `'user', ${userId}, 'topup', n, 1700000000 + n, 1, 'trade-' || n`,
} as const satisfies Record<keyof typeof columns, string>

const tables = Object.keys(columns) as (keyof typeof columns)[]

/**
 * Adds rows beside the log that the console exports: security events, orders, and entries of an account.
 * @param databaseUrl a PostgreSQL database; the file in the folder without it
 */
export async function fillExported(dataDir: string, databaseUrl?: string): Promise<void> {
  if (databaseUrl === undefined) {
    using database = openBeside(dataDir)
    const numbers = `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${rows})`
    for (const table of tables)
      database.run(`${numbers} insert into ${table} (${columns[table]}) select ${values[table]} from numbers`)
    return
  }
  await using sql = new SQL(databaseUrl, { max: 1 })
  for (const table of tables)
    await sql.unsafe(
      `insert into ${table} (${columns[table]}) select ${values[table]} from generate_series(1, ${rows}) as n`,
    )
}
