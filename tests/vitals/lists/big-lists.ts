import type { Database } from 'bun:sqlite'
import type { Browser, BrowserContext } from 'playwright-core'
import { fillLog } from '../../../bench/fill-log.ts'
import { ensureConsole } from '../../../scripts/lib/console.mjs'
import { loggedIn } from '../../support/browser.ts'
import { writeTasks } from '../../support/console/sample-rows.ts'
import { operate } from '../../support/operator.ts'
import { openBeside } from '../../support/processes/open-beside.ts'
import { startTollgate } from '../../support/server.ts'

/** A running Tollgate whose lists are long. */
export interface BigConsole {
  readonly url: string
  /** A browser context of root at a desk. */
  context(): Promise<BrowserContext>
  stop(): Promise<void>
}

export interface ListSizes {
  /** Rows of users, keys of root, calls, orders, codes and tasks each. */
  readonly rows: number
  readonly channels: number
}

/** Starts a gateway over SQLite with lists of these sizes. */
export async function startBigConsole(browser: Browser, { rows, channels }: ListSizes): Promise<BigConsole> {
  await ensureConsole(() => undefined)
  const gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  const root = await operate(gateway.url)
  await makeOneOfEach(root)
  await gateway.kill()
  await fillLog(gateway.dataDir, { rows, users: rows, tokensPerUser: 1, channels })
  writeTasks(gateway.dataDir, root.userId, Date.now() - 90_000)
  multiplyRows(gateway.dataDir, root.userId, rows)
  await gateway.start()
  const storageState = await loggedIn(gateway.url)
  return {
    url: gateway.url,
    context: () =>
      browser.newContext({
        locale: 'en-US',
        viewport: { width: 1440, height: 900 },
        serviceWorkers: 'block',
        storageState,
      }),
    stop: () => gateway.stop(),
  }
}

/** Makes the rows that are copied. */
async function makeOneOfEach(root: Awaited<ReturnType<typeof operate>>): Promise<void> {
  await root.addKey({ name: 'key' })
  await root.api('POST', '/api/redemption/', { name: 'code', quota: 500_000, count: 1 })
  for (const [key, value] of [
    ['ServerAddress', root.url],
    ['PayAddress', 'https://cashier.example'],
    ['EpayId', '1001'],
    ['EpayKey', 'the key of the merchant'],
    ['TaskEnabled', 'true'],
    ['DrawingEnabled', 'true'],
  ] as const)
    await root.option(key, value)
  await root.call('POST', '/api/user/pay', { amount: 10, payment_method: 'zfb' })
}

function multiplyRows(dataDir: string, rootId: number, count: number): void {
  const database = openBeside(dataDir)
  database.transaction(() => {
    const firstKey = multiply(database, 'tokens', `user_id = ${rootId}`, count, ['key_hash'])
    database.run(
      `insert into token_accounts (id, accessed_at) select id, created_at from tokens
        where id >= ${firstKey} and id not in (select id from token_accounts)`,
    )
    multiply(database, 'redemptions', 'true', count, ['key_hash'])
    multiply(database, 'top_up_orders', 'true', count, ['trade_no'])
    multiply(database, 'tasks', `platform = 'suno'`, count, ['upstream_id'])
    multiply(database, 'tasks', `platform = 'mj'`, count, ['upstream_id'])
  })()
  database.close()
}

/**
 * Copies a row of a table so many times; unique columns end with the number of the copy.
 * @returns the first id of a copy
 */
function multiply(
  database: Database,
  table: string,
  condition: string,
  count: number,
  unique: readonly string[],
): number {
  const columns = database
    .query<{ name: string }, []>(`select name from pragma_table_info('${table}')`)
    .all()
    .flatMap(({ name }) => (name === 'id' ? [] : [name]))
  const quoted = columns.map((name) => `"${name}"`)
  const values = columns.map((name) => (unique.includes(name) ? `"${name}" || '-' || n` : `"${name}"`))
  const { last } = database.query<{ last: number }, []>(`select max(id) as last from ${table}`).get() ?? {
    last: 0,
  }
  database.run(
    `with recursive copies (n) as (select 1 union all select n + 1 from copies where n < ${count})
      insert into ${table} (${quoted.join()}) select ${values.join()}
      from copies, (select * from ${table} where ${condition} order by id limit 1)`,
  )
  return last + 1
}
