import { describe, expect, it } from 'bun:test'
import type { ForeignRow } from '../../../store/engine/foreign/foreign-database.ts'
import type { SourceRow } from '../import-source.ts'
import { columnFates } from './columns.ts'
import { readChannel, readCode, readOrder, readToken, readUser } from './gateway-rows.ts'

const now = 1_790_000_000

/** Readers of a row: each returns it with its notes, or the reason to leave it out. */
const readers: Readonly<Record<string, (row: ForeignRow) => unknown>> = {
  users: readUser,
  tokens: readToken,
  channels: (row) =>
    readChannel(row, 'system_prompt' in row || 'config' in row ? 'one-api' : 'new-api', false),
  redemptions: (row) => readCode(row, now),
  top_ups: (row) => readOrder(row, 500_000),
}

/** Rows as those programs make them where nobody has set anything. */
const standard: Readonly<Record<string, ForeignRow>> = {
  users: { id: 1, username: 'anna', password: '', role: 1, status: 1, group: 'default' },
  tokens: { id: 1, user_id: 1, key: 'abc', status: 1, expired_time: -1 },
  channels: { id: 1, type: 1, key: 'sk-a\nsk-b', status: 1, name: 'main', auto_ban: 1, group: 'default' },
  redemptions: { id: 1, user_id: 1, key: 'abc', status: 1 },
  top_ups: { id: 1, user_id: 1, amount: 1, money: 1, trade_no: 'a', create_time: 5, status: 'pending' },
}

/** Values of columns for which 7 is none, with their companions. */
const set: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'users.password': { password: '$2b$10$stored' },
  'users.role': { role: 10 },
  'users.setting': { setting: '{"language":"zh"}' },
  'users.aff_count': { aff_count: 7 },
  'tokens.models': { models: 'm1' },
  'tokens.model_limits_enabled': { model_limits_enabled: 1 },
  'tokens.model_limits': { model_limits_enabled: 1, model_limits: 'm1' },
  'tokens.unlimited_quota': { unlimited_quota: 1 },
  'channels.auto_ban': { auto_ban: 0 },
  'channels.config': { type: 33, config: '{"region":"eu","api_version":"7"}' },
  'channels.system_prompt': { system_prompt: 'Be brief' },
  'channels.setting': { setting: '{"proxy":"http://p"}' },
  'channels.settings': { settings: '{"a_new_one":true}' },
  'channels.other_info': { status: 3, other_info: '{"status_reason":"x","status_time":7}' },
  'channels.channel_info': { channel_info: '{"is_multi_key":true,"multi_key_status_list":{"1":2}}' },
  'redemptions.status': { status: 2 },
  'redemptions.expired_time': { expired_time: 7 },
  'redemptions.redeemed_time': { redeemed_time: 7 },
  'top_ups.status': { status: 'success' },
  'top_ups.amount': { amount: 7 },
  'top_ups.payment_method': { payment_method: 'stripe' },
  'top_ups.payment_provider': { payment_provider: 'stripe' },
}

const cells = Object.entries(columnFates).flatMap(([table, fates]) =>
  readers[table] === undefined
    ? []
    : Object.entries(fates)
        .filter(([, fate]) => fate === 'taken')
        .map(([column]) => [table, column] as const),
)

function reasonsOf(row: SourceRow<unknown>): readonly string[] {
  return 'leftOut' in row ? [row.leftOut.reason] : row.changes.map(({ reason }) => reason)
}

describe('a cell of one-api or new-api that somebody has set', () => {
  it.each(cells)('%s.%s has an effect here, or a note', (table, column) => {
    const read = readers[table]
    const row = standard[table]
    const change = set[`${table}.${column}`] ?? { [column]: 7 }
    const { [column]: value, ...beside } = change
    expect(JSON.stringify(read?.({ ...row, ...beside, [column]: value }))).not.toBe(
      JSON.stringify(read?.({ ...row, ...beside })),
    )
  })

  it.each([
    [
      '{"is_multi_key":true,"multi_key_mode":"random"}',
      'multi_key_mode is random: keys are called in turn here',
    ],
    ['{"is_multi_key":true,"multi_key_mode":"polling"}', undefined],
    ['{"is_multi_key":false,"multi_key_size":0,"multi_key_mode":"","multi_key_polling_index":0}', undefined],
    ['{"is_multi_key":false,"credential_mode":"pool"}', 'credential_mode has no place here'],
  ])('names members of channel_info: %s', (channel_info, expected) => {
    const row = readChannel({ ...standard['channels'], channel_info }, 'new-api', false)
    expect(reasonsOf(row)).toEqual(expected === undefined ? [] : [`channels.channel_info.${expected}`])
  })

  it('names settings of a person that count for nothing here, and no others', () => {
    const setting = {
      notify_type: 'gotify',
      gotify_url: 'https://push.example',
      gotify_priority: 0,
      quota_warning_threshold: 5,
      disable_topup: true,
      language: '',
    }
    expect(reasonsOf(readUser({ ...standard['users'], setting: JSON.stringify(setting) }))).toEqual([
      'users.setting.gotify_url has no place here',
      'users.setting.disable_topup has no place here',
      'users.setting.notify_type is gotify: warnings come by mail here',
    ])
  })
})
