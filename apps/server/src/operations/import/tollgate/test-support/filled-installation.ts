import {
  channelRecord,
  snakeCase,
  taskRecord,
  tokenRecord,
  topUpOrderRecord,
  userRecord,
} from '@tollgate/api'
import type { z } from 'zod'
import { createVault } from '../../../../lib/crypto.ts'
import type { Database } from '../../../../store/engine/copy/test-support/raw-database.ts'
import { sealContexts } from '../../../../store/installation/sealed-places.ts'
import { columnsOf } from '../../../../store/schema/resource-columns.ts'

export type Cell = string | number | null
export type Cells = Readonly<Record<string, Cell>>

export const [secretThere, secretHere] = ['t'.repeat(64), 'h'.repeat(64)]
/** The vault of the installation there. */
const there = createVault(secretThere)
export const now = 1_790_000_000
/** The super admin here. */
export const root = 3
const [inviter, invitee, key, channel, code, order, task] = [5, 7, 11, 13, 17, 19, 23]
export const [apiKey, codeText] = ['k'.repeat(48), 'c'.repeat(32)]
const [keyHash, codeHash] = [there.hash(apiKey), there.hash(codeText)]
const hour = 1_780_000_000 - (1_780_000_000 % 3600)

/** Rows with other values than the defaults in every column that is taken. The rest is of a kind that the schema allows. */
export const rows: readonly (readonly [string, Cells])[] = [
  ['users', { id: inviter, username: 'inviter', role: 1, status: 1, created_at: 1_700_000_001 }],
  [
    'users',
    {
      ...distinctCells(userRecord),
      id: invitee,
      username: 'invitee',
      display_name: 'The invitee',
      password_hash: '$argon2id$v=19$stored',
      role: 10,
      status: 2,
      group: 'team',
      email: 'invitee@mail.example',
      github_id: 'gh-7',
      oidc_id: 'subject-7',
      oidc_issuer: 'https://issuer.example',
      wechat_id: 'wx-7',
      telegram_id: 'tg-7',
      linux_do_id: 'ld-7',
      access_token_hash: 'of a former version',
      aff_code: 'AFF7',
      aff_count: 31,
      aff_quota: 32,
      aff_history_quota: 33,
      inviter_id: inviter,
      setting: '{"quota_warning_threshold":34}',
      created_at: 1_700_000_002,
      admin_parts: 'log',
    },
  ],
  ['user_accounts', { id: inviter }],
  ['user_accounts', { id: invitee, quota: 40_000, used_quota: 5000, request_count: 41 }],
  [
    'tokens',
    {
      ...distinctCells(tokenRecord),
      id: key,
      user_id: invitee,
      name: 'the key',
      key_hash: keyHash,
      key_sealed: there.seal(apiKey, sealContexts.tokenKey(keyHash)),
      key_tail: apiKey.slice(-4),
      status: 2,
      created_at: 1_700_000_003,
      expires_at: 1_900_000_000,
      unlimited_quota: 1,
      model_limits_enabled: 1,
      model_limits: '["m1"]',
      allow_ips: '10.0.0.1',
      group: 'team',
    },
  ],
  ['token_accounts', { id: key, remain_quota: 6000, used_quota: 700, accessed_at: 1_700_000_004 }],
  [
    'channels',
    {
      ...distinctCells(channelRecord),
      id: channel,
      type: 3,
      name: 'azure',
      status: 2,
      keys_sealed: there.seal('key-one\nkey-two', sealContexts.channelKeys(channel)),
      key_count: 2,
      key_states: '[{"index":1,"status":"disabled","reason":"by hand","at":61,"code":"x","params":{"n":1}}]',
      base_url: 'https://azure.example',
      base_url_trusted: 0,
      other: '2024-10-21',
      models: '["m1","m2"]',
      groups: '["default","team"]',
      model_mapping: '{"m1":"m2"}',
      status_code_mapping: '{"429":"500"}',
      param_override: '{"temperature":0}',
      setting: '{"force_format":true}',
      auto_ban: 0,
      status_reason: '{"reason":"a test failed","at":64,"code":"y","params":{}}',
      test_failure: 'null',
      created_at: 1_700_000_005,
    },
  ],
  ['channel_accounts', { id: channel, used_quota: 8000 }],
  ['options', { key: 'SystemName', value: 'The other one' }],
  ['options', { key: 'SMTPToken', value: there.seal('mail-secret', sealContexts.option('SMTPToken')) }],
  [
    'redemptions',
    {
      id: code,
      creator_id: inviter,
      key_hash: codeHash,
      key_sealed: there.seal(codeText, sealContexts.redemptionCode(codeHash)),
      name: 'gift',
      status: 3,
      quota: 71,
      created_at: 1_700_000_006,
      redeemed_at: 1_700_000_007,
      used_user_id: invitee,
      admin_id: invitee,
    },
  ],
  [
    'top_up_orders',
    {
      ...distinctCells(topUpOrderRecord),
      id: order,
      trade_no: 'ours-1',
      user_id: invitee,
      provider: 'stripe',
      method: 'card',
      quota: 9000,
      money_minor: 81,
      currency: 'eur',
      status: 'success',
      created_at: 1_700_000_008,
      completed_at: 1_700_000_009,
      provider_trade_no: 'cs_1',
      payment_id: 'pi_1',
      refunded_quota: 82,
      disputed_quota: 83,
      reversal: 'disputed',
      revision: 84,
      refunded_minor: 21,
      disputed_minor: 22,
      hand_refunded_minor: 11,
      settled_reference: 'bank-1',
      settled_reason: 'paid by bank',
      gift_inviter_id: inviter,
      gift_quota: 85,
    },
  ],
  [
    'tasks',
    {
      ...distinctCells(taskRecord),
      id: task,
      platform: 'suno',
      action: 'MUSIC',
      upstream_id: 'song-1',
      reference: 'ref-1',
      upstream_model: 'up-1',
      key_hash: there.hash('key-two'),
      user_id: invitee,
      token_id: key,
      channel_id: channel,
      group: 'team',
      model: 'suno_music',
      hold_id: 'hold-1',
      quota: 91,
      charge: '{"a":1}',
      status: 'IN_PROGRESS',
      progress: 92,
      submitted_ms: 1_700_000_010_000,
      started_ms: 1_700_000_011_000,
      finished_ms: 0,
      updated_ms: 1_700_000_012_000,
      prompt: 'Sing',
      fail_reason: 'none so far',
      result: '{"b":2}',
      properties: '{"c":3}',
    },
  ],
  ['holds', { id: 'hold-1', account_kind: 'user', account_id: invitee, amount: 91, created_at: 95 }],
  ['holds', { id: 'hold-1', account_kind: 'token', account_id: key, amount: 91, created_at: 95 }],
  [
    'second_factors',
    {
      user_id: invitee,
      secret_sealed: there.seal('TOTPSECRET', sealContexts.secondFactor(invitee)),
      last_step: 96,
      created_at: 1_700_000_013,
    },
  ],
  [
    'held_invitation_shares',
    { invitee_id: invitee, inviter_id: inviter, quota: 97, created_at: 1_700_000_014 },
  ],
  [
    'usage_hourly',
    {
      hour,
      type: 2,
      user_id: invitee,
      model: 'm1',
      count: 4,
      quota: 1000,
      prompt_tokens: 101,
      completion_tokens: 102,
      cost: 103,
      costed_quota: 104,
      costed_calls: 3,
    },
  ],
]

const isNumber = (type: string) => /int|real/i.test(type)

/** A value for each field that a resource declares, no two alike and none a default. */
function distinctCells(record: z.ZodObject): Cells {
  const columns = Object.entries(columnsOf(record))
  return Object.fromEntries(
    columns.map(([field, { type }], index) => {
      const name = snakeCase(field)
      return [name, type === 'text' ? `${name} there` : 6100 + index]
    }),
  )
}

/** Inserts a row whose other columns have what the schema allows. */
export function insert(database: Database, table: string, cells: Cells): void {
  const columns = database
    .query<{ name: string; type: string; notnull: number; dflt_value: string | null; pk: number }, [string]>(
      'select name, type, "notnull", dflt_value, pk from pragma_table_info(?)',
    )
    .all(table)
  const wanted = columns.filter(
    ({ name, notnull, dflt_value, pk }) => name in cells || ((notnull || pk) && dflt_value === null),
  )
  const values = wanted.map(
    ({ name, type }) =>
      cells[name] ?? (isNumber(type) ? 0 : type.toLowerCase() === 'blob' ? Buffer.from('b') : ''),
  )
  database
    .query(
      `insert into "${table}" (${wanted.map(({ name }) => `"${name}"`)}) values (${wanted.map(() => '?')})`,
    )
    .run(...(values as string[]))
}
