import { z } from 'zod'
import { defineCall } from '../call.ts'
import {
  emptyData,
  idParams,
  pageSize,
  queryFlag,
  queryText,
  quota,
  unixSeconds,
  zeroBasedPage,
} from '../wire.ts'

export const channelNameMaxLength = 100
export const priorityMinimum = -999

/** How one key of a channel is doing. The key itself is never on the wire, only its place in the list. */
export const channelKeyHealth = z.object({
  index: z.number().int(),
  /** First 3 and last 3 characters, to tell keys apart. */
  hint: z.string(),
  status: z.enum(['enabled', 'resting', 'auto-disabled']),
  reason: z.string(),
  /** Unix seconds when it is tried again; 0 when nothing is planned. */
  retry_at: unixSeconds,
})

export const channelHealth = z.object({
  state: z.enum(['closed', 'open', 'half-open']),
  /** Share of failed attempts in the rolling window, 0 to 1. */
  error_rate: z.number(),
  reason: z.string(),
  retry_at: unixSeconds,
  /** Latency in ms of the latest attempts, oldest first (at most 30), for the sparkline. */
  recent_ms: z.array(z.number()),
  keys: z.array(channelKeyHealth),
})

/** A channel on the wire. `key` is always empty: provider keys never leave the server. */
export const channel = z.object({
  id: z.number().int(),
  type: z.number().int(),
  key: z.literal(''),
  /** How many keys the channel holds. */
  key_count: z.number().int(),
  name: z.string(),
  status: z.number().int(),
  openai_organization: z.string(),
  max_input_tokens: z.number().int(),
  base_url: z.string(),
  other: z.string(),
  /** Comma lists. */
  models: z.string(),
  group: z.string(),
  model_mapping: z.string(),
  status_code_mapping: z.string(),
  param_override: z.string(),
  setting: z.string(),
  auto_ban: z.number().int(),
  test_model: z.string(),
  priority: z.number().int(),
  weight: z.number().int(),
  tag: z.string(),
  used_quota: quota,
  balance: z.number(),
  balance_updated_time: unixSeconds,
  /** Milliseconds; 0 when never tested. */
  response_time: z.number().int(),
  test_time: unixSeconds,
  created_time: unixSeconds,
  /** JSON text with status_reason and status_time. */
  other_info: z.string(),
  health: channelHealth,
})
export type Channel = z.output<typeof channel>

const text = z.string().nullable()
const channelFields = {
  type: z.number().int(),
  key: z.string(),
  name: z.string(),
  openai_organization: text,
  max_input_tokens: z.number().int().min(0).nullable(),
  base_url: text,
  other: text,
  models: z.string(),
  group: z.string(),
  model_mapping: text,
  status_code_mapping: text,
  param_override: text,
  setting: text,
  auto_ban: z.number().int().min(0).max(1).nullable(),
  test_model: text,
  priority: z.number().int().nullable(),
  weight: z.number().int().nullable(),
  tag: text,
  status: z.number().int(),
}

/** `key` may hold several keys, one per line: they become one channel that uses them in turn. */
export const channelCreateBody = z.object({
  ...channelFields,
  type: channelFields.type.default(1),
  key: channelFields.key.default(''),
  name: channelFields.name.default(''),
  openai_organization: text.default(''),
  max_input_tokens: channelFields.max_input_tokens.default(0),
  base_url: text.default(''),
  other: text.default(''),
  models: channelFields.models.default(''),
  group: channelFields.group.default('default'),
  model_mapping: text.default(''),
  status_code_mapping: text.default(''),
  param_override: text.default(''),
  setting: text.default(''),
  auto_ban: channelFields.auto_ban.default(1),
  test_model: text.default(''),
  priority: channelFields.priority.default(0),
  weight: channelFields.weight.default(0),
  tag: text.default(''),
  status: channelFields.status.default(1),
})
export type ChannelCreateBody = z.output<typeof channelCreateBody>

/** Partial: absent fields stay as they are; an empty key keeps the stored keys. */
export const channelUpdateBody = z
  .object({ id: z.number().int().positive() })
  .extend(z.object(channelFields).partial().shape)
export type ChannelUpdateBody = z.output<typeof channelUpdateBody>

const listQuery = { id_sort: queryFlag, tag_mode: queryFlag }

export const channels = {
  list: defineCall({
    method: 'GET',
    path: '/api/channel/',
    access: 'admin',
    query: z.object({ p: zeroBasedPage, page_size: pageSize, ...listQuery }),
    data: z.array(channel),
  }),
  search: defineCall({
    method: 'GET',
    path: '/api/channel/search',
    access: 'admin',
    query: z.object({ keyword: queryText, group: queryText, model: queryText, ...listQuery }),
    data: z.array(channel),
  }),
  get: defineCall({
    method: 'GET',
    path: '/api/channel/:id',
    access: 'admin',
    params: idParams,
    data: channel,
  }),
  create: defineCall({
    method: 'POST',
    path: '/api/channel/',
    access: 'admin',
    body: channelCreateBody,
    data: channel,
  }),
  update: defineCall({
    method: 'PUT',
    path: '/api/channel/',
    access: 'admin',
    body: channelUpdateBody,
    data: channel,
  }),
  delete: defineCall({
    method: 'DELETE',
    path: '/api/channel/:id',
    access: 'admin',
    params: idParams,
    data: emptyData,
  }),
  /** `time` is seconds, also on failure. */
  test: defineCall({
    method: 'GET',
    path: '/api/channel/test/:id',
    access: 'admin',
    params: idParams,
    query: z.object({ model: queryText }),
    data: emptyData,
    extra: z.object({ time: z.number() }),
  }),
  /** Starts a run over all enabled channels and answers at once. */
  testAll: defineCall({ method: 'GET', path: '/api/channel/test', access: 'admin', data: emptyData }),
  /** All model names known to the product, for the form's picker. */
  models: defineCall({
    method: 'GET',
    path: '/api/channel/models',
    access: 'admin',
    data: z.array(z.object({ id: z.string(), owned_by: z.string() })),
  }),
  enabledModels: defineCall({
    method: 'GET',
    path: '/api/channel/models_enabled',
    access: 'admin',
    data: z.array(z.string()),
  }),
  fetchModels: defineCall({
    method: 'GET',
    path: '/api/channel/fetch_models/:id',
    access: 'admin',
    params: idParams,
    data: z.array(z.string()),
  }),
  fetchModelsForNew: defineCall({
    method: 'POST',
    path: '/api/channel/fetch_models',
    access: 'admin',
    body: z.object({ base_url: z.string().nullish(), type: z.number().int(), key: z.string() }),
    data: z.array(z.string()),
  }),
}

export const groups = {
  list: defineCall({ method: 'GET', path: '/api/group/', access: 'admin', data: z.array(z.string()) }),
}

export const models = {
  /** Channel type id (as text) to the model names such a channel usually serves. */
  byChannelType: defineCall({
    method: 'GET',
    path: '/api/models',
    access: 'user',
    data: z.record(z.string(), z.array(z.string())),
  }),
}
