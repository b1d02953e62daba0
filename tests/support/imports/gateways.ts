import type { Rows, Schema } from './schema.ts'

/**
 * Databases of one-api and new-api as their programs make them, with people, keys and channels of a small installation. What they
 * have in common is stated once.
 */
const shared = {
  users: {
    id: 'id',
    username: 'text',
    password: 'text',
    display_name: 'text',
    role: 'integer',
    status: 'integer',
    email: 'text',
    github_id: 'text',
    wechat_id: 'text',
    access_token: 'key',
    quota: 'integer',
    used_quota: 'integer',
    request_count: 'integer',
    group: 'text',
    aff_code: 'text',
    inviter_id: 'integer',
  },
  tokens: {
    id: 'id',
    user_id: 'integer',
    key: 'key',
    status: 'integer',
    name: 'text',
    created_time: 'integer',
    accessed_time: 'integer',
    expired_time: 'integer',
    remain_quota: 'integer',
    unlimited_quota: 'flag',
    used_quota: 'integer',
  },
  channels: {
    id: 'id',
    type: 'integer',
    key: 'text',
    status: 'integer',
    name: 'text',
    weight: 'integer',
    created_time: 'integer',
    base_url: 'text',
    other: 'text',
    models: 'text',
    group: 'text',
    used_quota: 'integer',
    model_mapping: 'text',
    priority: 'integer',
  },
  redemptions: {
    id: 'id',
    user_id: 'integer',
    key: 'key',
    status: 'integer',
    name: 'text',
    quota: 'integer',
    created_time: 'integer',
    redeemed_time: 'integer',
  },
  options: { key: 'text', value: 'text' },
  logs: {
    id: 'id',
    user_id: 'integer',
    created_at: 'integer',
    type: 'integer',
    content: 'text',
    username: 'text',
    token_name: 'text',
    model_name: 'text',
    quota: 'integer',
    prompt_tokens: 'integer',
    completion_tokens: 'integer',
    channel_id: 'integer',
  },
} as const satisfies Schema

const schemas = {
  'one-api': {
    ...shared,
    tokens: { ...shared.tokens, models: 'text', subnet: 'text' },
    channels: { ...shared.channels, config: 'text', system_prompt: 'text' },
  },
  'new-api': {
    ...shared,
    users: {
      ...shared.users,
      oidc_id: 'text',
      telegram_id: 'text',
      linux_do_id: 'text',
      aff_count: 'integer',
      aff_quota: 'integer',
      aff_history: 'integer',
      setting: 'text',
      deleted_at: 'time',
    },
    tokens: {
      ...shared.tokens,
      model_limits_enabled: 'flag',
      model_limits: 'text',
      allow_ips: 'text',
      group: 'text',
      deleted_at: 'time',
    },
    channels: {
      ...shared.channels,
      auto_ban: 'integer',
      tag: 'text',
      setting: 'text',
      status_code_mapping: 'text',
      param_override: 'text',
      channel_info: 'text',
    },
    redemptions: { ...shared.redemptions, used_user_id: 'integer', deleted_at: 'time' },
    logs: { ...shared.logs, token_id: 'integer', group: 'text', other: 'text' },
    top_ups: {
      id: 'id',
      user_id: 'integer',
      amount: 'integer',
      money: 'real',
      trade_no: 'text',
      create_time: 'integer',
      status: 'text',
    },
    abilities: { group: 'text', model: 'text', channel_id: 'integer' },
  },
} as const satisfies Readonly<Record<string, Schema>>

export type GatewayKind = keyof typeof schemas

export interface Person {
  readonly username: string
  readonly password: string
  readonly role: number
  readonly status: number
  readonly quota: number
  readonly usedQuota: number
  readonly requestCount: number
  /** Keys as clients hold them. */
  readonly keys: readonly string[]
}

export interface GatewayData {
  readonly schema: Schema
  readonly rows: Rows
  readonly people: readonly Person[]
}

const startedAt = Date.UTC(2026, 3, 1) / 1000
const callsPerPerson = 30
const quotaPerCall = 11
/** Spent there, and cleared from its log. */
const cleared = { quota: 1234, calls: 7 }

function keyOf(owner: string, name: string, seed: string): string {
  const text = `${seed}${owner}${name}`.replace(/\W/g, '')
  return text.padEnd(48, 'Xy7')
}

/**
 * @param upstream where channels of OpenAI's format lead
 * @param seed makes the keys others
 */
export async function gatewayData(
  kind: GatewayKind,
  upstream: string,
  people = crowd,
  seed = '',
): Promise<GatewayData> {
  const isNew = kind === 'new-api'
  const password = await Bun.password.hash('a password of old', { algorithm: 'bcrypt', cost: 4 })
  const all = people.map((username, index) => personOf(username, index, seed))
  return {
    schema: schemas[kind],
    people: all,
    rows: {
      users: [
        ...all.map((person, index) => userRow(person, index + 1, password, isNew)),
        ...(isNew ? [gone] : []),
      ],
      tokens: all.flatMap((person, index) => tokenRows(person, index + 1, isNew)),
      channels: channelRows(isNew, upstream, all.length),
      options: [
        { key: 'ModelRatio', value: '{"gpt-4o-mini":0.075,"own-model":2.5}' },
        { key: 'GroupRatio', value: '{"default":1,"vip":0.8}' },
        { key: 'SystemName', value: 'The old one' },
        { key: 'QuotaForNewUser', value: '4321' },
        { key: 'Theme', value: 'berry' },
        { key: 'SMTPToken', value: 'a secret of the mail server' },
      ],
      redemptions: [1, 2, 3].map((id) => ({
        id,
        user_id: 1,
        key: `${seed}${id}`.repeat(32).slice(0, 32),
        status: id,
        name: `code ${id}`,
        quota: 5000 * id,
        created_time: startedAt,
        redeemed_time: id === 3 ? startedAt + 60 : 0,
        ...(isNew && { used_user_id: id === 3 ? 2 : 0 }),
      })),
      logs: all.flatMap((person, index) => logRows(person, index + 1, isNew)),
      ...(isNew && {
        top_ups: [
          order(1, 'success', 'USR2NOpaid'),
          order(2, 'pending', 'USR2NOopen'),
          order(3, 'success', 'USR9NOgone', 99),
        ],
        abilities: [{ group: 'default', model: 'gpt-4o-mini', channel_id: 1 }],
      }),
    },
  }
}

const crowd: readonly string[] = ['root', 'anna', 'bert', 'chloe', 'emil@example.com']

function personOf(username: string, index: number, seed: string): Person {
  const calls = index === 0 ? 0 : callsPerPerson
  return {
    username,
    password: 'a password of old',
    role: index === 0 ? 100 : index === 2 ? 10 : 1,
    status: index === 3 ? 2 : 1,
    quota: 1_000_000 + index * 7,
    usedQuota: calls * quotaPerCall + (calls === 0 ? 0 : cleared.quota),
    requestCount: calls + (calls === 0 ? 0 : cleared.calls),
    keys: ['plain', 'limited'].map((name) => `sk-${keyOf(username, name, seed)}`),
  }
}

const gone = {
  id: 900,
  username: 'gone',
  password: '',
  role: 1,
  status: 1,
  quota: 77,
  group: 'default',
  deleted_at: '2026-01-02 03:04:05',
}

function userRow(person: Person, id: number, password: string, isNew: boolean) {
  return {
    id,
    username: person.username,
    password,
    display_name: `${person.username} 用户`,
    role: person.role,
    status: person.status,
    email: person.username.includes('@') ? person.username : `${person.username}@example.com`,
    github_id: person.username === 'anna' ? '4711' : '',
    wechat_id: '',
    access_token: person.username === 'root' ? 'f'.repeat(32) : null,
    quota: person.quota,
    used_quota: person.usedQuota,
    request_count: person.requestCount,
    group: person.username === 'bert' ? 'vip' : 'default',
    aff_code: `inv${id}`,
    inviter_id: person.username === 'chloe' ? 3 : 0,
    ...(isNew && {
      aff_count: person.username === 'bert' ? 1 : 0,
      aff_quota: person.username === 'bert' ? 7000 : 0,
      aff_history: person.username === 'bert' ? 9000 : 0,
      setting: person.username === 'anna' ? '{"notify_type":"webhook","webhook_secret":"hush"}' : '',
    }),
  }
}

function tokenRows(person: Person, userId: number, isNew: boolean) {
  const [plain = '', limited = ''] = person.keys.map((key) => key.slice('sk-'.length))
  const row = { user_id: userId, status: 1, created_time: startedAt, accessed_time: startedAt + 3600 }
  return [
    {
      ...row,
      id: userId * 10,
      key: plain,
      name: 'plain',
      expired_time: -1,
      remain_quota: -person.usedQuota,
      unlimited_quota: true,
      used_quota: person.usedQuota,
    },
    {
      ...row,
      id: userId * 10 + 1,
      key: limited,
      name: 'limited',
      expired_time: 4_000_000_000,
      remain_quota: 54_321,
      unlimited_quota: false,
      used_quota: 0,
      ...(isNew
        ? { model_limits_enabled: true, model_limits: 'gpt-4o-mini', allow_ips: '127.0.0.1\n10.0.0.0/8' }
        : { models: 'gpt-4o-mini', subnet: '127.0.0.1,10.0.0.0/8' }),
    },
    ...(isNew
      ? [
          {
            ...row,
            id: userId * 10 + 2,
            key: `gone${userId}`,
            name: 'gone',
            deleted_at: '2026-01-02 03:04:05',
          },
        ]
      : []),
  ]
}

function channelRows(isNew: boolean, upstream: string, people: number) {
  const row = { status: 1, weight: 1, created_time: startedAt, group: 'default', used_quota: 0, priority: 0 }
  return [
    {
      ...row,
      id: 1,
      type: 1,
      key: 'sk-up-1\nsk-up-2',
      name: 'main',
      weight: 5,
      base_url: upstream,
      models: 'gpt-4o-mini,own-model',
      group: 'default,vip',
      model_mapping: '{"own-model":"gpt-4o-mini"}',
      priority: 10,
      used_quota: (people - 1) * callsPerPerson * quotaPerCall + 5,
      ...(isNew && {
        auto_ban: 1,
        tag: 'openai',
        setting: '{"force_format":true}',
        status_code_mapping: '{"400":"500"}',
        param_override: '{"temperature":0}',
        channel_info: '{"is_multi_key":true,"multi_key_status_list":{"1":2}}',
      }),
    },
    isNew
      ? {
          ...row,
          id: 2,
          type: 3,
          key: 'az',
          name: 'azure',
          base_url: upstream,
          other: '2024-10-21',
          models: 'm',
        }
      : {
          ...row,
          id: 2,
          type: 3,
          key: 'az',
          name: 'azure',
          base_url: upstream,
          config: '{"api_version":"2024-10-21"}',
          models: 'm',
        },
    {
      ...row,
      id: 3,
      type: isNew ? 43 : 36,
      key: 'ds',
      name: 'deepseek',
      base_url: '',
      models: 'deepseek-chat',
    },
    { ...row, id: 4, type: isNew ? 49 : 34, key: 'co', name: 'coze', base_url: '', models: 'bot' },
    {
      ...row,
      id: 5,
      type: 1,
      key: 'sk-x',
      name: 'broken',
      base_url: upstream,
      models: 'x',
      model_mapping: '{',
    },
  ]
}

function logRows(person: Person, userId: number, isNew: boolean) {
  const row = { user_id: userId, username: person.username, content: '' }
  const welcome = { ...row, created_at: startedAt, type: 4, quota: 0 }
  if (person.requestCount === 0) return [welcome]
  const calls = Array.from({ length: callsPerPerson }, (_, index) => ({
    ...row,
    created_at: startedAt + index * 700,
    type: 2,
    token_name: 'plain',
    model_name: index % 3 === 0 ? 'own-model' : 'gpt-4o-mini',
    quota: quotaPerCall,
    prompt_tokens: 9,
    completion_tokens: 28,
    channel_id: index % 5 === 0 ? 77 : 1,
    ...(isNew && { token_id: userId * 10 }),
  }))
  return [welcome, ...calls]
}

function order(id: number, status: string, tradeNo: string, userId = 2) {
  return { id, user_id: userId, amount: 10, money: 73, trade_no: tradeNo, create_time: startedAt, status }
}
