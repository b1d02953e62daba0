import type { SqlDialect } from '../dialects/sql-dialect.ts'

/** The first schema. `integer` is 64 bits wide everywhere; flags are 0 and 1; lists are JSON arrays. */
export function firstSchema(dialect: SqlDialect): string[] {
  return [...people(dialect), ...configuration(dialect), ...money(dialect), ...logs(dialect)]
}

function people({ newId, integer, tableEnd }: SqlDialect): string[] {
  return [
    `create table users (
      id ${newId},
      username text not null unique,
      display_name text not null,
      password_hash text not null,
      role ${integer} not null,
      status ${integer} not null,
      "group" text not null,
      email text not null,
      github_id text not null,
      oidc_id text not null,
      wechat_id text not null,
      telegram_id text not null,
      linux_do_id text not null,
      access_token_hash text not null,
      quota ${integer} not null default 0,
      used_quota ${integer} not null default 0,
      request_count ${integer} not null default 0,
      aff_code text not null,
      aff_count ${integer} not null,
      aff_quota ${integer} not null,
      aff_history_quota ${integer} not null,
      inviter_id ${integer} not null,
      setting text not null,
      created_at ${integer} not null,
      deleted_at ${integer}
    ) ${tableEnd}`,
    `create unique index users_by_access_token on users (access_token_hash) where access_token_hash <> ''`,
    `create index users_by_email on users (lower(email)) where email <> ''`,
    `create table sessions (
      id_hash text not null primary key,
      user_id ${integer} not null,
      created_at ${integer} not null,
      expires_at ${integer} not null
    ) ${tableEnd}`,
    `create index sessions_by_user on sessions (user_id)`,
    `create index sessions_by_end on sessions (expires_at)`,
    `create table tokens (
      id ${newId},
      user_id ${integer} not null,
      name text not null,
      key_hash text not null unique,
      key_sealed text not null,
      status ${integer} not null,
      created_at ${integer} not null,
      accessed_at ${integer} not null,
      expires_at ${integer},
      remain_quota ${integer} not null default 0,
      used_quota ${integer} not null default 0,
      unlimited_quota ${integer} not null,
      model_limits_enabled ${integer} not null,
      model_limits text not null,
      allow_ips text not null,
      "group" text not null,
      deleted_at ${integer}
    ) ${tableEnd}`,
    `create index tokens_by_user on tokens (user_id, id)`,
    `create table redemptions (
      id ${newId},
      creator_id ${integer} not null,
      key_hash text not null unique,
      key_sealed text not null,
      name text not null,
      status ${integer} not null,
      quota ${integer} not null,
      created_at ${integer} not null,
      redeemed_at ${integer},
      used_user_id ${integer},
      deleted_at ${integer}
    ) ${tableEnd}`,
  ]
}

function configuration({ newId, integer, real, tableEnd }: SqlDialect): string[] {
  return [
    `create table channels (
      id ${newId},
      type ${integer} not null,
      name text not null,
      status ${integer} not null,
      keys_sealed text not null,
      key_count ${integer} not null,
      key_states text not null,
      openai_organization text not null,
      max_input_tokens ${integer} not null,
      base_url text not null,
      base_url_trusted ${integer} not null,
      other text not null,
      models text not null,
      groups text not null,
      model_mapping text not null,
      status_code_mapping text not null,
      param_override text not null,
      setting text not null,
      auto_ban ${integer} not null,
      test_model text not null,
      priority ${integer} not null,
      weight ${integer} not null,
      tag text not null,
      used_quota ${integer} not null default 0,
      balance ${real} not null,
      balance_updated_at ${integer} not null,
      response_time_ms ${integer} not null,
      tested_at ${integer} not null,
      created_at ${integer} not null,
      status_reason text not null,
      status_reason_at ${integer}
    ) ${tableEnd}`,
    `create table options (key text not null primary key, value text not null) ${tableEnd}`,
    `create table setups (
      id ${integer} not null primary key check (id = 1),
      version text not null,
      initialized_at ${integer} not null
    ) ${tableEnd}`,
  ]
}

/**
 * Charges are kept per account and hour. The hour leads the key: what a flush writes lies together at the end of the
 * table, however many accounts there are.
 */
function money({ newId, integer, tableEnd, keyedTableEnd }: SqlDialect): string[] {
  return [
    `create table ledger_entries (
      id ${newId},
      account_kind text not null,
      account_id ${integer} not null,
      cause text not null,
      amount ${integer} not null,
      created_at ${integer} not null,
      actor_id ${integer} not null,
      note text not null
    ) ${tableEnd}`,
    `create index ledger_entries_by_account on ledger_entries (account_kind, account_id, id)`,
    `create table ledger_charges (
      hour ${integer} not null,
      account_kind text not null,
      account_id ${integer} not null,
      amount ${integer} not null,
      calls ${integer} not null,
      primary key (hour, account_kind, account_id)
    ) ${keyedTableEnd}`,
    `create table journal_positions (
      node text not null primary key,
      seq ${integer} not null
    ) ${tableEnd}`,
  ]
}

/**
 * The log is append-only and has no index but its key. What lists and statistics ask is answered by `log_blocks` and
 * `log_block_parts` (see ../log-index/seal.ts), written once per block of rows instead of once per row.
 */
function logs(dialect: SqlDialect): string[] {
  const { integer, bytes, tableEnd, keyedTableEnd, newId } = dialect
  const columns = `
      created_at ${integer} not null,
      type ${integer} not null,
      user_id ${integer} not null,
      token_id ${integer} not null,
      channel_id ${integer} not null,
      quota ${integer} not null,
      prompt_tokens ${integer} not null,
      completion_tokens ${integer} not null,
      use_time_seconds ${integer} not null,
      is_stream ${integer} not null,
      token_name text not null,
      model text not null,
      "group" text not null,
      username text not null,
      request_id text not null,
      content text not null,
      other text not null`
  const logTable =
    dialect.kind === 'sqlite'
      ? [`create table logs (id ${newId}, ${columns}) ${tableEnd}`]
      : [
          `create sequence logs_id`,
          `create table logs (id bigint not null default nextval('logs_id'), ${columns}, primary key (id, created_at))
            partition by range (created_at)`,
        ]
  return [
    ...logTable,
    `create table usage_hourly (
      hour ${integer} not null,
      type ${integer} not null,
      user_id ${integer} not null,
      token_name text not null,
      model text not null,
      channel_id ${integer} not null,
      "group" text not null,
      count ${integer} not null,
      quota ${integer} not null,
      prompt_tokens ${integer} not null,
      completion_tokens ${integer} not null,
      primary key (hour, type, user_id, token_name, model, channel_id, "group")
    ) ${keyedTableEnd}`,
    `create table log_terms (
      id ${newId},
      dimension ${integer} not null,
      text text not null,
      unique (dimension, text)
    ) ${tableEnd}`,
    `create table log_blocks (
      id ${integer} not null primary key,
      first_id ${integer} not null,
      last_id ${integer} not null,
      count ${integer} not null,
      quota ${integer} not null,
      min_at ${integer} not null,
      max_at ${integer} not null
    ) ${tableEnd}`,
    `create table log_block_parts (
      id ${integer} not null primary key,
      data ${bytes} not null
    ) ${tableEnd}`,
  ]
}
