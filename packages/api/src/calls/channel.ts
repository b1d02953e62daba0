import { z } from 'zod'
import { defineCall } from '../call.ts'
import {
  bulkOutcomes,
  emptyData,
  idParams,
  listTotal,
  optionalPageSize,
  pageSize,
  queryChoice,
  queryFlag,
  queryInteger,
  queryText,
  quota,
  unixSeconds,
  zeroBasedPage,
} from '../wire.ts'

export const channelNameMaxLength = 100
export const priorityMinimum = -999

/** See `ChannelReasonParams`. */
const channelReasonParams = z.record(z.string(), z.union([z.string(), z.number()]))

/** Why, as text in English, and as a code with parameters for a sentence in the reader's language (`channelReasonTexts`). */
const reasonFields = {
  reason: z.string(),
  /** Empty where there is no reason, or one written down by an older version as text alone. */
  reason_code: z.string(),
  reason_params: channelReasonParams,
}

/** How one key of a channel is doing. The key itself is never on the wire, only its place in the list. */
export const channelKeyHealth = z.object({
  index: z.number().int(),
  /** First 3 and last 3 characters, to tell keys apart. */
  hint: z.string(),
  status: z.enum(['enabled', 'resting', 'auto-disabled']),
  ...reasonFields,
  /** Unix seconds when it is tried again; 0 when nothing is planned. */
  retry_at: unixSeconds,
})

export const channelHealth = z.object({
  state: z.enum(['closed', 'open', 'half-open']),
  /** Share of failed attempts in the rolling window, 0 to 1. */
  error_rate: z.number(),
  ...reasonFields,
  retry_at: unixSeconds,
  /** When a call or test last succeeded, also before a restart; 0 for never. */
  last_success_time: unixSeconds,
  /** When one last failed by the channel's fault; 0 for never. */
  last_failure_time: unixSeconds,
  /** What the last failure was; empty when there was none. */
  last_failure_code: z.string(),
  last_failure_params: channelReasonParams,
  /** No call and no test has ever succeeded. */
  never_answered: z.boolean(),
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
  /** JSON text with status_reason, status_time, reason_code and reason_params; empty when the status never changed by itself. */
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

/**
 * `key` may hold several keys, one per line: they become one channel that uses them in turn or, in mode `separate`, a
 * channel each.
 */
export const channelCreateBody = z.object({
  ...channelFields,
  mode: z.enum(['single', 'separate']).default('single'),
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

/** What a list may be sorted by. `problems`: what needs a person first. */
export const channelSorts = [
  'id',
  'name',
  'priority',
  'weight',
  'used_quota',
  'balance',
  'response_time',
  'status',
  'error_rate',
  'last_failure',
  'problems',
] as const
export type ChannelSort = (typeof channelSorts)[number]

const listQuery = {
  /** The same as `sort=id`, newest first. */
  id_sort: queryFlag,
  /**
   * A page counts tags, in the order of their names, and carries all channels of each; channels without a tag follow, one
   * by one. `total` counts both.
   */
  tag_mode: queryFlag,
  /** By priority when absent. */
  sort: queryChoice(channelSorts),
  /** Names ascend and everything else descends when absent; of equals the newest comes first. */
  order: queryChoice(['asc', 'desc']),
  status: queryInteger,
  type: queryInteger,
  /** Exact. */
  tag: queryText,
  /** One of the channel's groups, exact. */
  group: queryText,
  /** Part of the name of one of its models. */
  model: queryText,
  /** The id, or part of the name. */
  keyword: queryText,
}

/** Ids of a bulk call. */
const ids = z.array(z.number().int().positive()).max(10_000)

/** Fields that are absent, null or an empty text stay as they are, but an empty `new_tag` dissolves the tag. */
export const channelTagBody = z.object({
  tag: z.string(),
  new_tag: z.string().nullish(),
  priority: z.number().int().nullish(),
  weight: z.number().int().nullish(),
  model_mapping: z.string().nullish(),
  /** Comma lists. */
  models: z.string().nullish(),
  groups: z.string().nullish(),
})
export type ChannelTagBody = z.output<typeof channelTagBody>

/** What a bulk change sets on every channel that it names. */
export const channelBatchBody = z.object({
  ids,
  status: z.number().int().optional(),
  priority: z.number().int().optional(),
  weight: z.number().int().optional(),
})
export type ChannelBatchBody = z.output<typeof channelBatchBody>

/** How far a run over many channels is, or how the last one ended. */
export const channelRun = z.object({
  running: z.boolean(),
  /** 0 before the first run of this process. */
  total: z.number().int(),
  done: z.number().int(),
  failed: z.number().int(),
  cancelled: z.boolean(),
  /** 0 before the first run, and while one is running for `finished_at`. */
  started_at: unixSeconds,
  finished_at: unixSeconds,
  /** Name of the person, `system` for a scheduled run. */
  started_by: z.string(),
})
export type ChannelRun = z.output<typeof channelRun>

/** How many rows a bulk call changed. */
const count = z.number().int()

export const channels = {
  list: defineCall({
    method: 'GET',
    path: '/api/channel/',
    access: 'admin',
    query: z.object({ p: zeroBasedPage, page_size: pageSize, ...listQuery }),
    data: z.array(channel),
    extra: listTotal,
  }),
  search: defineCall({
    method: 'GET',
    path: '/api/channel/search',
    access: 'admin',
    /** Every match, unless `page_size` asks for pages. */
    query: z.object({ p: zeroBasedPage, page_size: optionalPageSize, ...listQuery }),
    data: z.array(channel),
    extra: listTotal,
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
    /** The first, when it became several. */
    data: channel,
    extra: z.object({ ids: z.array(z.number().int()) }),
  }),
  /** A second channel with the same keys and settings. */
  copy: defineCall({
    method: 'POST',
    path: '/api/channel/copy/:id',
    access: 'admin',
    params: idParams,
    data: channel,
  }),
  /** The one call that answers keys, in their order. */
  revealKeys: defineCall({
    method: 'POST',
    path: '/api/channel/:id/key',
    access: 'root',
    sessionOnly: true,
    params: idParams,
    data: z.object({ keys: z.array(z.string()) }),
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
  deleteMany: defineCall({
    method: 'POST',
    path: '/api/channel/batch',
    access: 'admin',
    body: z.object({ ids }),
    data: count,
    extra: bulkOutcomes,
  }),
  /** Deletes every channel that is not enabled. */
  deleteDisabled: defineCall({
    method: 'DELETE',
    path: '/api/channel/disabled',
    access: 'admin',
    data: count,
  }),
  updateMany: defineCall({
    method: 'POST',
    path: '/api/channel/batch/update',
    access: 'admin',
    body: channelBatchBody,
    data: count,
    extra: bulkOutcomes,
  }),
  /** `null` takes the tag off. */
  tagMany: defineCall({
    method: 'POST',
    path: '/api/channel/batch/tag',
    access: 'admin',
    body: z.object({ ids, tag: z.string().nullable() }),
    data: count,
    extra: bulkOutcomes,
  }),
  updateTag: defineCall({
    method: 'PUT',
    path: '/api/channel/tag',
    access: 'admin',
    body: channelTagBody,
    data: count,
  }),
  enableTag: defineCall({
    method: 'POST',
    path: '/api/channel/tag/enabled',
    access: 'admin',
    body: z.object({ tag: z.string() }),
    data: count,
  }),
  disableTag: defineCall({
    method: 'POST',
    path: '/api/channel/tag/disabled',
    access: 'admin',
    body: z.object({ tag: z.string() }),
    data: count,
  }),
  /** Repairs what does not fit together in the store, and reads all channels anew. Answers how many repairs it made. */
  fix: defineCall({ method: 'POST', path: '/api/channel/fix', access: 'admin', data: count }),
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
  testProgress: defineCall({
    method: 'GET',
    path: '/api/channel/test/progress',
    access: 'admin',
    data: channelRun,
  }),
  /** Ends a run; answers how far it came. Does nothing when none is under way. */
  cancelTest: defineCall({ method: 'DELETE', path: '/api/channel/test', access: 'admin', data: channelRun }),
  updateBalance: defineCall({
    method: 'GET',
    path: '/api/channel/update_balance/:id',
    access: 'admin',
    params: idParams,
    data: emptyData,
    /** In the currency of the upstream's own account. */
    extra: z.object({ balance: z.number() }),
  }),
  /** Starts a run over all enabled channels whose type has a balance, and answers at once. */
  updateAllBalances: defineCall({
    method: 'GET',
    path: '/api/channel/update_balance',
    access: 'admin',
    data: emptyData,
  }),
  balanceProgress: defineCall({
    method: 'GET',
    path: '/api/channel/update_balance/progress',
    access: 'admin',
    data: channelRun,
  }),
  cancelBalances: defineCall({
    method: 'DELETE',
    path: '/api/channel/update_balance',
    access: 'admin',
    data: channelRun,
  }),
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
