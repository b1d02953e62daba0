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

export const tokenNameMaxLength = 30
export const modelLimitsMaxLength = 4096
export const allowIpsMaxLength = 4096
export const tokenKeyLength = 48

/** A key as its owner sees it. `key` is the bare 48 characters; consoles show it with `sk-` in front. */
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
  DeletedAt: z.null(),
})
export type Token = z.output<typeof token>

const tokenFields = {
  name: z.string(),
  remain_quota: quota,
  unlimited_quota: z.boolean(),
  expired_time: unixSeconds,
  model_limits_enabled: z.boolean(),
  model_limits: z.string().nullable(),
  allow_ips: z.string().nullable(),
  group: z.string(),
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
})
export type TokenCreateBody = z.output<typeof tokenCreateBody>

/** Absent fields stay as they are. With `?status_only=true` only `status` is read. */
export const tokenUpdateBody = z
  .object({ id: z.number().int().positive(), status: z.number().int().optional() })
  .extend(z.object(tokenFields).partial().shape)
export type TokenUpdateBody = z.output<typeof tokenUpdateBody>

export const tokens = {
  list: defineCall({
    method: 'GET',
    path: '/api/token/',
    access: 'user',
    query: z.object({ p: zeroBasedPage, size: pageSize }),
    data: z.array(token),
  }),
  search: defineCall({
    method: 'GET',
    path: '/api/token/search',
    access: 'user',
    query: z.object({ keyword: queryText, token: queryText }),
    data: z.array(token),
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
