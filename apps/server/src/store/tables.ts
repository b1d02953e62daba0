import type { Generated } from 'kysely'
import type { RedemptionRow, TokenAccountRow, TokenRow } from './records.ts'

/** 0 or 1: one code path for a database with booleans and one without. */
export type Flag = 0 | 1

/** Rows as they are stored. Integers are 64 bits wide there; outside the safe range they are an error, never rounded. */
export interface Tables {
  users: UserRow
  user_accounts: UserAccountRow
  tokens: TokenRow
  token_accounts: TokenAccountRow
  channels: ChannelRow
  channel_accounts: ChannelAccountRow
  channel_outcomes: ChannelOutcomeRow
  options: { key: string; value: string }
  sessions: SessionRow
  second_factors: SecondFactorRow
  recovery_codes: { user_id: number; code_hash: string }
  passkeys: PasskeyRow
  setups: { id: number; version: string; initialized_at: number }
  one_time_secrets: OneTimeSecretRow
  audit_log: AuditLogRow
  logs: StoredLogRow
  ledger_entries: LedgerEntryRow
  ledger_charges: { hour: number; account_kind: string; account_id: number; amount: number; calls: number }
  /** One row. */
  database_identity: { id: string }
  /** A row per account. */
  holds: { id: string; account_kind: string; account_id: number; amount: number; created_at: number }
  journal_positions: { node: string; seq: number }
  redemptions: RedemptionRow
  top_up_orders: TopUpOrderRow
  known_identities: { hash: string; created_at: number }
  unnoted_users: { user_id: number }
  held_invitation_shares: { invitee_id: number; inviter_id: number; quota: number; created_at: number }
  quota_warnings: { user_id: number; warned_at: number; settled: Flag }
  log_clearing: { id: number; cleared_before: number }
  tasks: TaskRow
  leases: LeaseRow
  stored_responses: StoredResponseRow
  stored_response_items: StoredResponseItemRow
}

export interface UserRow {
  id: Generated<number>
  username: string
  display_name: string
  password_hash: string
  role: number
  status: number
  group: string
  email: string
  github_id: string
  oidc_id: string
  oidc_issuer: Generated<string>
  wechat_id: string
  telegram_id: string
  linux_do_id: string
  access_token_hash: string
  aff_code: string
  aff_count: number
  aff_quota: number
  aff_history_quota: number
  inviter_id: number
  setting: string
  created_at: number
  deleted_at: number | null
  /** Name, e-mail address and display name, folded, for searching: see `user-search.ts`. */
  search_text: Generated<string>
  /** 0 is no limit. */
  requests_per_minute: Generated<number>
  tokens_per_minute: Generated<number>
  concurrency: Generated<number>
}

/** What calls change of a user; `id` is the user's. */
export interface UserAccountRow {
  id: number
  quota: Generated<number>
  used_quota: Generated<number>
  request_count: Generated<number>
}

export interface ChannelRow {
  id: Generated<number>
  type: number
  name: string
  status: number
  keys_sealed: string
  key_count: number
  /** JSON array. */
  key_states: string
  openai_organization: string
  max_input_tokens: number
  base_url: string
  base_url_trusted: Flag
  other: string
  /** JSON arrays. */
  models: string
  groups: string
  model_mapping: string
  status_code_mapping: string
  param_override: string
  setting: string
  auto_ban: Flag
  test_model: string
  priority: number
  weight: number
  tag: string
  balance: number
  balance_updated_at: number
  response_time_ms: number
  tested_at: number
  created_at: number
  status_reason: string
  /** `null` when the status never changed by itself. */
  status_reason_at: number | null
  /** Empty where the reason is text alone. */
  status_reason_code: Generated<string>
  /** JSON object. */
  status_reason_params: Generated<string>
}

/** What became of a channel's calls; `id` is the channel's. */
export interface ChannelOutcomeRow {
  id: number
  last_success_at: number
  last_failure_at: number
  failure_code: string
  failure_params: string
}

/** What calls change of a channel; `id` is the channel's. */
export interface ChannelAccountRow {
  id: number
  used_quota: Generated<number>
}

export interface StoredLogRow {
  id: Generated<number>
  created_at: number
  type: number
  user_id: number
  token_id: number
  channel_id: number
  quota: number
  prompt_tokens: number
  completion_tokens: number
  use_time_seconds: number
  is_stream: Flag
  token_name: string
  model: string
  group: string
  username: string
  request_id: string
  content: string
  other: string
}

export interface LedgerEntryRow {
  id: Generated<number>
  account_kind: string
  account_id: number
  cause: string
  amount: number
  created_at: number
  actor_id: number
  note: string
}

export interface SessionRow {
  id_hash: string
  user_id: number
  created_at: number
  expires_at: number
  user_agent: string
  address: string
  last_seen_at: number
  proven_at: number
}

export interface SecondFactorRow {
  user_id: number
  secret_sealed: string
  last_step: number
  /** Since `tries_since`. */
  tries: number
  tries_since: number
  created_at: number
}

export interface PasskeyRow {
  id: Generated<number>
  user_id: number
  credential_id: string
  public_key: string
  counter: number
  /** JSON array. */
  transports: string
  name: string
  created_at: number
  last_used_at: number
}

export interface OneTimeSecretRow {
  purpose: string
  user_id: number
  subject: string
  secret_hash: string
  data: string
  attempts: number
  created_at: number
  expires_at: number
}

export interface AuditLogRow {
  id: Generated<number>
  created_at: number
  actor_id: number
  actor_name: string
  actor_role: number
  address: string
  action: string
  target_kind: string
  target_id: number
  target_name: string
  before: string
  after: string
}

export interface TopUpOrderRow {
  id: Generated<number>
  trade_no: string
  user_id: number
  provider: string
  method: string
  quota: number
  money_minor: number
  currency: string
  status: string
  created_at: number
  completed_at: number | null
  provider_trade_no: string
}

export interface LeaseRow {
  name: string
  holder: string
  expires_ms: number
}

export interface TaskRow {
  id: Generated<number>
  platform: string
  action: string
  upstream_id: string
  reference: string
  upstream_model: string
  key_hash: string
  charge: string
  user_id: number
  token_id: number
  channel_id: number
  group: string
  model: string
  hold_id: string
  quota: number
  status: string
  progress: number
  submitted_ms: number
  started_ms: number
  finished_ms: number
  updated_ms: number
  prompt: string
  fail_reason: string
  result: string
  properties: string
}

export interface StoredResponseRow {
  user_id: number
  token_id: number
  id: string
  previous_id: string
  bytes: number
  created_at: number
  expires_at: number
  sealed: string
}

export interface StoredResponseItemRow {
  user_id: number
  token_id: number
  item_id: string
  response_id: string
}
