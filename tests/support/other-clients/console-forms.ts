/** A form of another console of the same contract: all that it sends. */
export interface ConsoleForm {
  readonly console: string
  readonly source: string
  readonly path: string
  /** Finds the record that was made, where the call does not return it. */
  readonly list?: string
  /** The body of a new record. */
  readonly create: object
  /** Members that the form sends beside the record that it was opened with. */
  readonly beside: object
  /** Members of that record that the form does not send. */
  readonly without?: readonly string[]
  /** What a person changes in the form. */
  readonly change: Readonly<Record<string, unknown>>
}

const newApi = {
  console: 'new-api',
  repository: 'https://github.com/QuantumNous/new-api web/src/components/table/',
} as const
const oneApi = {
  console: 'one-api',
  repository: 'https://github.com/songquanpeng/one-api web/default/src/pages/',
} as const

function form(
  { console, repository }: typeof newApi | typeof oneApi,
  file: string,
  fields: Omit<ConsoleForm, 'console' | 'source'>,
): ConsoleForm {
  return { console, source: repository + file, ...fields }
}

const channel = {
  name: 'of a form',
  type: 1,
  key: 'sk-of-a-form',
  base_url: 'https://upstream.example',
  other: '',
  model_mapping: '',
  models: 'm1,m2',
  groups: ['default'],
  group: 'default',
} as const
/** `settings` of a channel in which nothing is set. */
const unsetSettings = JSON.stringify({
  azure_responses_version: '',
  vertex_key_type: 'json',
  aws_key_type: 'ak_sk',
  openrouter_enterprise: false,
  claude_beta_query: false,
  allow_service_tier: false,
  disable_store: false,
  allow_safety_identifier: false,
  allow_include_obfuscation: false,
  allow_inference_geo: false,
  allow_speed: false,
  upstream_model_update_check_enabled: false,
  upstream_model_update_auto_sync_enabled: false,
  upstream_model_update_last_check_time: 0,
  upstream_model_update_last_detected_models: [],
  upstream_model_update_ignored_models: [],
})
const newerChannel = {
  ...channel,
  openai_organization: '',
  max_input_tokens: 0,
  param_override: '',
  header_override: '',
  status_code_mapping: '',
  auto_ban: 1,
  test_model: '',
  priority: 0,
  weight: 0,
  tag: '',
  remark: '',
  multi_key_mode: 'random',
  setting: JSON.stringify({
    force_format: false,
    thinking_to_content: false,
    proxy: '',
    pass_through_body_enabled: false,
    system_prompt: '',
    system_prompt_override: false,
  }),
  settings: unsetSettings,
} as const
const token = { name: 'of a form', remain_quota: 500, expired_time: -1, unlimited_quota: false } as const
const identities = { github_id: '', wechat_id: '', email: '' } as const

/**
 * Forms of the older and the newer console, by the files that are named. Those of channels and keys have the members of the structures
 * behind them too (`model/{channel,token}.go`, `dto/channel_settings.go`); those of users and codes are what the form itself sends.
 * Read in November 2026; values are of the test. A newer form (`web/default/src/features/`) sends a part of these members.
 */
export const consoleForms: readonly ConsoleForm[] = [
  form(newApi, 'channels/modals/EditChannelModal.jsx', {
    path: '/api/channel/',
    create: { mode: 'single', channel: newerChannel },
    beside: {
      groups: ['default'],
      header_override: '',
      remark: '',
      settings: unsetSettings,
      multi_key_mode: 'random',
      key_mode: 'replace',
      channel_info: { is_multi_key: false, multi_key_size: 0, multi_key_mode: '' },
    },
    change: { name: 'another', models: 'm1,m3', priority: 7, tag: 'tagged' },
  }),
  form(newApi, 'tokens/modals/EditTokenModal.jsx', {
    path: '/api/token/',
    create: {
      ...token,
      model_limits_enabled: false,
      model_limits: '',
      allow_ips: '',
      group: '',
      cross_group_retry: false,
    },
    beside: { cross_group_retry: false },
    change: { name: 'another', allow_ips: '10.0.0.1', model_limits_enabled: true, model_limits: 'm1,m2' },
  }),
  form(newApi, 'users/modals/EditUserModal.jsx', {
    path: '/api/user/',
    list: '/api/user/search?keyword=newform',
    create: { username: 'newform', display_name: 'new', password: 'a long enough word', remark: '', role: 1 },
    beside: {
      ...identities,
      password: '',
      oidc_id: '',
      discord_id: '',
      telegram_id: '',
      linux_do_id: '',
      remark: '',
    },
    // A balance is changed by a call of its own.
    without: ['quota'],
    change: { display_name: 'another', group: 'vip' },
  }),
  form(newApi, 'redemptions/modals/EditRedemptionModal.jsx', {
    path: '/api/redemption/',
    list: '/api/redemption/?p=1',
    create: { name: 'new', quota: 500, amount: 0.001, count: 1, expired_time: 0 },
    beside: { amount: 0.0014, count: 1, expired_time: 0 },
    without: ['key', 'status', 'user_id', 'created_time', 'redeemed_time', 'used_user_id', 'used_username'],
    change: { name: 'another', quota: 700 },
  }),
  form(oneApi, 'Channel/EditChannel.js', {
    path: '/api/channel/',
    create: {
      ...channel,
      system_prompt: '',
      config: JSON.stringify({
        region: '',
        sk: '',
        ak: '',
        user_id: '',
        vertex_ai_project_id: '',
        vertex_ai_adc: '',
      }),
    },
    beside: { groups: ['default'], system_prompt: '', config: '{"region":"","sk":"","ak":""}' },
    change: { name: 'another', models: 'm1', model_mapping: '{"m1":"m2"}' },
  }),
  form(oneApi, 'Token/EditToken.js', {
    path: '/api/token/',
    create: { ...token, models: '', subnet: '' },
    beside: { models: '', subnet: '' },
    change: { name: 'another', remain_quota: 900 },
  }),
  form(oneApi, 'User/EditUser.js', {
    path: '/api/user/',
    list: '/api/user/search?keyword=oldform',
    create: { username: 'oldform', display_name: 'old', password: 'a long enough word' },
    beside: { ...identities, password: '' },
    change: { display_name: 'another', quota: 900 },
  }),
  form(oneApi, 'Redemption/EditRedemption.js', {
    path: '/api/redemption/',
    list: '/api/redemption/?p=1',
    create: { name: 'old', quota: 100000, count: 1 },
    // The form reads a number that the record does not have.
    beside: { count: null },
    change: { name: 'another' },
  }),
]
