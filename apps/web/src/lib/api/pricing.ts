import { queryOptions } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { request, requestWithExtra } from './api-client.ts'

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

/** Measured speed and availability of the models, where the operator shows them. */
export function performanceQuery(userId: number | undefined) {
  return queryOptions({
    queryKey: ['pricing', userId, 'performance'],
    queryFn: ({ signal }) => request(calls.pricing.performance, { signal }),
    staleTime: 600_000,
  })
}

/** Prices of all models, with the groups of the reader. */
export type Pricing = Awaited<ReturnType<NonNullable<ReturnType<typeof pricingQuery>['queryFn']>>>
