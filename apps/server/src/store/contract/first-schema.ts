import { postgresDialect } from '../dialects/postgres-dialect.ts'
import { sqliteDialect } from '../dialects/sqlite-dialect.ts'
import { firstSchema } from '../migrations/0001-first.ts'
import type { TestDatabase, TestStore } from './place.ts'

type Row = Readonly<Record<string, string | number>>

const empty = (names: string): Row => Object.fromEntries(names.split(' ').map((name) => [name, '']))
const zero = (names: string): Row => Object.fromEntries(names.split(' ').map((name) => [name, 0]))

const user: Row = {
  ...empty('password_hash email github_id oidc_id wechat_id telegram_id linux_do_id'),
  ...empty('access_token_hash aff_code setting'),
  ...zero('aff_count aff_quota aff_history_quota inviter_id'),
  username: 'ann',
  display_name: 'Ännchen',
  role: 1,
  status: 1,
  group: 'default',
  quota: 5_000_000_000,
  used_quota: 12,
  request_count: 2,
  created_at: 3600,
}

const token: Row = {
  ...empty('key_sealed allow_ips group'),
  ...zero('unlimited_quota model_limits_enabled'),
  user_id: 1,
  name: 'key',
  key_hash: 'hash',
  status: 1,
  model_limits: '[]',
  created_at: 3600,
  accessed_at: 7200,
  remain_quota: -7,
  used_quota: 12,
}

const channel: Row = {
  ...empty('keys_sealed openai_organization base_url other model_mapping status_code_mapping'),
  ...empty('param_override setting test_model tag status_reason'),
  ...zero('max_input_tokens base_url_trusted priority weight balance balance_updated_at response_time_ms'),
  ...zero('tested_at'),
  type: 1,
  name: 'channel',
  status: 1,
  key_count: 1,
  key_states: '[]',
  models: '[]',
  groups: '[]',
  auto_ban: 1,
  created_at: 3600,
  used_quota: 12,
}

const usage: Row = {
  hour: 3600,
  type: 2,
  user_id: 1,
  model: 'm',
  group: 'default',
  count: 1,
  prompt_tokens: 3,
  completion_tokens: 4,
}

/** A call that failed. */
const failure: Row = {
  ...empty('token_name group username request_id content other'),
  ...zero('token_id quota prompt_tokens completion_tokens use_time_seconds is_stream'),
  created_at: 3601,
  type: 5,
  user_id: 1,
  channel_id: 1,
  model: 'm',
}

const rows: readonly (readonly [table: string, row: Row])[] = [
  ['users', user],
  ['tokens', token],
  ['channels', channel],
  ['usage_hourly', { ...usage, token_name: 'a', channel_id: 1, quota: 5 }],
  ['usage_hourly', { ...usage, token_name: 'b', channel_id: 2, quota: 7 }],
  ['logs', failure],
]

/** A database as the first version left it: a user, a key, a channel, two rows of the rollup and a failed call. */
export async function layFirstSchema({ dialect }: TestDatabase, place: TestStore): Promise<void> {
  const target = dialect === 'sqlite' ? sqliteDialect : postgresDialect
  for (const statement of firstSchema(target)) await place.sql(statement)
  await place.sql(
    'create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)',
  )
  await place.sql(`insert into kysely_migration values ('0001-first', '2025-01-01T00:00:00Z')`)
  if (dialect === 'postgres')
    await place.sql('create table logs_1970_01 partition of logs for values from (0) to (2678400)')
  for (const [table, row] of rows) {
    const values = Object.values(row).map((value) => (typeof value === 'string' ? `'${value}'` : value))
    const columns = Object.keys(row).map((name) => `"${name}"`)
    await place.sql(`insert into ${table} (${columns.join(', ')}) values (${values.join(', ')})`)
  }
}
