import { queryOptions } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { requestWithExtra } from './api-client.ts'

/** All models with their prices. Another list for each person, because groups differ. */
export function pricingQuery(userId: number | undefined) {
  return queryOptions({
    queryKey: ['pricing', userId],
    queryFn: async ({ signal }) => {
      const { data, extra } = await requestWithExtra(calls.pricing.list, { signal })
      return { rows: data, ...extra }
    },
    staleTime: 60_000,
  })
}

export type Pricing = Awaited<ReturnType<NonNullable<ReturnType<typeof pricingQuery>['queryFn']>>>
