import { z } from 'zod'
import { tokenResource } from '../resources/token.ts'
import { secretText } from '../secret-fields.ts'
import {
  bulkOutcomes,
  editBase,
  emptyData,
  idParams,
  listTotal,
  maxPageSize,
  pageSize,
  queryFlag,
  queryInteger,
  queryText,
  unixSeconds,
  zeroBasedPage,
} from '../wire.ts'
import { callsOfWeek, clockOnly } from './data.ts'
import { del, get, post, put } from './define.ts'

export const tokenKeyLength = 48

/** Prefix that programs send in front of a key. */
export const keyPrefix = 'sk-'

/**
 * A key as its owner sees it. With `TokenKeyMaskingEnabled` `key` has `keyMask` between its ends, except in the
 * response that creates it.
 */
export const token = tokenResource.wire.extend({ DeletedAt: z.null() })
/** An API key on the wire, its key masked where the operator wants it. */
export type Token = z.output<typeof token>

/** Fields that a caller may not set (key, used_quota, times) are accepted and ignored. */
export const tokenCreateBody = tokenResource.createBody
/** A new API key. */
export type TokenCreateBody = z.output<typeof tokenCreateBody>

/** Absent fields stay as they are. With `?status_only=true` only `status` is read. */
export const tokenUpdateBody = z
  .object({ id: z.number().int().positive(), status: z.number().int().optional() })
  .extend(tokenResource.updateBody.shape)
  .extend({ base: editBase })
/** An API key’s id and the fields that change. */
export type TokenUpdateBody = z.output<typeof tokenUpdateBody>

const filters = {
  /** Part of the name. */
  keyword: queryText,
  /** A complete key, with or without `sk-`, or the visible parts of a masked one: `abcd`, `wxyz`, `sk-abcd…wxyz`. */
  token: queryText,
  /** The displayed status: 1 to 4. */
  status: queryInteger,
  ...tokenResource.sortQuery,
}

const searchPageSize = queryInteger.transform((size) =>
  size === undefined || size < 1 ? maxPageSize : Math.min(size, maxPageSize),
)

const ids = z.array(z.number().int().positive()).min(1).max(1000)
/** Programs that send ids alone mean to delete. */
export const tokenBatchBody = z.object({
  ids,
  action: z.enum(['enable', 'disable', 'delete']).default('delete'),
})
/** Changes that several API keys get at once. */
export type TokenBatchBody = z.output<typeof tokenBatchBody>

/** Longest time for which a replaced key may work beside its successor: 30 days. */
export const maxKeyOverlapSeconds = 30 * 86_400
/** Replaced keys of one that may work at the same time. */
export const maxFormerKeys = 5

/** A key that a rotation replaced, and that works until `ends_at`. */
export const formerKey = z.object({
  /** With its middle masked. */
  key: z.string(),
  replaced_at: unixSeconds,
  ends_at: unixSeconds,
})
/** A replaced key that still works. */
export type FormerKeyRow = z.output<typeof formerKey>

/** The balance of the calling key, in quota units, as programs look it up. */
export const tokenUsage = z.object({
  object: z.literal('token_usage'),
  name: z.string(),
  /** Sum of the remaining and the used quota. */
  total_granted: z.number().int(),
  total_used: z.number().int(),
  total_available: z.number().int(),
  unlimited_quota: z.boolean(),
  /** The models that it may call, where it is limited to some. */
  model_limits: z.record(z.string(), z.literal(true)),
  model_limits_enabled: z.boolean(),
  /** Unix seconds; 0 for never. */
  expires_at: z.number().int(),
})
/** Remaining quota of a key. */
export type TokenUsage = z.output<typeof tokenUsage>

/** The console never says `page_size` here. */
const zeroBased = { size: 'size', marks: ['size'] } as const

export const tokens = {
  list: get('user', '/api/token/', {
    recentProof: 'reads',
    query: z.object({ p: zeroBasedPage, size: pageSize, ...filters }),
    zeroBased,
    data: z.array(token),
    extra: listTotal,
  }),
  /** The same list, for programs that send a search without a page: the first hundred. */
  search: get('user', '/api/token/search', {
    recentProof: 'reads',
    query: z.object({ p: zeroBasedPage, size: searchPageSize, ...filters }),
    zeroBased,
    data: z.array(token),
    extra: listTotal,
  }),
  /** Returns how many keys were changed, and an outcome for each. */
  batch: post('user', '/api/token/batch', {
    recentProof: 'uses',
    body: tokenBatchBody,
    data: z.number().int(),
    extra: bulkOutcomes,
  }),
  /** Full keys, whether lists mask them or not; the audit log records each. Leaves out ids of other owners. */
  reveal: post('user', '/api/token/keys', {
    recentProof: 'uses',
    body: z.object({ ids }),
    data: z.array(z.object({ id: z.number().int(), key: secretText() })),
  }),
  /** The same, as an object of keys by their ids. */
  revealBatch: post('user', '/api/token/batch/keys', {
    recentProof: 'uses',
    body: z.object({ ids }),
    data: z.object({ keys: z.record(z.string(), secretText()) }),
  }),
  /** The full key of one. */
  revealOne: post('user', '/api/token/:id/key', {
    recentProof: 'uses',
    params: idParams,
    data: z.object({ key: secretText() }),
  }),
  /** Reads the remaining quota of the calling key; beside `data` stands `code: true`, by which programs know it. */
  usage: get('relay-key', '/api/usage/token', {
    recentProof: 'reads',
    data: tokenUsage,
    extra: z.object({ code: z.literal(true) }),
  }),
  get: get('user', '/api/token/:id', { recentProof: 'reads', params: idParams, data: token }),
  /** By whose fault calls with it failed. Days begin at midnight of the caller's time zone. */
  calls: get('user', '/api/token/:id/calls', {
    recentProof: 'reads',
    params: idParams,
    query: clockOnly,
    data: callsOfWeek,
  }),
  /** Returns the new token with its key: a console needs no second call for it. */
  create: post('user', '/api/token/', { recentProof: 'uses', body: tokenCreateBody, data: token }),
  update: put('user', '/api/token/', {
    recentProof: 'uses',
    query: z.object({ status_only: queryFlag }),
    body: tokenUpdateBody,
    data: token,
  }),
  /** Replaces the key by another text and returns it; quota, limits and log stay. The former text works for the overlap. */
  rotate: post('user', '/api/token/:id/rotate', {
    recentProof: 'uses',
    params: idParams,
    body: z.object({ overlap_seconds: z.number().int().min(0).max(maxKeyOverlapSeconds).default(86_400) }),
    data: token,
  }),
  /** The replaced keys that still work, the last to end first. */
  formerKeys: get('user', '/api/token/:id/former_keys', {
    recentProof: 'reads',
    params: idParams,
    data: z.array(formerKey),
  }),
  /** Ends them at once; returns how many. */
  endFormerKeys: del('user', '/api/token/:id/former_keys', {
    recentProof: 'withdraws',
    params: idParams,
    data: z.number().int(),
  }),
  delete: del('user', '/api/token/:id', { recentProof: 'withdraws', params: idParams, data: emptyData }),
}
