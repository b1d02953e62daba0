import { useQuery } from '@tanstack/react-query'
import { channelsQuery, overviewQuery, summaryQuery } from '../api.ts'
import { daysLeft, hasHighErrorRate, lowBalanceDays } from '../rates.ts'
import { channelProblem } from './channel-problem.ts'
import { expiringKeys } from './expiring-keys.ts'

/** Everything that may be wrong, for administrators with the channels; `undefined` until all of it is known. */
export function useProblems(admin: boolean) {
  const overview = useQuery(overviewQuery)
  const summary = useQuery(summaryQuery(admin))
  const channels = useQuery({ ...channelsQuery, enabled: admin })
  const queries = [overview, summary, ...(admin ? [channels] : [])]
  const self = overview.data
  const failingChannels =
    channels.data?.rows.filter((channel) => channelProblem(channel, 'en') !== undefined) ?? []
  const keys = self ? [...self.keys.exhausted, ...self.keys.expired] : []
  const working = self ? [...self.keys.ends_first, ...self.keys.least_left] : []
  // The figures of administrators are everybody's: they say nothing of their own balance.
  const spent = admin ? 0 : (summary.data?.week.quota ?? 0)
  const days = self && daysLeft(self.quota, spent)
  return {
    self,
    summary: summary.data,
    spentInWeek: spent,
    failingChannels,
    keys,
    proxy: self?.untrusted_proxy ?? '',
    expiring: expiringKeys(working, Date.now() / 1000),
    isShort: self !== undefined && (self.quota <= 0 || (days !== undefined && days < lowBalanceDays)),
    isFailing: summary.data !== undefined && hasHighErrorRate(summary.data.today),
    known: queries.every(({ data }) => data !== undefined),
    error: queries.find(({ data, error }) => data === undefined && error)?.error,
    retry(): void {
      for (const query of queries) if (query.error) void query.refetch()
    },
  }
}
