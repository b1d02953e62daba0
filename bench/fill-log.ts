/**
 * Fills the usage log of a SQLite store with made-up calls, as if they had been drained: log, rollup, charges, counters
 * and log index agree, so that an audit of a filled store finds nothing.
 *
 *   bun bench/fill-log.ts <data directory> [--rows 5000000] [--users 50000] [--days 30] …
 */
import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openSqliteConnection } from '../apps/server/src/store/engine/connections/sqlite-connection.ts'
import { openStore } from '../apps/server/src/store/engine/open/open-store.ts'
import { sealBlock } from '../apps/server/src/store/log/index/seal.ts'
import { defaultBlockRows, defaultSpanBlocks } from '../apps/server/src/store/log/index/sealer.ts'
import { combineBlocks } from '../apps/server/src/store/log/index/spans/combine.ts'
import { TermCache } from '../apps/server/src/store/log/index/terms.ts'
import { hourSeconds, quarterSeconds } from '../packages/api/src/calendar.ts'
import { randomNumbers } from './random.ts'

export interface Filling {
  readonly rows: number
  readonly users: number
  readonly tokensPerUser: number
  readonly models: number
  readonly channels: number
  readonly groups: number
  readonly days: number
  /** Unix seconds of the newest call. */
  readonly until: number
  /** Factor by which the first of a kind occurs more often than the last: 1 is evenly. */
  readonly skew: number
}

const defaultFilling: Filling = {
  rows: 5_000_000,
  users: 50_000,
  tokensPerUser: 2,
  models: 60,
  channels: 20,
  groups: 5,
  days: 30,
  until: Math.floor(Date.now() / 1000),
  skew: 3,
}

const secondsPerDay = 86_400

/** The store must not be in use by another program meanwhile. */
export async function fillLog(dataDir: string, filling: Partial<Filling> = {}): Promise<void> {
  const complete = { ...defaultFilling, ...filling }
  const store = await openStore({ dataDir, logger: { warn: () => undefined } })
  await store.close()
  const file = join(dataDir, 'tollgate.db')
  const database = new Database(file)
  // A crash of the filler loses the file; it is made anew then. A file leaves its write-ahead log for another journal first.
  for (const pragma of [
    'journal_mode = delete',
    'journal_mode = off',
    'synchronous = off',
    'cache_size = -200000',
  ])
    database.run(`pragma ${pragma}`)
  database.transaction(() => {
    const after = lastId(database)
    const accounts = addAccounts(database, complete)
    addCalls(database, complete, accounts)
    for (const statement of sumStatements(after)) database.run(statement)
  })()
  database.close()
  sealEverything(file)
}

interface Accounts {
  readonly firstUser: number
  readonly firstToken: number
  readonly firstChannel: number
}

function lastId(database: Database): number {
  return numberOf(database, 'select coalesce(max(id), 0) from logs')
}

function numberOf(database: Database, query: string): number {
  const [[found] = []] = database.query(query).values()
  return Number(found)
}

function addAccounts(database: Database, { users, tokensPerUser, channels, until }: Filling): Accounts {
  const next = (table: string) => numberOf(database, `select coalesce(max(id), 0) + 1 from ${table}`)
  const accounts = { firstUser: next('users'), firstToken: next('tokens'), firstChannel: next('channels') }
  const user = database.prepare(
    `insert into users (id, username, display_name, password_hash, role, status, "group", email, github_id, oidc_id,
      oidc_issuer, search_text, wechat_id, telegram_id, linux_do_id, access_token_hash, aff_code, aff_count, aff_quota, aff_history_quota,
      inviter_id, setting, created_at)
    values (?, ?, '', '', 1, 1, 'default', '', '', '', '', '', '', '', '', '', '', 0, 0, 0, 0, '', ?)`,
  )
  const token = database.prepare(
    `insert into tokens (id, user_id, name, key_hash, key_sealed, key_head, key_tail, status, created_at, unlimited_quota,
      model_limits_enabled, model_limits, allow_ips, "group")
    values (?, ?, ?, ?, '', '', '', 1, ?, 1, 0, '[]', '', '')`,
  )
  const userAccount = database.prepare('insert into user_accounts (id) values (?)')
  const tokenAccount = database.prepare('insert into token_accounts (id, accessed_at) values (?, ?)')
  const channelAccount = database.prepare('insert into channel_accounts (id) values (?)')
  const channel = database.prepare(
    `insert into channels (id, type, name, status, keys_sealed, key_count, key_states, openai_organization,
      max_input_tokens, base_url, base_url_trusted, other, models, groups, model_mapping, status_code_mapping,
      param_override, setting, auto_ban, test_model, priority, weight, tag, balance, balance_updated_at,
      response_time_ms, tested_at, created_at, status_reason)
    values (?, 1, ?, 2, '', 1, '[]', '', 0, '', 0, '', '[]', '[]', '', '', '', '', 1, '', 0, 0, '', 0, 0, 0, 0, ?, 'null')`,
  )
  for (let index = 0; index < users; index += 1) {
    const id = accounts.firstUser + index
    user.run(id, `filled-user-${id}`, until)
    userAccount.run(id)
    for (let which = 0; which < tokensPerUser; which += 1) {
      const tokenId = accounts.firstToken + index * tokensPerUser + which
      token.run(tokenId, id, `filled-token-${tokenId}`, `filled-${tokenId}`, until)
      tokenAccount.run(tokenId, until)
    }
  }
  for (let index = 0; index < channels; index += 1) {
    channel.run(accounts.firstChannel + index, `filled-channel-${index}`, until)
    channelAccount.run(accounts.firstChannel + index)
  }
  return accounts
}

const explanation = JSON.stringify({
  model_ratio: 1.25,
  model_price: -1,
  completion_ratio: 4,
  group_ratio: 1,
  frt: 321,
  timing: { routed: 1, sent: 2, first_token: 321, done: 2000 },
  admin_info: { use_channel: ['3'], attempts: [{ channel: 3, key: 0, ms: 300, status: 200, kind: 'ok' }] },
})

function addCalls(database: Database, filling: Filling, accounts: Accounts): void {
  const { rows, users, tokensPerUser, models, channels, groups, days, until, skew } = filling
  const insert = database.prepare(
    `insert into logs (created_at, type, user_id, token_id, channel_id, quota, prompt_tokens, completion_tokens,
      use_time_seconds, is_stream, token_name, model, "group", username, request_id, content, other)
    values (?, 2, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const random = randomNumbers(rows)
  const oneOf = (count: number) => Math.floor(random() ** skew * count)
  for (let index = 0; index < rows; index += 1) {
    const user = oneOf(users)
    const userId = accounts.firstUser + user
    const tokenId = accounts.firstToken + user * tokensPerUser + oneOf(tokensPerUser)
    const prompt = 1 + oneOf(4000)
    const completion = 1 + oneOf(1000)
    insert.run(
      Math.floor(until - ((rows - 1 - index) / rows) * days * secondsPerDay),
      userId,
      tokenId,
      accounts.firstChannel + oneOf(channels),
      prompt + 4 * completion,
      prompt,
      completion,
      oneOf(60),
      `filled-token-${tokenId}`,
      `filled-model-${oneOf(models)}`,
      `filled-group-${oneOf(groups)}`,
      `filled-user-${userId}`,
      `20261121120000${index}filled`,
      'model ratio 1.25, completion ratio 4, group ratio 1',
      explanation,
    )
  }
}

/**
 * Lists the statements that add the calls with ids after `after` to rollups, charges and counters, and credit users and tokens what they
 * spent. SQLite and PostgreSQL read them alike; one connection runs them in their order.
 */
export function sumStatements(after: number): readonly string[] {
  return [
    `create temp table filled as
      select created_at - created_at % ${quarterSeconds} as quarter, created_at - created_at % ${hourSeconds} as hour,
        user_id, token_id, channel_id, model, count(*) as calls, sum(quota) as quota,
        sum(prompt_tokens) as prompt, sum(completion_tokens) as completion
      from logs where id > ${after} and type = 2 group by 1, 2, 3, 4, 5, 6`,
    ...usageOf(['user_id', 'model']),
    ...usageOf(['model']),
    ...ofAccounts('user', 'used_quota + paid.quota, request_count = request_count + paid.calls'),
    ...ofAccounts('token', 'used_quota + paid.quota'),
    ...ofAccounts('channel', 'used_quota + paid.quota'),
    'drop table filled',
  ]
}

/** A later quarter of an hour is in the sum of the hour, and has a row of its own beside it. */
const laterQuarters = `from filled where quarter > hour`

function usageOf(by: readonly string[]): readonly string[] {
  const [hours, quarters] = by.includes('user_id')
    ? ['usage_hourly', 'usage_quarters']
    : ['usage_by_model', 'usage_by_model_quarters']
  return [
    stepsOf({ table: hours, time: 'hour', by, from: 'from filled' }),
    stepsOf({ table: quarters, time: 'quarter', by, from: laterQuarters }),
  ]
}

interface Steps {
  readonly table: string
  readonly time: string
  readonly by: readonly string[]
  readonly from: string
}

function stepsOf({ table, time, by, from }: Steps): string {
  const counts = ['count', 'quota', 'prompt_tokens', 'completion_tokens']
  const key = [time, ...by].join(', ')
  return `insert into ${table} (type, ${key}, ${counts.join(', ')}, cost, costed_quota, costed_calls)
    select 2, ${key}, sum(calls), sum(quota), sum(prompt), sum(completion), 0, 0, 0
    ${from} group by ${key}
    on conflict (type, ${key}) do update set ${addedUp(table, counts)}`
}

/** Two parts of a sum become one. */
function addedUp(table: string, columns: readonly string[]): string {
  return columns.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')
}

function ofAccounts(kind: string, usedQuota: string): readonly string[] {
  const column = `${kind}_id`
  const table = `${kind}_accounts`
  return [
    `insert into ledger_charges (hour, account_kind, account_id, amount, calls)
      select hour, '${kind}', ${column}, sum(quota), sum(calls) from filled where true group by 1, 3
      on conflict (hour, account_kind, account_id) do update set ${addedUp('ledger_charges', ['amount', 'calls'])}`,
    `update ${table} set used_quota = ${usedQuota}
      from (select ${column} as id, sum(quota) as quota, sum(calls) as calls from filled group by 1) as paid
      where ${table}.id = paid.id`,
    ...(kind === 'token' ? [] : [chargeQuarters(kind, column)]),
    ...(kind === 'channel' ? [] : [entries(kind, column)]),
  ]
}

function chargeQuarters(kind: string, column: string): string {
  return `insert into charge_quarters (quarter, account_kind, account_id, amount, calls, cost, costed_quota, costed_calls)
    select quarter, '${kind}', ${column}, sum(quota), sum(calls), 0, 0, 0 ${laterQuarters} group by 1, 3
    on conflict (quarter, account_kind, account_id) do update set ${addedUp('charge_quarters', ['amount', 'calls'])}`
}

function entries(kind: string, column: string): string {
  return `insert into ledger_entries (account_kind, account_id, cause, amount, created_at, actor_id, note)
    select '${kind}', ${column}, 'initial', sum(quota), min(hour), 0, 'filled' from filled group by 2`
}

function sealEverything(file: string): void {
  const connection = openSqliteConnection({ file: file, readonly: false })
  const terms = new TermCache()
  while (connection.run(sealBlock(defaultBlockRows, terms), 'begin immediate').sealed);
  while (connection.run(combineBlocks(defaultSpanBlocks.sqlite), 'begin immediate'));
  connection.close()
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: Object.fromEntries(
      Object.keys(defaultFilling).map((name) => [name, { type: 'string' as const }]),
    ),
  })
  const [dataDir] = positionals
  if (dataDir === undefined) throw new Error('which data directory?')
  const numbers = Object.entries(values).map(([name, value]) => [name, Number(value)])
  await fillLog(dataDir, Object.fromEntries(numbers))
}
