import {
  type Channel,
  type LogEntry,
  type LogOther,
  type PublicStatus,
  type Token,
  type TokenCreateBody,
  tokenFields,
  type User,
} from '@tollgate/api'
import { blankBody } from '../src/components/form/resource-form.ts'

const now = Math.floor(Date.now() / 1000)
const day = 86_400

/** The same figures at every start: a small generator with a fixed seed. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

export function sampleStatus(): PublicStatus {
  return {
    version: '0.1.0',
    start_time: now - 3 * day,
    setup: true,
    system_name: 'Tollgate',
    logo: '',
    footer_html: '',
    has_notice: true,
    docs_link: 'https://docs.example.com',
    chat_trusted_hosts: [],
    chat_link: '',
    server_address: '',
    quota_per_unit: 500_000,
    display_in_currency: true,
    self_use_mode_enabled: true,
    demo_site_enabled: false,
    default_collapse_sidebar: false,
    enable_drawing: false,
    enable_task: false,
    enable_data_export: false,
    enable_status_page: false,
    enable_batch_update: true,
    data_export_default_time: 'hour',
    mj_notify_enabled: false,
    chats: [],
    price: 7.3,
    min_topup: 1,
    top_up_link: '',
    enable_online_topup: false,
    email_verification: false,
    turnstile_check: false,
    turnstile_site_key: '',
    github_oauth: false,
    github_client_id: '',
    linuxdo_oauth: false,
    linuxdo_client_id: '',
    oidc_enabled: false,
    oidc_client_id: '',
    oidc_authorization_endpoint: '',
    wechat_login: false,
    wechat_qrcode: '',
    telegram_oauth: false,
    telegram_bot_name: '',
    password_login: true,
    register_enabled: true,
  }
}

export function sampleUser(): User {
  return {
    id: 1,
    username: 'ada',
    display_name: 'Ada Lovelace',
    role: 100,
    status: 1,
    group: 'default',
    password: '',
    email: '',
    github_id: '',
    oidc_id: '',
    wechat_id: '',
    telegram_id: '',
    linux_do_id: '',
    quota: 98_765_432,
    used_quota: 1_234_568,
    request_count: 4821,
    aff_code: 'abcd',
    aff_count: 0,
    aff_quota: 0,
    aff_history_quota: 0,
    inviter_id: 0,
    requests_per_minute: 0,
    tokens_per_minute: 0,
    concurrency: 0,
    setting: '',
    created_at: 1_790_000_000,
    last_login_at: 1_790_000_000,
    DeletedAt: null,
  }
}

const tokenNames = [
  'Production API',
  'Claude Code',
  'Codex on laptop',
  'CI pipeline',
  'Staging',
  'Old mobile app',
  'Notebook',
  'Evaluation',
  '翻译服务',
  'Batch jobs',
  'Support bot',
  'Sandbox',
  'Partner A',
  'Partner B',
  'Nightly tests',
  'Data team',
  'Demo',
]

export function sampleTokens(): Token[] {
  const random = numbers(7)
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a table of sample values
  return tokenNames.map((name, index) => ({
    ...blankBody<TokenCreateBody>(tokenFields),
    id: index + 1,
    user_id: 1,
    key: Array.from(
      { length: 48 },
      () => 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'[Math.floor(random() * 56)],
    ).join(''),
    status: index === 5 ? 3 : index === 9 ? 4 : index % 6 === 4 ? 2 : 1,
    name,
    created_time: now - index * day * 3,
    accessed_time: now - index * 3600,
    expired_time: index % 3 === 0 ? -1 : now + (index - 5) * day,
    remain_quota: Math.floor(random() * 50_000_000),
    unlimited_quota: index % 4 === 1,
    used_quota: Math.floor(random() * 9_000_000),
    model_limits_enabled: index % 5 === 2,
    model_limits: index % 5 === 2 ? 'gpt-4o-mini,gpt-4o' : '',
    allow_ips: index % 7 === 3 ? '10.0.0.0/8\n192.168.1.4' : '',
    group: index % 4 === 3 ? 'vip' : '',
    freeze_cause: '',
    freeze_note: '',
    frozen_at: 0,
    DeletedAt: null,
  }))
}

const channelNames = [
  'OpenAI main',
  'OpenAI backup',
  'Anthropic EU',
  'Gemini',
  'DeepSeek',
  'Azure Sweden',
  'OpenRouter',
  'Local vLLM',
  'Mistral',
  'xAI',
  '通义千问',
  'SiliconCloud',
  'Groq',
]
const channelTypes = [1, 1, 14, 24, 43, 3, 20, 8, 42, 48, 17, 40, 8]

export function sampleChannels(): Channel[] {
  const random = numbers(11)
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a table of sample values
  return channelNames.map((name, index): Channel => {
    const status = index === 5 ? 3 : index === 8 ? 2 : 1
    const base = 300 + random() * 2400
    return {
      id: index + 1,
      type: channelTypes[index] ?? 1,
      key: '',
      key_count: index === 0 ? 3 : 1,
      name,
      status,
      openai_organization: '',
      max_input_tokens: 0,
      base_url: '',
      other: '',
      models: 'gpt-4o,gpt-4o-mini,o3,text-embedding-3-small',
      group: index % 3 === 0 ? 'default,vip' : 'default',
      model_mapping: '',
      status_code_mapping: '',
      param_override: '',
      setting: '',
      auto_ban: 1,
      test_model: '',
      priority: index < 3 ? 10 : 0,
      weight: index % 3,
      tag: index < 2 ? 'openai' : '',
      used_quota: Math.floor(random() * 900_000_000),
      balance: Math.round(random() * 20_000) / 100,
      balance_updated_time: now - 4000,
      response_time: index === 7 ? 0 : Math.round(base),
      test_time: now - 600 * index,
      test_failure: null,
      created_time: now - index * day * 10,
      other_info:
        status === 3
          ? JSON.stringify({ status_reason: 'HTTP 401: invalid api key', status_time: now - 900 })
          : '',
      health: {
        condition: status === 3 ? 'auto-disabled' : status === 2 ? 'disabled' : 'healthy',
        last_hour: {
          ok: 200,
          failed: index % 4 === 1 ? 7 : 0,
          other_failures: 0,
          latency_ms: Math.round(base),
        },
        state: status === 3 ? 'open' : 'closed',
        error_rate: index % 4 === 1 ? 0.034 : 0,
        reason: status === 3 ? 'HTTP 401: invalid api key' : '',
        reason_code: status === 3 ? 'key_refused' : '',
        reason_params: {},
        last_success_time: now - 600,
        last_failure_time: status === 3 ? now - 300 : 0,
        last_failure_code: status === 3 ? 'unauthorized' : '',
        last_failure_params: {},
        never_answered: false,
        retry_at: status === 3 ? now + 300 : 0,
        recent_ms: Array.from({ length: index === 7 ? 0 : 30 }, () =>
          Math.round(base * (0.7 + random() * 0.8)),
        ),
        keys: [],
      },
    }
  })
}

const models = ['gpt-4o-mini', 'claude-sonnet-4-5', 'gemini-2.5-pro', 'gpt-4o', 'deepseek-chat']

export function sampleLogs(): LogEntry[] {
  const random = numbers(23)
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a table of sample values
  return Array.from({ length: 237 }, (_, index): LogEntry => {
    const type = index % 19 === 7 ? 3 : index % 23 === 5 ? 1 : 2
    const prompt = Math.floor(random() * 12_000)
    const completion = Math.floor(random() * 3000)
    const stream = index % 3 !== 0
    const other: LogOther = {
      model_ratio: 0.075,
      model_price: -1,
      completion_ratio: 4,
      group_ratio: 1,
      cache_tokens: Math.floor(prompt / 3),
      cache_ratio: 0.5,
      frt: stream ? Math.round(300 + random() * 2000) : -1000,
      timing: { routed: 1, sent: 3, first_token: 640, done: 4200 },
      admin_info: { use_channel: ['1'], attempts: [{ channel: 1, key: 0, ms: 4200, status: 200, kind: '' }] },
    }
    return {
      id: 10_000 - index,
      created_at: now - index * 97,
      type,
      user_id: 1,
      username: 'ada',
      token_id: 1,
      token_name: type === 2 ? (tokenNames[index % 5] ?? '') : '',
      model_name: type === 2 ? (models[index % models.length] ?? '') : '',
      quota: type === 2 ? Math.round((prompt + completion * 4) * 0.075) : 0,
      prompt_tokens: type === 2 ? prompt : 0,
      completion_tokens: type === 2 ? completion : 0,
      use_time: Math.round(random() * 20),
      is_stream: stream,
      channel: 1,
      channel_name: 'OpenAI main',
      group: 'default',
      content: type === 3 ? 'Administrator changed the quota' : type === 1 ? 'Redeemed a code' : '',
      request_id: `2026${String(index).padStart(12, '0')}`,
      other: type === 2 ? JSON.stringify(other) : '',
    }
  })
}
