import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/**
 * The schema of the first version. `integer` is 64 bits wide; flags are 0 and 1; lists and objects are JSON texts. The
 * tables are declared in `repositories/`; a test compares them with this schema.
 */
export function initialSchema(dialect: SqlDialect): string[] {
  return [accounts, signIn, configuration, money, logs, work].flatMap((part) => part(dialect))
}

function accounts({ kind, newId, integer, tableEnd, keyedTableEnd }: SqlDialect): string[] {
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
      aff_code text not null,
      aff_count ${integer} not null,
      aff_quota ${integer} not null,
      aff_history_quota ${integer} not null,
      inviter_id ${integer} not null,
      setting text not null,
      created_at ${integer} not null,
      deleted_at ${integer},
      search_text text not null,
      requests_per_minute ${integer} not null default 0,
      tokens_per_minute ${integer} not null default 0,
      concurrency ${integer} not null default 0,
      oidc_issuer text not null
    ) ${tableEnd}`,
    `create unique index users_by_access_token on users (access_token_hash) where access_token_hash <> ''`,
    `create unique index users_by_aff_code on users (aff_code) where aff_code <> ''`,
    `create unique index users_by_email on users (lower(email)) where email <> ''`,
    `create unique index users_by_github_id on users (github_id) where github_id <> ''`,
    'create index users_by_inviter on users (inviter_id) where inviter_id <> 0',
    `create unique index users_by_linux_do_id on users (linux_do_id) where linux_do_id <> ''`,
    'create index users_by_name on users (lower(username), id, role, status, "group", deleted_at)',
    `create unique index users_by_oidc_id on users (oidc_id, oidc_issuer) where oidc_id <> ''`,
    `create unique index users_by_telegram_id on users (telegram_id) where telegram_id <> ''`,
    `create unique index users_by_wechat_id on users (wechat_id) where wechat_id <> ''`,
    // PostgreSQL cannot index a text of any length; there a keyword scans the table.
    `create index users_listed on users (id, role, status, "group", deleted_at${kind === 'sqlite' ? ', search_text' : ''})`,
    `create table user_accounts (
      id ${integer} not null primary key,
      quota ${integer} not null default 0,
      used_quota ${integer} not null default 0,
      request_count ${integer} not null default 0
    ) ${tableEnd}`,
    `create table tokens (
      id ${newId},
      user_id ${integer} not null,
      name text not null,
      key_hash text not null unique,
      key_sealed text not null,
      status ${integer} not null,
      created_at ${integer} not null,
      expires_at ${integer},
      unlimited_quota ${integer} not null,
      model_limits_enabled ${integer} not null,
      model_limits text not null,
      allow_ips text not null,
      "group" text not null,
      deleted_at ${integer},
      key_head text not null,
      key_tail text not null,
      requests_per_minute ${integer} not null default 0,
      tokens_per_minute ${integer} not null default 0,
      concurrency ${integer} not null default 0
    ) ${tableEnd}`,
    'create index tokens_by_user on tokens (user_id, id)',
    `create table token_accounts (
      id ${integer} not null primary key,
      remain_quota ${integer} not null default 0,
      used_quota ${integer} not null default 0,
      accessed_at ${integer} not null
    ) ${tableEnd}`,
    `create table held_invitation_shares (
      invitee_id ${integer} not null primary key,
      inviter_id ${integer} not null,
      quota ${integer} not null,
      created_at ${integer} not null
    ) ${tableEnd}`,
    `create table known_identities (
      hash text not null,
      created_at ${integer} not null,
      primary key (hash)
    ) ${keyedTableEnd}`,
    `create table quota_warnings (
      user_id ${integer} not null primary key,
      warned_at ${integer} not null,
      settled ${integer} not null
    ) ${tableEnd}`,
  ]
}

function signIn({ newId, integer, tableEnd }: SqlDialect): string[] {
  return [
    `create table sessions (
      id_hash text not null primary key,
      user_id ${integer} not null,
      created_at ${integer} not null,
      expires_at ${integer} not null,
      user_agent text not null,
      address text not null,
      last_seen_at ${integer} not null,
      proven_at ${integer} not null
    ) ${tableEnd}`,
    'create index sessions_by_end on sessions (expires_at)',
    'create index sessions_by_user on sessions (user_id)',
    `create table one_time_secrets (
      purpose text not null,
      subject text not null,
      secret_hash text not null,
      data text not null,
      attempts ${integer} not null,
      created_at ${integer} not null,
      expires_at ${integer} not null,
      user_id ${integer} not null,
      primary key (purpose, subject)
    ) ${tableEnd}`,
    'create index one_time_secrets_by_end on one_time_secrets (expires_at)',
    'create index one_time_secrets_by_user on one_time_secrets (user_id)',
    `create table second_factors (
      user_id ${integer} not null primary key,
      secret_sealed text not null,
      last_step ${integer} not null,
      tries ${integer} not null default 0,
      tries_since ${integer} not null default 0,
      created_at ${integer} not null
    ) ${tableEnd}`,
    `create table recovery_codes (
      user_id ${integer} not null,
      code_hash text not null,
      primary key (user_id, code_hash)
    ) ${tableEnd}`,
    `create table passkeys (
      id ${newId},
      user_id ${integer} not null,
      credential_id text not null unique,
      public_key text not null,
      counter ${integer} not null,
      transports text not null,
      name text not null,
      created_at ${integer} not null,
      last_used_at ${integer} not null
    ) ${tableEnd}`,
    'create index passkeys_by_user on passkeys (user_id)',
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
      balance ${real} not null,
      balance_updated_at ${integer} not null,
      response_time_ms ${integer} not null,
      tested_at ${integer} not null,
      created_at ${integer} not null,
      status_reason text not null
    ) ${tableEnd}`,
    'create index channels_by_tag on channels (tag)',
    `create table channel_accounts (
      id ${integer} not null primary key,
      used_quota ${integer} not null default 0
    ) ${tableEnd}`,
    `create table channel_outcomes (
      channel_id ${integer} not null primary key,
      last_success_at ${integer} not null,
      last_failure_at ${integer} not null,
      failure_code text not null,
      failure_params text not null
    ) ${tableEnd}`,
    `create table options (
      key text not null primary key,
      value text not null
    ) ${tableEnd}`,
    `create table setups (
      id ${integer} not null primary key check (id = 1),
      version text not null,
      initialized_at ${integer} not null
    ) ${tableEnd}`,
    `create table audit_log (
      id ${newId},
      created_at ${integer} not null,
      actor_id ${integer} not null,
      actor_name text not null,
      actor_role ${integer} not null,
      address text not null,
      action text not null,
      target_kind text not null,
      target_id ${integer} not null,
      target_name text not null,
      before text not null,
      after text not null
    ) ${tableEnd}`,
    'create index audit_log_by_action on audit_log (action, id)',
    'create index audit_log_by_actor on audit_log (actor_id, id)',
    'create index audit_log_by_kind on audit_log (target_kind, id)',
    'create index audit_log_by_target on audit_log (target_kind, target_id, id)',
    'create index audit_log_by_time on audit_log (created_at)',
  ]
}

function money({ newId, integer, byteOrder, tableEnd, keyedTableEnd, randomText }: SqlDialect): string[] {
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
    'create index ledger_entries_by_account on ledger_entries (account_kind, account_id, id)',
    `create table ledger_charges (
      hour ${integer} not null,
      account_kind text not null,
      account_id ${integer} not null,
      amount ${integer} not null,
      calls ${integer} not null,
      primary key (hour, account_kind, account_id)
    ) ${keyedTableEnd}`,
    `create table unlogged_charges (
      hour ${integer} not null,
      account_kind text not null,
      account_id ${integer} not null,
      amount ${integer} not null,
      calls ${integer} not null,
      primary key (hour, account_kind, account_id)
    ) ${keyedTableEnd}`,
    `create table holds (
      id text not null,
      account_kind text not null,
      account_id ${integer} not null,
      amount ${integer} not null,
      created_at ${integer} not null,
      primary key (id, account_kind, account_id)
    ) ${keyedTableEnd}`,
    `create table journal_positions (
      node text not null primary key,
      seq ${integer} not null
    ) ${tableEnd}`,
    `create table database_identity (
      id text not null primary key
    ) ${tableEnd}`,
    // A journal recognizes its database by it; backups include it.
    `insert into database_identity (id) values (${randomText})`,
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
    `create index redemptions_by_name on redemptions ((lower(name)${byteOrder}), id) where deleted_at is null`,
    'create index redemptions_by_quota on redemptions (quota, id) where deleted_at is null',
    'create index redemptions_by_status on redemptions (status, id) where deleted_at is null',
    `create index redemptions_by_status_and_name on redemptions (status, (lower(name)${byteOrder}), id) where deleted_at is null`,
    'create index redemptions_by_time_of_use on redemptions (coalesce(redeemed_at, 0), id) where deleted_at is null',
    'create index redemptions_live on redemptions (id) where deleted_at is null',
    `create table top_up_orders (
      id ${newId},
      trade_no text not null unique,
      user_id ${integer} not null,
      provider text not null,
      method text not null,
      quota ${integer} not null,
      money_minor ${integer} not null,
      currency text not null,
      status text not null,
      created_at ${integer} not null,
      completed_at ${integer},
      provider_trade_no text not null
    ) ${tableEnd}`,
    'create index top_up_orders_by_provider on top_up_orders (provider, created_at, id)',
    'create index top_up_orders_by_status on top_up_orders (status, created_at, id, provider)',
    'create index top_up_orders_by_time on top_up_orders (created_at, id)',
    'create index top_up_orders_by_user on top_up_orders (user_id, created_at, id)',
  ]
}

function logs(dialect: SqlDialect): string[] {
  const { newId, integer, bytes, tableEnd, keyedTableEnd } = dialect
  return [
    ...logTable(dialect),
    `create table log_clearing (
      id ${integer} not null primary key check (id = 1),
      cleared_before ${integer} not null
    ) ${tableEnd}`,
    `create table usage_hourly (
      hour ${integer} not null,
      type ${integer} not null,
      user_id ${integer} not null,
      model text not null,
      count ${integer} not null,
      quota ${integer} not null,
      prompt_tokens ${integer} not null,
      completion_tokens ${integer} not null,
      primary key (hour, type, user_id, model)
    ) ${keyedTableEnd}`,
    `create table usage_by_model (
      type ${integer} not null,
      hour ${integer} not null,
      model text not null,
      count ${integer} not null,
      quota ${integer} not null,
      prompt_tokens ${integer} not null,
      completion_tokens ${integer} not null,
      primary key (type, hour, model)
    ) ${keyedTableEnd}`,
    `create table failures_by_channel (
      hour ${integer} not null,
      channel_id ${integer} not null,
      count ${integer} not null,
      primary key (hour, channel_id)
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

function work({ newId, integer, tableEnd, keyedTableEnd }: SqlDialect): string[] {
  return [
    `create table tasks (
      id ${newId},
      platform text not null,
      action text not null,
      upstream_id text not null,
      user_id ${integer} not null,
      token_id ${integer} not null,
      channel_id ${integer} not null,
      "group" text not null,
      model text not null,
      hold_id text not null,
      quota ${integer} not null,
      status text not null,
      progress ${integer} not null,
      submitted_ms ${integer} not null,
      started_ms ${integer} not null,
      finished_ms ${integer} not null,
      updated_ms ${integer} not null,
      prompt text not null,
      fail_reason text not null,
      result text not null,
      properties text not null,
      reference text not null,
      upstream_model text not null,
      key_hash text not null,
      charge text not null
    ) ${tableEnd}`,
    'create index tasks_by_channel on tasks (channel_id, platform, id)',
    `create unique index tasks_by_hold on tasks (hold_id) where hold_id <> ''`,
    'create index tasks_by_platform on tasks (platform, id)',
    'create index tasks_by_time on tasks (submitted_ms)',
    `create index tasks_by_upstream_id on tasks (upstream_id) where upstream_id <> ''`,
    'create index tasks_by_user on tasks (user_id, platform, id)',
    'create index tasks_open on tasks (channel_id, platform, key_hash, id, submitted_ms) where finished_ms = 0',
    `create table leases (
      name text not null,
      holder text not null,
      expires_ms ${integer} not null,
      primary key (name)
    ) ${keyedTableEnd}`,
    `create table stored_responses (
      user_id ${integer} not null,
      token_id ${integer} not null,
      id text not null,
      previous_id text not null,
      bytes ${integer} not null,
      created_at ${integer} not null,
      expires_at ${integer} not null,
      sealed text not null,
      primary key (user_id, token_id, id)
    ) ${tableEnd}`,
    'create index stored_responses_by_end on stored_responses (expires_at)',
    'create index stored_responses_by_user on stored_responses (user_id, created_at, bytes)',
    `create table stored_response_items (
      user_id ${integer} not null,
      token_id ${integer} not null,
      item_id text not null,
      response_id text not null,
      primary key (user_id, token_id, item_id)
    ) ${keyedTableEnd}`,
    'create index stored_response_items_by_response on stored_response_items (user_id, token_id, response_id)',
  ]
}

/** Creates the log, whose rows are appended and have no index except their key: lists and statistics read `log-index/`. */
function logTable({ kind, newId, integer, tableEnd }: SqlDialect): string[] {
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
  if (kind === 'sqlite') return [`create table logs (id ${newId}, ${columns}) ${tableEnd}`]
  return [
    `create sequence logs_id`,
    `create table logs (id bigint not null default nextval('logs_id'), ${columns}, primary key (id, created_at))
      partition by range (created_at)`,
  ]
}
