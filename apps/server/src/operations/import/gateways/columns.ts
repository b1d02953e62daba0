import { channelResource, tokenResource, userResource } from '@tollgate/api'
import { foreignColumns } from '../declared-columns.ts'

/**
 * The fate of each column of one-api's and new-api's tables that are taken row by row. A column that is not here is of a version
 * that nobody has read yet.
 * https://github.com/QuantumNous/new-api/tree/main/model and https://github.com/songquanpeng/one-api/tree/main/model, November 2026
 */
export type ColumnFate =
  /** It counts here, or the row says in a note of its own what does not. */
  | 'taken'
  /** It follows from something else, or is a measure of the moment. */
  | { readonly ignored: string }
  /** Named where a row has another value than the default. */
  | { readonly named: string }

const ignored = (why: string): ColumnFate => ({ ignored: why })
const named = (why: string): ColumnFate => ({ named: why })
const taken = (...columns: readonly string[]): Readonly<Record<string, ColumnFate>> =>
  Object.fromEntries(columns.map((column) => [column, 'taken' as const]))

export const columnFates: Readonly<Record<string, Readonly<Record<string, ColumnFate>>>> = {
  users: {
    ...taken(...foreignColumns(userResource)),
    ...taken('id', 'username', 'password', 'display_name', 'role', 'status', 'email', 'github_id', 'oidc_id'),
    ...taken('wechat_id', 'telegram_id', 'linux_do_id', 'lark_id', 'access_token', 'quota', 'used_quota'),
    ...taken('request_count', 'group', 'aff_code', 'aff_count', 'aff_quota', 'aff_history', 'inviter_id'),
    ...taken('setting', 'created_at', 'deleted_at'),
    discord_id: named('there is no log-in with Discord here'),
    remark: named('users have no remark here'),
    stripe_customer: named('customers of Stripe are made anew with the next payment'),
    last_login_at: ignored('begins anew'),
    auth_version: ignored('sessions there do not hold here'),
  },
  tokens: {
    ...taken(...foreignColumns(tokenResource)),
    ...taken('id', 'user_id', 'key', 'status', 'created_time', 'accessed_time', 'used_quota', 'models'),
    ...taken('subnet', 'deleted_at'),
    cross_group_retry: named('a key has one group here'),
  },
  channels: {
    ...taken(...foreignColumns(channelResource)),
    ...taken('id', 'key', 'open_ai_organization', 'created_time', 'config', 'system_prompt', 'used_quota'),
    ...taken('settings', 'header_override', 'other_info', 'channel_info'),
    remark: named('channels have no remark here'),
    test_time: ignored('measured anew'),
    response_time: ignored('measured anew'),
    balance: ignored('asked for anew'),
    balance_updated_time: ignored('asked for anew'),
  },
  redemptions: {
    ...taken('id', 'user_id', 'key', 'status', 'name', 'quota', 'created_time', 'redeemed_time'),
    ...taken('used_user_id', 'expired_time', 'deleted_at'),
    count: ignored('the number of codes in the form that made it'),
  },
  top_ups: taken(
    'id',
    'user_id',
    'amount',
    'money',
    'trade_no',
    'payment_method',
    'payment_provider',
    'create_time',
    'complete_time',
    'status',
  ),
  options: taken('key', 'value'),
}

/** Defaults beside nothing, zero, false and empty objects. */
export const columnDefaults: Readonly<Record<string, string>> = { 'users.auth_version': '1' }

/** Tables that are not taken row by row, with the reason. */
export const tableReasons: Readonly<Record<string, string>> = {
  abilities: 'they follow from groups and models of channels',
  quota_data: 'the hourly sums are made from the log',
  setups: 'this gateway notes its own',
  midjourneys: 'drawings are not taken; what they cost is in the log',
  tasks: 'music and videos are not taken; what they cost is in the log',
  two_fas: 'second factors are set up anew by their owners: require them of administrators',
  two_fa_backup_codes: 'second factors are set up anew by their owners',
  passkey_credentials: 'passkeys belong to the address of the gateway: their owners add new ones',
  models: 'descriptions of models have no place here',
  vendors: 'descriptions of vendors have no place here',
  prefill_groups: 'lists of models for forms have no place here',
  checkins: 'there are no gifts for daily visits here; what was given is in the balances',
  subscription_plans: 'there are no subscriptions here: sell balances instead',
  subscription_plan_items: 'there are no subscriptions here: sell balances instead',
  subscription_orders: 'there are no subscriptions here; keep the old database for your books',
  user_subscriptions: 'there are no subscriptions here: credit to balances what people have paid for',
  user_subscription_items: 'there are no subscriptions here: credit to balances what people have paid for',
  subscription_pre_consume_records: 'notes of calls under way',
  custom_oauth_providers: 'ways to log in are set up anew in the settings',
  user_oauth_bindings: 'accounts elsewhere are bound anew by their owners',
  external_identity_claims: 'they repeat what users and their bindings have',
  user_sessions: 'everybody logs in anew',
  auth_flows: 'log-ins under way',
  perf_metrics: 'measures of that program',
  system_instances: 'processes of that program',
  system_tasks: 'work of that program',
  system_task_locks: 'work of that program',
  casbin_rule: 'rights of administrators are granted anew',
  authz_roles: 'rights of administrators are granted anew',
}
