import { type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  calls,
  type RedemptionCreateBody,
  type RedemptionUpdateBody,
  type RowOutcome,
  type WireRedemption,
} from '@tollgate/api'
import { type ListSource, listCache, orderOf, type StatusAction } from '../../components/list/index.ts'
import { request, requestWithExtra } from '../../lib/api-client.ts'

const queryKey = ['redemptions'] as const

/** Every page of codes in memory. */
export const redemptionLists = listCache<WireRedemption>(queryKey)

export interface RedemptionFilter {
  /** Beginning of a name, or an id. */
  readonly keyword?: string | undefined
  readonly status?: number | undefined
}

/** Codes as administrators see them, newest first unless told. */
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

/** One code: at once as the list knows it, then as the server does. */
export function redemptionQuery(client: QueryClient, id: number) {
  return queryOptions({
    queryKey: [...queryKey, 'one', id],
    queryFn: ({ signal }) => request(calls.redemptions.get, { params: { id }, signal }),
    placeholderData: () => redemptionLists.find(client, id),
    staleTime: 0,
    gcTime: 0,
  })
}

/** Makes codes of one kind, all or none; answers them. */
export function createRedemptions(body: RedemptionCreateBody): Promise<readonly string[]> {
  return request(calls.redemptions.create, { body })
}

export function updateRedemption(body: RedemptionUpdateBody): Promise<WireRedemption> {
  return request(calls.redemptions.update, { body })
}

/** Unused (1) or disabled (2), and changes nothing else. */
export function setRedemptionStatus(id: number, status: number): Promise<WireRedemption> {
  return request(calls.redemptions.update, { query: { status_only: true }, body: { id, status } })
}

export function deleteRedemption(id: number): Promise<undefined> {
  return request(calls.redemptions.delete, { params: { id } })
}

/** The same to many codes by one call. */
export async function changeRedemptions(
  action: StatusAction,
  ids: readonly number[],
): Promise<readonly RowOutcome[]> {
  const { extra } = await requestWithExtra(calls.redemptions.bulk, { body: { action, ids: [...ids] } })
  return extra.outcomes
}
