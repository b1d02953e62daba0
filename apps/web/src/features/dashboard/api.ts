import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import type { ChoicesQuery } from '../../components/list/list-filters.tsx'
import { request, requestWithExtra } from '../../lib/api/api-client.ts'
import type { KnownSummary } from '../../lib/figures/figure.ts'
import { timesOf } from '../../lib/format/range-times.ts'
import { clockHere } from '../../lib/format/reader-clock.ts'
import type { TimeRange } from '../../lib/format/time-range.ts'
import { dateNow } from '../../lib/server-clock.ts'
import { currentUser, hasPart } from '../../lib/session/session.ts'
import type { DashboardSearch } from './search.ts'
import { chartTimes, granularityFor, type RecentRange } from './usage/chart-times.ts'

/** Often enough to notice what breaks, seldom enough to cost nothing. */
const watchEveryMs = 30_000
const figuresEveryMs = 60_000

/** Everybody's figures for administrators, with channels; one's own for everyone else. */
export type Summary = KnownSummary

export function summaryQuery(admin: boolean) {
  return queryOptions({
    queryKey: ['dashboard', 'summary', { admin }],
    queryFn: ({ signal }): Promise<Summary> =>
      request(admin ? calls.usageData.summary : calls.usageData.summarySelf, {
        query: clockHere(),
        signal,
      }),
    refetchInterval: figuresEveryMs,
  })
}

/** The own balance, and the own keys that need a look. */
export const overviewQuery = queryOptions({
  queryKey: ['user', 'self', 'overview'],
  queryFn: ({ signal }) => request(calls.users.overview, { signal }),
  // A user who has just created a key sees that step done.
  staleTime: 0,
  refetchInterval: watchEveryMs,
})

/** Reads whether there is a channel. */
export const anyChannelQuery = queryOptions({
  queryKey: ['channels', 'any'],
  queryFn: async ({ signal }) => {
    const query = { p: 0, page_size: 1 } as const
    return (await requestWithExtra(calls.channels.list, { query, signal })).extra.total > 0
  },
})

/** Reads whether a call of some model would be routed and priced. */
export const anyPriceQuery = queryOptions({
  queryKey: ['pricing', 'any'],
  queryFn: async ({ signal }) =>
    (await request(calls.pricing.list, { signal })).some(({ available }) => available),
})

export interface UsageView {
  readonly admin: boolean
  readonly search: Pick<DashboardSearch, 'range' | 'from' | 'to' | 'by' | 'user'>
  readonly defaultRange: TimeRange
}

/** Rows of the charts with the times and steps that they are of. Times count back from the moment of the call. */
export function usageQuery({ admin, search, defaultRange }: UsageView) {
  const { user, by, ...times } = search
  return queryOptions({
    queryKey: ['dashboard', 'usage', { admin, user, by, times, defaultRange }],
    queryFn: async ({ signal }) => {
      const { from, to } = chartTimes(times, defaultRange, dateNow())
      const query = {
        start_timestamp: from,
        end_timestamp: to,
        granularity: by ?? granularityFor({ from, to }),
        ...clockHere(),
      }
      const { data, extra } = admin
        ? await requestWithExtra(calls.usageData.list, { query: { ...query, username: user }, signal })
        : await requestWithExtra(calls.usageData.listSelf, { query, signal })
      return { rows: data, granularity: extra.granularity, from, to }
    },
    placeholderData: keepPreviousData,
    refetchInterval: figuresEveryMs,
  })
}

export interface RecentView {
  readonly admin: boolean
  readonly range: RecentRange
  /** User of the calls, for administrators; everybody's when absent. */
  readonly user: string | undefined
}

/** Calls and errors of the last minutes, and what the calls cost. */
export function recentUsageQuery({ admin, range, user }: RecentView) {
  return queryOptions({
    queryKey: ['dashboard', 'recent', { admin, range, user }],
    queryFn: async ({ signal }) => {
      const { from = 0, to = 0 } = timesOf({ range }, dateNow())
      const query = {
        start_timestamp: from,
        end_timestamp: to,
        ...(admin && user !== undefined && { username: user }),
      }
      const [histogram, { quota }] = await Promise.all([
        request(admin ? calls.logs.histogram : calls.logs.histogramSelf, {
          query: { ...query, ...clockHere() },
          signal,
        }),
        request(admin ? calls.logs.stat : calls.logs.statSelf, { query, signal }),
      ])
      return { histogram, quota, from, to, user }
    },
    placeholderData: keepPreviousData,
    refetchInterval: watchEveryMs,
  })
}

export const userChoicesQuery: ChoicesQuery = {
  queryKey: ['dashboard', 'choices', 'users'],
  queryFn: async ({ signal }) => {
    if (!hasPart(currentUser(), 'users')) return []
    const query = { p: 1, page_size: 100, sort: 'used_quota', order: 'desc' } as const
    const { items } = await request(calls.userAdmin.list, { query, signal })
    return items.map(({ username, display_name }) => ({ value: username, hint: display_name }))
  },
}
