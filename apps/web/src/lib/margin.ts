import { queryOptions } from '@tanstack/react-query'
import { calls, type MarginFigures, type MarginKind } from '@tollgate/api'
import { request } from './api/api-client.ts'
import { formatPercent } from './format/format.ts'
import { secondsNow } from './server-clock.ts'

/** Remainder of charges after their cost; of calls whose cost is known alone. */
export interface MarginVisible {
  /** Quota units; below zero for a loss. */
  readonly margin: number
  /** Share of the charge; `undefined` where nothing was charged. */
  readonly rate: number | undefined
  /** Share of all calls whose cost is known, from 0 to 1. */
  readonly known: number
}

/** `undefined` where the cost of no call is known. */
export function marginOf(sums: MarginFigures): MarginVisible | undefined {
  const { calls: all, costed_calls: costed, costed_quota: charged, cost } = sums
  if (costed === 0) return undefined
  return { margin: charged - cost, rate: marginRate(charged, cost), known: costed / all }
}

/** The margin as a share of the charge. */
export function marginRate(charged: number, cost: number): number | undefined {
  return charged > 0 ? (charged - cost) / charged : undefined
}

/** Losses far beyond the charge say no more than that. */
const maxLoss = -9.99

/** `34 %`; a loss has a minus sign. */
export function formatMarginRate(rate: number): string {
  if (rate < maxLoss) return '< -999\u00a0%'
  return rate < 0 ? `-${formatPercent(-rate)}` : formatPercent(rate)
}

const refreshMs = 60_000
const day = 86_400

export interface MarginRequested {
  readonly by: MarginKind
  readonly days: number
  /** One channel or user, or one model. */
  readonly id?: number
  readonly model_name?: string
  readonly limit?: number
}

/** Charges and costs of the last days, and their times. For administrators alone. */
export function marginQuery({ days, ...requested }: MarginRequested) {
  return queryOptions({
    queryKey: ['margin', { days, ...requested }],
    queryFn: async ({ signal }) => {
      const to = Math.floor(secondsNow())
      const range = { from: to - days * day, to }
      const query = { ...requested, start_timestamp: range.from, end_timestamp: to }
      return { ...(await request(calls.margins.list, { query, signal })), ...range }
    },
    refetchInterval: refreshMs,
  })
}
