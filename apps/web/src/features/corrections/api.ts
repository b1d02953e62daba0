import { queryOptions } from '@tanstack/react-query'
import { type CorrectionSelection, calls } from '@tollgate/api'
import { request } from '../../lib/api/api-client.ts'
import type { CorrectionsSearch } from './search.ts'

export const correctionsQuery = queryOptions({
  queryKey: ['corrections', 'list'],
  queryFn: ({ signal }) => request(calls.corrections.list, { query: { page_size: 100 }, signal }),
})

export const progressQuery = queryOptions({
  queryKey: ['corrections', 'progress'],
  queryFn: ({ signal }) => request(calls.corrections.progress, { signal }),
})

export const pricedModelsQuery = queryOptions({
  queryKey: ['corrections', 'models'],
  queryFn: ({ signal }) => request(calls.modelPrices.list, { signal }),
})

export const ratedGroupsQuery = queryOptions({
  queryKey: ['corrections', 'groups'],
  queryFn: ({ signal }) => request(calls.groups.list, { signal }),
})

export const previewCorrection = (body: CorrectionSelection) => request(calls.corrections.preview, { body })

export const applyCorrection = (body: CorrectionSelection & { reason: string; confirmation: string }) =>
  request(calls.corrections.apply, { body })

export const takeCorrectionBack = (id: number, reason: string) =>
  request(calls.corrections.takeBack, { params: { id }, body: { reason } })

/** `undefined` until the span has both its ends. */
export function selectionOf({
  model,
  channel,
  group,
  user,
  from,
  to,
}: CorrectionsSearch): CorrectionSelection | undefined {
  if (from === undefined || to === undefined) return undefined
  return {
    from,
    to,
    ...(model !== undefined && { model_name: model }),
    ...(channel !== undefined && { channel }),
    ...(group !== undefined && { group }),
    ...(user !== undefined && { username: user }),
  }
}
