import type { z } from 'zod'
import {
  accessToken,
  calls,
  channel,
  channelSettingMembers,
  costFactorKey,
  listedUser,
  passkey,
  redemption,
  servedModel,
  token,
  topUpOrder,
} from '../../../packages/api/src/index.ts'
import { contractCalls } from '../../../packages/api/src/test-support/call-of.ts'
import { distinctValues, writtenFields } from '../../../packages/api/src/test-support/written-fields.ts'
import type { Key, Resource, Write } from './resource.ts'

/** A resource without the people who read and write it, and the calls that write it. */
export interface Walk {
  readonly resource: Omit<Resource, 'door' | 'owner' | 'writer'>
  readonly create?: Write
  readonly updates: readonly Write[]
}

type Values = NonNullable<Write['values']>

const beside = {
  id: (id: Key) => ({ id }),
  ids: (id: Key) => ({ ids: [id] }),
}
const record = { id: ['id', 'base'] } as const
const switched = { action: (value: unknown) => (value === 'enable' ? 1 : 2) }
/** The act of an audit entry that says by its name what a value does. */
const act =
  (kind: string) =>
  (value: unknown): readonly [string, unknown] => ['action', `${kind}.${value}`]
const statusAct =
  (kind: string) =>
  (value: unknown): readonly [string, unknown] => ['action', `${kind}.${value === 1 ? 'enable' : 'disable'}`]

const numbers = ['requests_per_minute', 'tokens_per_minute', 'concurrency']
/** Members of a channel's setting are switches, but for these. */
const settingTexts: Values = {
  proxy: ['http://127.0.0.1:3128', 'http://127.0.0.1:3129'],
  system_prompt: ['Be brief', 'Be kind'],
  [costFactorKey]: [0.5, 0.75],
  ...Object.fromEntries(numbers.map((name, index) => [name, [100 + index, 200 + index]])),
}

const channelValues: Values = {
  ...Object.fromEntries(
    channelSettingMembers.map((name) => [`setting.${name}`, settingTexts[name] ?? [true, false]]),
  ),
  setting: ['{"force_format":true}', '{"force_format":false}'],
  type: [14, 1],
  key: ['sk-guard-one', 'sk-guard-two'],
  base_url: ['https://one.example', 'https://two.example'],
  models: ['guard-a,guard-b', 'guard-a,guard-c'],
  group: ['default,vip', 'default,svip'],
  model_mapping: ['{"guard-a":"guard-x"}', '{"guard-a":"guard-y"}'],
  status_code_mapping: ['{"429":"500"}', '{"429":"503"}'],
  param_override: ['{"temperature":0}', '{"temperature":1}'],
  auto_ban: [0, 1],
  status: [2, 1],
}
const channelValuesOf = (...names: readonly string[]): Values =>
  Object.fromEntries(names.flatMap((name) => (channelValues[name] ? [[name, channelValues[name]]] : [])))

const channels: Walk = {
  resource: {
    name: 'channel',
    calls: contractCalls,
    record: channel,
    roots: ['/api/channel/'],
    audit: { kind: 'channel', names: { group: 'groups' } },
    null: 'keeps',
    files: {
      write: 'apps/server/src/channels/manage/channel-input.ts',
      read: 'apps/server/src/channels/manage/channel-wire.ts',
      audit: 'apps/server/src/channels/manage/channel-audit.ts',
    },
  },
  create: {
    call: 'channels.create',
    leaves: ['mode'],
    values: channelValues,
    unread: ['key'],
    audits: { key: () => ['key_count', 1] },
  },
  updates: [
    {
      call: 'channels.updateTag',
      only: ['priority', 'weight', 'model_mapping', 'models', 'groups', 'param_override'],
      beside: (_id, _path, { tag }) => ({ tag }),
      as: { groups: 'group' },
      values: {
        ...channelValuesOf('models', 'model_mapping', 'param_override'),
        groups: ['default,vip', 'default,svip'],
      },
      empty: { model_mapping: 'keeps', models: 'keeps', groups: 'keeps', param_override: 'keeps' },
    },
    {
      call: 'channels.updateTag',
      only: ['new_tag'],
      beside: (_id, _path, { tag }) => ({ tag }),
      as: { new_tag: 'tag' },
    },
    { call: 'channels.tagMany', only: ['tag'], beside: beside.ids, null: 'clears' },
    {
      call: 'channels.update',
      beside: beside.id,
      leaves: record.id,
      values: channelValues,
      unread: ['key'],
      audits: { key: () => ['keys', 'replaced'] },
      empty: { group: 'default' },
    },
    {
      call: 'channels.updateMany',
      beside: (id, path) => ({
        ids: [id],
        ...(path.includes('.') && { [path.split('.')[0] ?? '']: { mode: 'replace' } }),
      }),
      leaves: ['ids', 'models.mode', 'group.mode'],
      as: { 'models.names': 'models', 'group.names': 'group', proxy: 'setting.proxy' },
      values: {
        ...channelValuesOf('status'),
        'models.names': ['guard-a,guard-b', 'guard-a,guard-c'],
        'group.names': ['default,vip', 'default,svip'],
        proxy: ['http://127.0.0.1:3128', 'http://127.0.0.1:3129'],
      },
      empty: { proxy: undefined },
    },
    { call: 'channels.setStatus', values: channelValuesOf('status') },
  ],
}

const identities = ['email', 'github_id', 'oidc_id', 'wechat_id', 'telegram_id', 'linux_do_id']
const userValues: Values = {
  username: ['guard-user', 'guard-user-2'],
  group: ['vip', 'svip'],
  parts: [
    ['users', 'log'],
    ['users', 'money'],
  ],
}
const userResource = {
  name: 'user',
  calls: contractCalls,
  record: listedUser,
  roots: ['/api/user/'],
  exports: '/api/user/:id/export',
  null: 'keeps',
  files: {
    write: 'apps/server/src/accounts/users/manage/update-user.ts',
    read: 'apps/server/src/http/console/accounts',
  },
} as const satisfies Walk['resource']
const asRole = {
  only: ['action'],
  as: { action: 'role' },
  values: { action: ['promote', 'demote'] },
  reads: { action: (value: unknown) => (value === 'promote' ? 10 : 1) },
  audits: { action: act('user') },
  moves: { action: ['admin_parts'] },
} as const

const users: Walk = {
  resource: { ...userResource, audit: { kind: 'user', names: { display_name: 'displayName' } } },
  create: { call: 'userAdmin.create', leaves: identities, values: userValues, unread: ['password'] },
  updates: [
    {
      call: 'userAdmin.update',
      beside: beside.id,
      leaves: [
        ...record.id,
        'password',
        'quota_change',
        'reason',
        ...identities,
        ...['role', 'status', 'aff_code', 'inviter_id'],
      ],
      values: userValues,
      empty: { display_name: 'keeps', group: 'vip' },
    },
    { call: 'userAdmin.manage', beside: beside.id, ...asRole },
    {
      call: 'userAdmin.setParts',
      as: { parts: 'admin_parts' },
      values: userValues,
      audits: { parts: (value) => ['parts', (value as readonly string[])[1]] },
    },
    { call: 'userAdmin.manageBatch', beside: beside.ids, ...asRole },
    // It ends the sessions of its owner.
    {
      call: 'userAdmin.update',
      only: ['password'],
      beside: beside.id,
      unread: ['password'],
      audits: { password: () => ['password', 'new'] },
    },
  ],
}

const selves: Walk = {
  resource: { ...userResource, name: 'account' },
  updates: [
    {
      call: 'accounts.updateSelf',
      only: ['username', 'display_name'],
      values: { username: ['guard-self', 'guard-self-2'] },
      empty: { username: 'keeps', display_name: 'keeps' },
    },
    {
      call: 'accounts.saveNotificationSetting',
      only: ['notify_type', 'quota_warning_threshold', 'accept_unset_model_ratio_model', 'keep_failed_calls'],
      beside: (_id, path) => (path === 'notify_type' ? { webhook_url: 'https://hook.example/a' } : {}),
      as: {
        notify_type: 'setting.notify_type',
        quota_warning_threshold: 'setting.quota_warning_threshold',
        accept_unset_model_ratio_model: 'setting.accept_unset_model_ratio_model',
        keep_failed_calls: 'setting.keep_failed_calls',
      },
      values: { notify_type: ['webhook', 'email'], quota_warning_threshold: [6000, 7000] },
      moves: { notify_type: ['setting.webhook_url_set'] },
    },
  ],
}

const tokenValues: Values = {
  group: ['vip', ''],
  expired_time: [4_000_000_000, 4_000_000_001],
  model_limits: ['guard-a,guard-b', 'guard-a'],
  allow_ips: ['127.0.0.1', '127.0.0.2'],
  status: [1, 2],
  action: ['disable', 'enable'],
}

const tokens: Walk = {
  resource: {
    name: 'token',
    calls: contractCalls,
    record: token,
    roots: ['/api/token/'],
    null: 'clears',
    files: { write: 'packages/api/src/resources/token.ts', read: 'packages/api/src/resources/token.ts' },
  },
  create: { call: 'tokens.create', values: tokenValues },
  updates: [
    { call: 'tokens.update', beside: beside.id, leaves: [...record.id, 'status'], values: tokenValues },
    {
      call: 'tokens.update',
      query: '?status_only=true',
      only: ['status'],
      // All other fields are left alone, whatever is sent.
      beside: (id) => ({ id, name: 'not read', concurrency: 3, allow_ips: '10.9.8.7', remain_quota: 9 }),
      values: tokenValues,
    },
    {
      call: 'tokens.batch',
      only: ['action'],
      beside: beside.ids,
      as: { action: 'status' },
      reads: switched,
      values: tokenValues,
    },
  ],
}

const redemptions: Walk = {
  resource: {
    name: 'redemption',
    calls: contractCalls,
    record: redemption,
    roots: ['/api/redemption/'],
    audit: { kind: 'redemption' },
    null: 'keeps',
    files: {
      write: 'packages/api/src/resources/redemption.ts',
      read: 'packages/api/src/resources/redemption.ts',
      audit: 'apps/server/src/wallet/redemptions/manage-codes.ts',
    },
  },
  create: { call: 'redemptions.create', leaves: ['count'], beside: () => ({ count: 1 }) },
  updates: [
    { call: 'redemptions.update', beside: beside.id, leaves: [...record.id, 'status'] },
    {
      call: 'redemptions.update',
      query: '?status_only=true',
      only: ['status'],
      beside: (id) => ({ id, name: 'not read', quota: 9 }),
      values: { status: [1, 2] },
      audits: { status: statusAct('redemption') },
    },
    {
      call: 'redemptions.bulk',
      only: ['action'],
      beside: beside.ids,
      as: { action: 'status' },
      reads: switched,
      values: { action: ['enable', 'disable'] },
      audits: { action: act('redemption') },
    },
  ],
}

/** Walk of an order, of which the buyer writes the amount and the method alone. */
const orders: Walk = {
  resource: {
    name: 'order',
    calls: contractCalls,
    record: topUpOrder,
    roots: ['/api/topup/', '/api/user/topup/'],
    key: 'trade_no',
    null: 'keeps',
    files: {
      write: 'apps/server/src/wallet/top-up/place-order.ts',
      read: 'apps/server/src/wallet/top-up/orders.ts',
    },
  },
  create: {
    call: 'wallet.pay',
    only: ['amount', 'payment_method'],
    as: { amount: 'quota' },
    values: { amount: [3, 4], payment_method: ['zfb', 'wx'] },
    reads: { amount: (value) => Number(value) * 500_000 },
  },
  updates: [],
}

const accessTokens: Walk = {
  resource: {
    name: 'access token',
    calls: contractCalls,
    record: accessToken,
    roots: [calls.accessTokens.create.path],
    null: 'keeps',
    files: {
      write: 'apps/server/src/accounts/users/login/access-tokens.ts',
      read: 'apps/server/src/accounts/users/login/access-tokens.ts',
    },
  },
  create: {
    call: 'accessTokens.create',
    values: { scope: ['read', 'full'], expires_at: [4_000_000_000, 4_000_000_001] },
  },
  updates: [],
}

const passkeys: Walk = {
  resource: {
    name: 'passkey',
    calls: contractCalls,
    record: passkey,
    roots: [calls.passkeys.register.path],
    null: 'keeps',
    files: {
      write: 'apps/server/src/accounts/users/login/passkeys.ts',
      read: 'apps/server/src/accounts/users/login/passkeys.ts',
    },
  },
  updates: [{ call: 'passkeys.rename' }],
}

/** Prices by time are one value: a window is none without its days, hours and zone. */
export const timeFields = writtenFields(calls.modelPrices.save.body)
  .map(({ path }) => path)
  .filter((path) => /^times(_base)?\./.test(path))

/** Charges beside tokens and costs are entries of maps: billing/surcharges saves, reads and reverts them. */
export const sheetFields = writtenFields(calls.modelPrices.save.body)
  .map(({ path }) => path)
  .filter((path) => /^(entries|entries_base|costs)([.[]|$)/.test(path))

const prices: Walk = {
  resource: {
    name: 'model price',
    calls: contractCalls,
    record: servedModel,
    roots: [calls.modelPrices.list.path],
    key: 'model_name',
    audit: { kind: 'model' },
    null: 'clears',
    files: { write: 'apps/server/src/billing/pricing', read: 'apps/server/src/billing/pricing' },
  },
  updates: [
    {
      call: 'modelPrices.save',
      leaves: [
        'model_name',
        'confirmation',
        'moves',
        ...Object.keys(servedModel.shape.price.shape).map((name) => `base.${name}`),
        ...timeFields,
        ...sheetFields,
      ],
      beside: (model_name) => ({ model_name, price: { input: 4, output: 8 } }),
      values: Object.fromEntries(
        Object.keys(servedModel.shape.price.shape).map((name) => [`price.${name}`, [6, 5]]),
      ),
      // The record has the ratio under the name of its option.
      audits: Object.fromEntries(
        Object.keys(servedModel.shape.price.shape).map((name) => [
          `price.${name}`,
          () => ['action', 'model.price'] as const,
        ]),
      ),
    },
  ],
}

/** Every resource of the contract that calls write, by its name in findings. */
export const walks = {
  channels,
  users,
  selves,
  tokens,
  redemptions,
  orders,
  accessTokens,
  passkeys,
  prices,
} as const satisfies Readonly<Record<string, Walk>>

/** Two values of each of these fields, as a walk writes them. */
export function valuesOf(updates: readonly Write[], body: z.ZodObject, fields: readonly string[]): Values {
  const own = Object.assign({}, ...updates.map(({ values }) => values ?? {})) as Values
  return Object.fromEntries(
    fields.flatMap((path) => {
      const values = own[path] ?? distinctValues({ path, schema: body.shape[path] as z.ZodType })
      return values === undefined ? [] : [[path, values]]
    }),
  )
}
