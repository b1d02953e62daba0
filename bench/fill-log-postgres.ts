/**
 * Fills the usage log of an empty PostgreSQL database with made-up calls, in the database, and lets the store index them. Only the
 * log and its users are filled: an audit of such a database finds charges missing.
 */
import { tmpdir } from 'node:os'
import { SQL } from 'bun'
import { openStore } from '../apps/server/src/store/engine/open/open-store.ts'
import { defaultBlockRows } from '../apps/server/src/store/log/index/sealer.ts'

const secondsPerDay = 86_400

export interface PostgresFilling {
  readonly rows: number
  readonly users: number
  readonly days: number
  /** Unix seconds of the newest call. */
  readonly until: number
}

/** Resolves when every complete block is indexed. @param url an empty database */
export async function fillPostgresLog(url: string, filling: PostgresFilling): Promise<void> {
  await (await openStore({ databaseUrl: url, dataDir: tmpdir(), logger: console })).close()
  await using sql = new SQL(url, { max: 1 })
  await sql.unsafe('set synchronous_commit = off')
  await sql.unsafe(users(filling))
  await sql.unsafe('insert into user_accounts (id) select id from users')
  for (const part of monthsOf(filling)) {
    await sql.begin(async (transaction) => {
      for (const statement of fillMonth(part, filling)) await transaction.unsafe(statement)
    })
    console.log(`${part.name}: calls ${part.first} to ${part.last}`)
  }
  await sql.unsafe(`select setval('logs_id', ${filling.rows})`)
  await sql.unsafe('analyze logs')
  await sealed(url, sql, Math.floor(filling.rows / defaultBlockRows))
}

function users({ users, until }: PostgresFilling): string {
  return `insert into users (id, username, display_name, password_hash, role, status, "group", email, github_id, oidc_id,
      oidc_issuer, search_text, wechat_id, telegram_id, linux_do_id, access_token_hash, aff_code, aff_count, aff_quota,
      aff_history_quota, inviter_id, setting, created_at)
    select id, 'user-' || id, '', '', 1, 1, 'default', '', '', '', '', '', '', '', '', '', '', 0, 0, 0, 0, '', ${until}
      from generate_series(1000, ${999 + users}) as id`
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
  { rows, days, until, users }: PostgresFilling,
): string[] {
  return [
    `drop table if exists ${name}`,
    `create table ${name} (like logs including defaults including constraints)`,
    // Few users, models and channels make most calls; a call in fifty fails, and one in ten thousand rows is a payment.
    `insert into ${name} (id, created_at, type, user_id, token_id, channel_id, quota, prompt_tokens, completion_tokens,
        use_time_seconds, is_stream, token_name, model, "group", username, request_id, content, other)
      select id, at, case when chance < 0.0001 then 1 when chance < 0.02 then 5 else 2 end,
        1000 + who, 2 * (1000 + who) + id % 2, 1 + channel, case when chance < 0.02 then 0 else 1 + prompt / 4 + completion end,
        prompt, completion, completion / 50, 1, 'key-' || id % 2 || '-' || who % 500, 'model-' || model, 'group-' || who % 5,
        'user-' || 1000 + who,
        '20261125120000' || lpad(id::text, 9, '0') || substr(md5(id::text), 1, 8), '',
        '{"model_ratio":1.25,"completion_ratio":4,"group_ratio":1,"frt":' || completion || '}'
      from (
        select id, (${until - days * secondsPerDay} + (id - 1) * ${days * secondsPerDay}::bigint / ${rows})::bigint as at, random() as chance,
          floor(random() ^ 3 * ${users})::int as who, floor(random() ^ 3 * 60)::int as model,
          floor(random() ^ 3 * 20)::int as channel, floor(random() ^ 3 * 4000)::int as prompt,
          floor(random() ^ 3 * 1000)::int as completion
        from generate_series(${first}::bigint, ${last}::bigint) as id offset 0
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
