import { z } from 'zod'
import { defineCall } from '../call.ts'
import {
  bulkOutcomes,
  emptyData,
  idParams,
  oneBasedPage,
  pageOf,
  pageSize,
  queryFlag,
  queryInteger,
  queryText,
  quota,
  unixSeconds,
} from '../wire.ts'

/** Unicode characters. */
export const redemptionNameMaxLength = 20
export const redemptionBatchMaximum = 100
export const redemptionBulkMaximum = 1000

/** A redemption code as administrators see it. */
export const redemption = z.object({
  id: z.number().int(),
  /** Who made it. */
  user_id: z.number().int(),
  /** 32 lower-case hexadecimal characters. */
  key: z.string(),
  /** 1 unused, 2 disabled, 3 used. */
  status: z.number().int(),
  name: z.string(),
  quota,
  created_time: unixSeconds,
  /** 0 while it was not redeemed. */
  redeemed_time: unixSeconds,
  /** Always 0: it has a meaning only when codes are made. */
  count: z.literal(0),
  /** Who redeemed it; 0 for nobody. */
  used_user_id: z.number().int(),
  /** The name of who redeemed it, also when that account is deleted; empty for nobody. */
  used_username: z.string(),
  DeletedAt: z.null(),
})
export type WireRedemption = z.output<typeof redemption>

export const redemptionCreateBody = z.object({
  name: z.string().default(''),
  quota,
  count: z.number().int().default(1),
})
export type RedemptionCreateBody = z.output<typeof redemptionCreateBody>

/** Absent fields stay as they are. With `?status_only=true` only `status` is read. */
export const redemptionUpdateBody = z.object({
  id: z.number().int().positive(),
  name: z.string().optional(),
  quota: quota.optional(),
  status: z.number().int().optional(),
})
export type RedemptionUpdateBody = z.output<typeof redemptionUpdateBody>

export const redemptionSorts = ['id', 'name', 'quota', 'redeemed_time'] as const
export type RedemptionSort = (typeof redemptionSorts)[number]

/** Unknown words mean the newest first. */
const listQuery = z.object({
  p: oneBasedPage,
  page_size: pageSize,
  /** 1 unused, 2 disabled, 3 used. */
  status: queryInteger,
  /** Beginning of the name, whatever its case; a number is also looked for as an id. */
  keyword: queryText,
  sort: z.enum(redemptionSorts).catch('id'),
  order: z.enum(['asc', 'desc']).catch('desc'),
})
export type RedemptionQuery = z.output<typeof listQuery>

export const redemptions = {
  list: defineCall({
    method: 'GET',
    path: '/api/redemption/',
    access: 'admin',
    query: listQuery,
    data: pageOf(redemption),
  }),
  search: defineCall({
    method: 'GET',
    path: '/api/redemption/search',
    access: 'admin',
    query: listQuery,
    data: pageOf(redemption),
  }),
  get: defineCall({
    method: 'GET',
    path: '/api/redemption/:id',
    access: 'admin',
    params: idParams,
    data: redemption,
  }),
  /** Makes `count` codes of one name and quota, all or none; answers their keys. */
  create: defineCall({
    method: 'POST',
    path: '/api/redemption/',
    access: 'admin',
    body: redemptionCreateBody,
    data: z.array(z.string()),
  }),
  /** Edits an unused code, or with `?status_only=true` disables or enables one that is not used. */
  update: defineCall({
    method: 'PUT',
    path: '/api/redemption/',
    access: 'admin',
    query: z.object({ status_only: queryFlag }),
    body: redemptionUpdateBody,
    data: redemption,
  }),
  delete: defineCall({
    method: 'DELETE',
    path: '/api/redemption/:id',
    access: 'admin',
    params: idParams,
    data: emptyData,
  }),
  /** Does the same to many codes; `data` is how many it was done to. */
  bulk: defineCall({
    method: 'POST',
    path: '/api/redemption/batch',
    access: 'admin',
    body: z.object({
      ids: z.array(z.number().int().positive()).min(1).max(redemptionBulkMaximum),
      action: z.enum(['delete', 'disable', 'enable']).default('delete'),
    }),
    data: z.number().int(),
    extra: bulkOutcomes,
  }),
}
