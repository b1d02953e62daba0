import {
  channelResource,
  snakeCase,
  taskRecord,
  tokenResource,
  topUpOrderRecord,
  userResource,
} from '@tollgate/api'
import { tokenTable } from '../../../store/accounts/tokens.ts'
import { userTable } from '../../../store/accounts/users.ts'
import { channelTable } from '../../../store/channels/channels.ts'
import { ownColumns } from '../declared-columns.ts'
import type { ColumnFate } from '../gateways/columns.ts'

const ignored = (why: string): ColumnFate => ({ ignored: why })
const named = (why: string): ColumnFate => ({ named: why })
const taken = (...columns: readonly string[]): Readonly<Record<string, ColumnFate>> =>
  Object.fromEntries(columns.map((column) => [column, 'taken' as const]))

const nodes = 'what nodes there hold of balances; it is in the balance'
const measured = 'measured anew'

/** The fate of each column of our own tables that are taken row by row. A test holds it against the schema. */
export const columnFates: Readonly<Record<string, Readonly<Record<string, ColumnFate>>>> = {
  users: {
    ...taken('id', 'username', 'display_name', 'password_hash', 'role', 'status', 'group', 'email'),
    ...taken('github_id', 'oidc_id', 'oidc_issuer', 'wechat_id', 'telegram_id', 'linux_do_id'),
    ...taken('aff_code', 'aff_count', 'aff_quota', 'aff_history_quota', 'inviter_id', 'setting'),
    ...taken('created_at', 'deleted_at', 'admin_parts'),
    ...taken(...ownColumns(userResource, userTable)),
    access_token_hash: named('access tokens for the console are made anew by their owners'),
    search_text: ignored('follows from the names'),
    credentials_version: ignored('log-ins there do not hold here'),
    last_login_at: ignored('log-ins there do not hold here'),
    erased_at: ignored('of deleted accounts, which are left out'),
  },
  user_accounts: {
    ...taken('id', 'quota', 'used_quota', 'request_count'),
    granted: ignored(nodes),
    last_grant: ignored(nodes),
  },
  tokens: {
    ...taken(...ownColumns(tokenResource, tokenTable)),
    ...taken('id', 'user_id', 'key_hash', 'key_sealed', 'key_tail', 'status', 'created_at', 'deleted_at'),
    key_head: ignored('follows from the key'),
    frozen_at: ignored('a frozen key comes switched off'),
    freeze_cause: ignored('a frozen key comes switched off'),
    freeze_note: ignored('a frozen key comes switched off'),
    status_before_freeze: ignored('a frozen key comes switched off'),
  },
  token_accounts: {
    ...taken('id', 'remain_quota', 'used_quota', 'accessed_at'),
    granted: ignored(nodes),
    last_grant: ignored(nodes),
  },
  channels: {
    ...taken(...ownColumns(channelResource, channelTable)),
    ...taken('id', 'keys_sealed', 'key_states', 'base_url_trusted', 'created_at', 'status_reason'),
    key_count: ignored('follows from the keys'),
    balance: ignored('asked for anew'),
    balance_updated_at: ignored('asked for anew'),
    response_time_ms: ignored(measured),
    tested_at: ignored(measured),
    test_failure: ignored(measured),
  },
  channel_accounts: taken('id', 'used_quota'),
  options: taken('key', 'value'),
  redemptions: taken(
    ...['id', 'creator_id', 'key_hash', 'key_sealed', 'name', 'status', 'quota', 'created_at'],
    ...['redeemed_at', 'used_user_id', 'deleted_at', 'admin_id'],
  ),
  top_up_orders: taken(
    ...Object.keys(topUpOrderRecord.shape).map(snakeCase),
    ...['money_minor', 'payment_id', 'revision', 'gift_inviter_id', 'gift_quota'],
    ...['refunded_minor', 'disputed_minor', 'hand_refunded_minor', 'settled_reference', 'settled_reason'],
  ),
  tasks: taken(
    ...Object.keys(taskRecord.shape).map(snakeCase),
    ...['reference', 'upstream_model', 'key_hash', 'token_id', 'group', 'model', 'hold_id', 'charge'],
    ...['result', 'properties'],
  ),
  holds: taken('id', 'account_kind', 'account_id', 'amount', 'created_at'),
  second_factors: {
    ...taken('user_id', 'secret_sealed', 'last_step', 'created_at'),
    tries: ignored('attempts of the last minutes'),
    tries_since: ignored('attempts of the last minutes'),
  },
  held_invitation_shares: taken('invitee_id', 'inviter_id', 'quota', 'created_at'),
  usage_hourly: taken(
    ...['hour', 'type', 'user_id', 'model', 'count', 'quota', 'prompt_tokens', 'completion_tokens'],
    ...['cost', 'costed_quota', 'costed_calls'],
  ),
}

/** Defaults beside nothing, zero, false and empty objects. */
export const columnDefaults: Readonly<Record<string, string>> = {}

const ofThatDatabase = 'of that database and its nodes'
const index = 'the index of its log'
const inBalances = 'what they changed is in the balances'
const inSums = 'they are in the hourly sums'

/** Tables that are not taken row by row, with the reason. */
export const tableReasons: Readonly<Record<string, string>> = {
  access_tokens: 'access tokens for the console are made anew by their owners',
  passkeys: 'passkeys belong to the address of a console: their owners add new ones',
  recovery_codes: 'recovery codes are made anew by their owners; second factors are taken',
  sessions: 'everybody logs in anew',
  former_keys: 'keys that were replaced there end there',
  token_addresses: 'from where keys were used there',
  console_views: 'views end with the log-ins that they hang on',
  one_time_secrets: 'codes that end within minutes',
  known_identities: 'hashes under its own key: whoever closed an account there is new here',
  security_events: 'that history stays there',
  audit_log: 'that history stays there',
  ledger_entries: inBalances,
  ledger_charges: 'charges are in what accounts have spent, by hour where statistics have them',
  unlogged_charges: 'charges are in what accounts have spent',
  cleared_charges: 'charges are in what accounts have spent',
  charge_quarters: inSums,
  corrections: inBalances,
  goodwill_credits: inBalances,
  charge_links: 'their signatures are of that installation',
  correction_sums: inBalances,
  corrected_charges: inBalances,
  merged_accounts: 'accounts that were merged are one',
  logs: 'calls are taken as hourly sums; the pages of the log begin here with the import',
  imported_usage: inSums,
  usage_quarters: inSums,
  usage_by_model: inSums,
  usage_by_model_quarters: inSums,
  quarter_sums: inSums,
  open_quarters: inSums,
  spend_sums: inSums,
  attempt_counts: 'counts for the health of channels, which begin anew',
  attempt_quarters: 'counts for the health of channels, which begin anew',
  channel_key_switches: 'times at which it switches keys of its own channels; plan them here anew',
  channel_outcomes: 'counts for the health of channels, which begin anew',
  channel_switches: 'times at which it switches its own channels; plan them here anew',
  failures_by_channel: 'counts for the health of channels, which begin anew',
  failed_calls: 'requests that people let its operator replay there',
  stored_responses: 'conversations of callers, for some hours',
  stored_response_items: 'conversations of callers, for some hours',
  quota_warnings: 'people are warned of a low balance anew',
  imported_rows: 'which rows came to it from another gateway: do not import that one here as well',
  usage_exports: 'how far its log was sent elsewhere',
  log_clearing: index,
  log_block_parts: index,
  log_blocks: index,
  log_span_parts: index,
  log_spans: index,
  log_terms: index,
  balance_shares: nodes,
  changes: ofThatDatabase,
  database_identity: ofThatDatabase,
  incidents: ofThatDatabase,
  journal_findings: ofThatDatabase,
  journal_positions: ofThatDatabase,
  journal_spans: ofThatDatabase,
  kysely_migration: ofThatDatabase,
  kysely_migration_lock: ofThatDatabase,
  leases: ofThatDatabase,
  limit_slots: ofThatDatabase,
  limit_windows: ofThatDatabase,
  moves: ofThatDatabase,
  nodes: ofThatDatabase,
  public_incidents: ofThatDatabase,
  setups: ofThatDatabase,
}
