import { channelResource, tokenResource, userResource } from '@tollgate/api'
import { z } from 'zod'
import { foreignCells, foreignFields, readEach } from '../declared-columns.ts'
import { decimal, flag, isSet, whole, word, words } from '../values.ts'

/**
 * The tables of one-api and new-api, as far as they are taken. The second grew out of the first: a column that one of them lacks
 * has the value that it stands for.
 */

export const userRow = z.object({
  ...foreignCells(userResource),
  id: whole(),
  username: word(),
  password: words(),
  display_name: word(),
  role: whole(1),
  status: whole(1),
  email: word(),
  github_id: word(),
  oidc_id: word(),
  wechat_id: word(),
  telegram_id: word(),
  linux_do_id: word(),
  lark_id: word(),
  access_token: word(),
  quota: whole(),
  used_quota: whole(),
  request_count: whole(),
  group: word('default'),
  aff_code: word(),
  aff_count: whole(),
  aff_quota: whole(),
  aff_history: whole(),
  inviter_id: whole(),
  setting: words(),
  created_at: whole(),
  deleted_at: isSet,
})

export const tokenRow = z.object({
  ...foreignCells(tokenResource),
  id: whole(),
  user_id: whole(),
  key: word(),
  status: whole(1),
  name: word(),
  created_time: whole(),
  accessed_time: whole(),
  expired_time: whole(-1),
  remain_quota: whole(),
  unlimited_quota: flag,
  used_quota: whole(),
  model_limits_enabled: flag,
  model_limits: word(),
  /** one-api: the models that it may call; empty for all. */
  models: word(),
  allow_ips: word(),
  /** one-api: networks, with commas between. */
  subnet: word(),
  group: word(),
  deleted_at: isSet,
})

export const channelRow = z.object({
  ...foreignCells(channelResource),
  id: whole(),
  type: whole(),
  key: words(),
  openai_organization: word(),
  open_ai_organization: word(),
  status: whole(1),
  name: word(),
  created_time: whole(),
  base_url: word(),
  other: word(),
  /** one-api: what a type needs beside its key, as JSON. */
  config: word(),
  system_prompt: words(),
  models: word(),
  group: word('default'),
  used_quota: whole(),
  model_mapping: word(),
  status_code_mapping: word(),
  setting: word(),
  /** new-api, later: more members of the kind. */
  settings: word(),
  param_override: word(),
  header_override: word(),
  /** JSON: why and when the gateway switched it off. */
  other_info: word(),
  /** JSON: which of many keys are switched off. */
  channel_info: z.unknown().optional(),
})
export type ChannelRow = z.output<typeof channelRow>

export const redemptionRow = z.object({
  id: whole(),
  user_id: whole(),
  key: word(),
  status: whole(1),
  name: word(),
  quota: whole(),
  created_time: whole(),
  redeemed_time: whole(),
  used_user_id: whole(),
  expired_time: whole(),
  deleted_at: isSet,
})

export const topUpRow = z.object({
  id: whole(),
  user_id: whole(),
  amount: decimal,
  money: decimal,
  trade_no: word(),
  payment_method: word(),
  payment_provider: word(),
  create_time: whole(),
  complete_time: whole(),
  status: word('pending'),
})

export const optionRow = z.object({ key: word(), value: words() })

export const callsRow = z.object({
  hour: whole(),
  type: whole(),
  model: words(),
  channel: whole(),
  calls: whole(),
  quota: whole(),
  prompt_tokens: whole(),
  completion_tokens: whole(),
})

/** Reads the declared fields of an account that the other gateway has, in their forms there. */
export function plainUserFields(row: z.output<typeof userRow>) {
  const {
    username: _username,
    display_name: _display,
    group: _group,
    ...sent
  } = foreignFields(userResource, row)
  return readEach(userResource, sent)
}

/** Reads the same of a key. */
export function plainTokenFields(row: z.output<typeof tokenRow>) {
  const {
    name: _name,
    group: _group,
    remain_quota: _quota,
    unlimited_quota: _unlimited,
    expired_time: _expiry,
    model_limits_enabled: _limited,
    model_limits: _models,
    allow_ips: _addresses,
    ...sent
  } = foreignFields(tokenResource, row)
  return readEach(tokenResource, sent)
}
