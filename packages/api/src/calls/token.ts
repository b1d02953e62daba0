import { z } from 'zod'
import { defineCall } from '../call.ts'
import { rateLimitFields } from '../rate-limits.ts'
import {
  bulkOutcomes,
  emptyData,
  idParams,
  listTotal,
  maxPageSize,
  pageSize,
  queryFlag,
  queryInteger,
  queryText,
  quota,
  unixSeconds,
  zeroBasedPage,
} from '../wire.ts'

export const tokenNameMaxLength = 30
export const modelLimitsMaxLength = 4096
export const allowIpsMaxLength = 4096
export const tokenKeyLength = 48

/** What stands in a masked key for the part that is hidden. */
export const keyMask = '**********'

/**
 * A key as its owner sees it, and nobody else. `key` is the bare 48 characters; consoles show it with `sk-` in front. With
 * `TokenKeyMaskingEnabled` it has `keyMask` in the place of all but its ends, except where the key was just created.
 */
export const token = z.object({
  id: z.number().int(),
  user_id: z.number().int(),
  key: z.string(),
  status: z.number().int(),
  name: z.string(),
  created_time: unixSeconds,
  accessed_time: unixSeconds,
  /** -1 means never. */
  expired_time: unixSeconds,
  remain_quota: quota,
  unlimited_quota: z.boolean(),
  used_quota: quota,
  model_limits_enabled: z.boolean(),
  /** Comma list. */
  model_limits: z.string(),
  /** One address or CIDR range per line. */
  allow_ips: z.string(),
  group: z.string(),
  ...rateLimitFields,
  DeletedAt: z.null(),
})
export type Token = z.output<typeof token>

const fullPageSize = queryInteger.transform((size) =>
  size === undefined || size < 1 ? maxPageSize : Math.min(size, maxPageSize),
)

const tokenFields = {
  name: z.string(),
  remain_quota: quota,
  unlimited_quota: z.boolean(),
  expired_time: unixSeconds,
  model_limits_enabled: z.boolean(),
  model_limits: z.string().nullable(),
  allow_ips: z.string().nullable(),
  group: z.string(),
  ...rateLimitFields,
}

/** Fields a caller may not set (key, used_quota, times) are accepted and ignored. */
export const tokenCreateBody = z.object({
  name: tokenFields.name.default(''),
  remain_quota: tokenFields.remain_quota.default(0),
  unlimited_quota: tokenFields.unlimited_quota.default(false),
  expired_time: tokenFields.expired_time.default(-1),
  model_limits_enabled: tokenFields.model_limits_enabled.default(false),
  model_limits: tokenFields.model_limits.default(''),
  allow_ips: tokenFields.allow_ips.default(''),
  group: tokenFields.group.default(''),
  requests_per_minute: tokenFields.requests_per_minute.default(0),
  tokens_per_minute: tokenFields.tokens_per_minute.default(0),
  concurrency: tokenFields.concurrency.default(0),
})
export type TokenCreateBody = z.output<typeof tokenCreateBody>

/** Absent fields stay as they are. With `?status_only=true` only `status` is read. */
export const tokenUpdateBody = z
  .object({ id: z.number().int().positive(), status: z.number().int().optional() })
  .extend(z.object(tokenFields).partial().shape)
export type TokenUpdateBody = z.output<typeof tokenUpdateBody>

export const tokenSorts = [
  'id',
  'name',
  'created_time',
  'accessed_time',
  'expired_time',
  'remain_quota',
  'used_quota',
] as const

const filters = {
  /** Part of the name. */
  keyword: queryText,
  /** A whole key, with or without `sk-`, or what is shown of a masked one: `abcd`, `wxyz`, `sk-abcd…wxyz`. */
  token: queryText,
  /** As it is shown: 1 to 4. */
  status: queryInteger,
  /** The newest first, unless told. */
  sort: queryText.transform((name) => tokenSorts.find((known) => known === name)),
  order: queryText.transform((word) => (word === 'asc' ? ('asc' as const) : ('desc' as const))),
}

export const tokenBatchMaxIds = 1000

/** What is done to some of one's own keys at once. */
export const tokenBatchBody = z.object({
  ids: z.array(z.number().int().positive()).min(1).max(tokenBatchMaxIds),
  action: z.enum(['enable', 'disable', 'delete']),
})
export type TokenBatchBody = z.output<typeof tokenBatchBody>

export const tokens = {
  list: defineCall({
    method: 'GET',
    path: '/api/token/',
    access: 'user',
    query: z.object({ p: zeroBasedPage, size: pageSize, ...filters }),
    data: z.array(token),
    extra: listTotal,
  }),
  /** The same list, for programs that ask for the matches of a search without saying which page: the first hundred. */
  search: defineCall({
    method: 'GET',
    path: '/api/token/search',
    access: 'user',
    query: z.object({ p: zeroBasedPage, size: fullPageSize, ...filters }),
    data: z.array(token),
    extra: listTotal,
  }),
  /** Answers how many keys were changed, and an outcome for each. */
  batch: defineCall({
    method: 'POST',
    path: '/api/token/batch',
    access: 'user',
    body: tokenBatchBody,
    data: z.number().int(),
    extra: bulkOutcomes,
  }),
  /** Whole keys, whether lists mask them or not; each is written to the audit log. Ids that are not one's own are left out. */
  reveal: defineCall({
    method: 'POST',
    path: '/api/token/keys',
    access: 'user',
    body: z.object({ ids: z.array(z.number().int().positive()).min(1).max(tokenBatchMaxIds) }),
    data: z.array(z.object({ id: z.number().int(), key: z.string() })),
  }),
  get: defineCall({ method: 'GET', path: '/api/token/:id', access: 'user', params: idParams, data: token }),
  /** Answers the created token, key included: the one moment a console needs it without a list call. */
  create: defineCall({
    method: 'POST',
    path: '/api/token/',
    access: 'user',
    body: tokenCreateBody,
    data: token,
  }),
  update: defineCall({
    method: 'PUT',
    path: '/api/token/',
    access: 'user',
    query: z.object({ status_only: queryFlag }),
    body: tokenUpdateBody,
    data: token,
  }),
  delete: defineCall({
    method: 'DELETE',
    path: '/api/token/:id',
    access: 'user',
    params: idParams,
    data: emptyData,
  }),
}
