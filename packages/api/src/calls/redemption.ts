import { z } from 'zod'
import { redemptionResource } from '../resources/redemption.ts'
import { secretText } from '../secret-fields.ts'
import {
  bulkOutcomes,
  editBase,
  emptyData,
  idParams,
  oneBasedPage,
  pageOf,
  pageSize,
  queryFlag,
  queryInteger,
  queryText,
} from '../wire.ts'
import { del, get, post, put } from './define.ts'

export const redemptionBatchMax = 100
export const redemptionBulkMax = 1000

export const redemption = redemptionResource.wire.extend({
  /** Always 0: it has a meaning only in the body that creates codes. */
  count: z.literal(0),
  DeletedAt: z.null(),
})
/** A redemption code on the wire, with its key. */
export type WireRedemption = z.output<typeof redemption>

export const redemptionCreateBody = redemptionResource.createBody.extend({
  count: z.number().int().default(1),
})
/** A batch of new codes of one name and quota. */
export type RedemptionCreateBody = z.output<typeof redemptionCreateBody>

/** Absent fields stay as they are. With `?status_only=true` only `status` is read. */
export const redemptionUpdateBody = z
  .object({ id: z.number().int().positive(), status: z.number().int().optional() })
  .extend(redemptionResource.updateBody.shape)
  .extend({ base: editBase })
/** A code’s id and the fields that change. */
export type RedemptionUpdateBody = z.output<typeof redemptionUpdateBody>

const listQuery = z.object({
  p: oneBasedPage,
  page_size: pageSize,
  /** 1 unused, 2 disabled, 3 used. */
  status: queryInteger,
  /** Start of the name, whatever its case; a number also matches an id. */
  keyword: queryText,
  ...redemptionResource.sortQuery,
})
/** Page, order and filters of the codes. */
export type RedemptionQuery = z.output<typeof listQuery>

export const redemptions = {
  list: get('admin', '/api/redemption/', {
    part: 'money',
    recentProof: 'reads',
    query: listQuery,
    data: pageOf(redemption),
  }),
  search: get('admin', '/api/redemption/search', {
    part: 'money',
    recentProof: 'reads',
    query: listQuery,
    data: pageOf(redemption),
  }),
  get: get('admin', '/api/redemption/:id', {
    part: 'money',
    recentProof: 'reads',
    params: idParams,
    data: redemption,
  }),
  /** Creates `count` codes of one name and quota, all or none; returns their keys. */
  create: post('admin', '/api/redemption/', {
    part: 'money',
    recentProof: 'operates',
    body: redemptionCreateBody,
    data: z.array(secretText()),
  }),
  /** Edits an unused code, or with `?status_only=true` disables or enables one that is not used. */
  update: put('admin', '/api/redemption/', {
    part: 'money',
    recentProof: 'operates',
    query: z.object({ status_only: queryFlag }),
    body: redemptionUpdateBody,
    data: redemption,
  }),
  delete: del('admin', '/api/redemption/:id', {
    part: 'money',
    recentProof: 'withdraws',
    params: idParams,
    data: emptyData,
  }),
  /** Changes many codes alike; `data` is the number of changed ones. */
  bulk: post('admin', '/api/redemption/batch', {
    part: 'money',
    recentProof: 'operates',
    body: z.object({
      ids: z.array(z.number().int().positive()).min(1).max(redemptionBulkMax),
      action: z.enum(['delete', 'disable', 'enable']).default('delete'),
    }),
    data: z.number().int(),
    extra: bulkOutcomes,
  }),
}
