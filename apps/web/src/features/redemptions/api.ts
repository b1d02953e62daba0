import {
  calls,
  type RedemptionCreateBody,
  type RedemptionUpdateBody,
  type WireRedemption,
} from '@tollgate/api'
import { type ListSource, orderOf, resourceApi } from '../../components/list/index.ts'
import { request, requestWithExtra } from '../../lib/api/api-client.ts'

const queryKey = ['redemptions'] as const

export const redemptionApi = resourceApi<WireRedemption>(queryKey, {
  get: (id, signal) => request(calls.redemptions.get, { params: { id }, signal }),
  setStatus: (id, status) =>
    request(calls.redemptions.update, { query: { status_only: true }, body: { id, status } }),
  remove: (id) => request(calls.redemptions.delete, { params: { id } }),
  changeMany: (action, ids) => requestWithExtra(calls.redemptions.bulk, { body: { action, ids } }),
})

/** Creates codes of one kind, all or none; returns them. */
export const createRedemptions = (body: RedemptionCreateBody) => request(calls.redemptions.create, { body })
export const updateRedemption = (body: RedemptionUpdateBody) => request(calls.redemptions.update, { body })

export interface RedemptionFilter {
  /** Beginning of a name, or an id. */
  readonly keyword?: string | undefined
  readonly status?: number | undefined
}

/** Codes as administrators see them; by default the newest come first. */
export function redemptionsSource(filter: RedemptionFilter): ListSource<WireRedemption> {
  const call = filter.keyword === undefined ? calls.redemptions.list : calls.redemptions.search
  return {
    queryKey,
    filter,
    async read({ page, pageSize, sort }, signal) {
      const query = { ...filter, p: page, page_size: pageSize, ...orderOf(sort) }
      const { items, total } = await request(call, { query, signal })
      return { rows: items, total }
    },
  }
}
