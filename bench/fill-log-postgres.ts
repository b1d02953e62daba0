/**
 * Fills the usage log of a PostgreSQL database without calls with made-up ones, in the database, and lets the store index them. Rollups,
 * charges and counters agree with the calls, but for failed ones, which have no rollup; names are those of `fill-log.ts`.
 */
import { tmpdir } from 'node:os'
import { SQL } from 'bun'
import { openStore } from '../apps/server/src/store/engine/open/open-store.ts'
import { defaultBlockRows } from '../apps/server/src/store/log/index/sealer.ts'
import { sumStatements } from './fill-log.ts'

const secondsPerDay = 86_400

export interface PostgresFilling {
  readonly rows: number
  readonly users: number
  /** 20 by default. */
  readonly channels?: number
  readonly days: number
  /** Unix seconds of the newest call. */
  readonly until: number
}

/** Resolves when every complete block is indexed. @param url a database without calls */
export async function fillPostgresLog(url: string, filling: PostgresFilling): Promise<void> {
  await (await openStore({ databaseUrl: url, dataDir: tmpdir(), logger: console })).close()
  await using sql = new SQL(url, { max: 1 })
  await sql.unsafe('set synchronous_commit = off')
  for (const statement of accountsOf(filling)) await sql.unsafe(statement)
  for (const part of monthsOf(filling)) {
    await sql.begin(async (transaction) => {
      for (const statement of fillMonth(part, filling)) await transaction.unsafe(statement)
    })
    console.log(`${part.name}: calls ${part.first} to ${part.last}`)
  }
  await sql.unsafe(`select setval('logs_id', ${filling.rows})`)
  await sql.begin(async (transaction) => {
    for (const statement of sumStatements(0)) await transaction.unsafe(statement)
  })
  await sql.unsafe('analyze')
  await sealed(url, sql, Math.floor(filling.rows / defaultBlockRows))
}

/** Ids of the first account of each kind; a test has a few of its own before them. */
const firstId = 100
const tokensPerUser = 2
const defaultChannels = 20

function accountsOf({ users, channels = defaultChannels, until }: PostgresFilling): readonly string[] {
  const ids = (count: number) => `from generate_series(${firstId}, ${firstId + count - 1}) as id`
  const tokens = ids(users * tokensPerUser)
  return [
    `insert into users (id, username, display_name, password_hash, role, status, "group", email, github_id, oidc_id,
      oidc_issuer, search_text, wechat_id, telegram_id, linux_do_id, access_token_hash, aff_code, aff_count, aff_quota,
      aff_history_quota, inviter_id, setting, created_at)
    select id, 'filled-user-' || id, '', '', 1, 1, 'default', '', '', '', '', '', '', '', '', '', '', 0, 0, 0, 0, '', ${until}
      ${ids(users)}`,
    `insert into tokens (id, user_id, name, key_hash, key_sealed, key_head, key_tail, status, created_at, unlimited_quota,
      model_limits_enabled, model_limits, allow_ips, "group")
    select id, ${firstId} + (id - ${firstId}) / ${tokensPerUser}, 'filled-token-' || id, 'filled-' || id, '', '', '', 1, ${until}, 1, 0,
      '[]', '', '' ${tokens}`,
    `insert into channels (id, type, name, status, keys_sealed, key_count, key_states, openai_organization,
      max_input_tokens, base_url, base_url_trusted, other, models, groups, model_mapping, status_code_mapping,
      param_override, setting, auto_ban, test_model, priority, weight, tag, balance, balance_updated_at,
      response_time_ms, tested_at, created_at, status_reason)
    select id, 1, 'filled-channel-' || id, 2, '', 1, '[]', '', 0, '', 0, '', '[]', '[]', '', '', '', '', 1, '', 0, 0, '', 0, 0, 0, 0,
      ${until}, 'null' ${ids(channels)}`,
    `insert into user_accounts (id) select id ${ids(users)}`,
    `insert into token_accounts (id, accessed_at) select id, ${until} ${tokens}`,
    `insert into channel_accounts (id) select id ${ids(channels)}`,
  ]
}

interface Month {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly first: number
  readonly last: number
}

/** Calls are spread evenly over the days; their ids follow their times. */
function monthsOf({ rows, days, until }: PostgresFilling): Month[] {
  const start = until - days * secondsPerDay
  const lastBefore = (at: number) =>
    Math.min(rows, Math.max(0, Math.ceil(((at - start) * rows) / (days * secondsPerDay))))
  const months: Month[] = []
  for (let at = start; at <= until; at = months.at(-1)?.to ?? until) {
    const date = new Date(at * 1000)
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
    const [from, to] = [Date.UTC(year, month) / 1000, Date.UTC(year, month + 1) / 1000]
    const name = `logs_${year}_${String(month + 1).padStart(2, '0')}`
    months.push({ name, from, to, first: lastBefore(from) + 1, last: lastBefore(to) })
  }
  return months
}

/** A table that is made and filled in one transaction needs no record of its rows in the server's log. */
function fillMonth(
  { name, from, to, first, last }: Month,
  { rows, days, until, users, channels = defaultChannels }: PostgresFilling,
): string[] {
  return [
    `drop table if exists ${name}`,
    `create table ${name} (like logs including defaults including constraints)`,
    // Few users, models and channels make most calls; a call in fifty fails, and one in ten thousand rows is a payment.
    `insert into ${name} (id, created_at, type, user_id, token_id, channel_id, quota, prompt_tokens, completion_tokens,
        use_time_seconds, is_stream, token_name, model, "group", username, request_id, content, other)
      select id, at, case when chance < 0.0001 then 1 when chance < 0.02 then 5 else 2 end,
        ${firstId} + who, token, ${firstId} + channel, case when chance < 0.02 then 0 else 1 + prompt / 4 + completion end,
        prompt, completion, completion / 50, 1, 'filled-token-' || token, 'filled-model-' || model, 'filled-group-' || who % 5,
        'filled-user-' || ${firstId} + who,
        '20261125120000' || lpad(id::text, 9, '0') || substr(md5(id::text), 1, 8), '',
        '{"model_ratio":1.25,"completion_ratio":4,"group_ratio":1,"frt":' || completion || '}'
      from (
        select calls.*, ${firstId} + who * ${tokensPerUser} + id % ${tokensPerUser} as token from (
        select id, (${until - days * secondsPerDay} + (id - 1) * ${days * secondsPerDay}::bigint / ${rows})::bigint as at, random() as chance,
          floor(random() ^ 3 * ${users})::int as who, floor(random() ^ 3 * 60)::int as model,
          floor(random() ^ 3 * ${channels})::int as channel, floor(random() ^ 3 * 4000)::int as prompt,
          floor(random() ^ 3 * 1000)::int as completion
        from generate_series(${first}::bigint, ${last}::bigint) as id offset 0
        ) as calls
      ) as calls`,
    `alter table ${name} add primary key (id, created_at)`,
    `alter table logs attach partition ${name} for values from (${from}) to (${to})`,
  ]
}

/** An open store indexes what is not indexed. */
async function sealed(url: string, sql: SQL, blocks: number): Promise<void> {
  const store = await openStore({ databaseUrl: url, dataDir: tmpdir(), logger: console })
  const started = performance.now()
  for (let count = 0; count < blocks; await Bun.sleep(2000)) {
    const [row] = await sql.unsafe('select coalesce(max(id), 0) as count from log_blocks')
    count = Number(row.count)
    const seconds = (performance.now() - started) / 1000
    console.log(`${count} of ${blocks} blocks in ${seconds.toFixed(0)} s`)
  }
  await store.close()
}
