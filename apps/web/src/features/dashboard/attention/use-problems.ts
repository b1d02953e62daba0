import { useQuery } from '@tanstack/react-query'
import { tokenStatuses } from '@tollgate/api'
import { channelsQuery, endsQuery, keysQuery, selfQuery, summaryQuery } from '../api.ts'
import { daysLeft, fewDays, isWorrying } from '../rates.ts'
import { channelProblem } from './channel-problem.ts'
import { endingKeys } from './ending-keys.ts'

/** Everything that may be wrong, for administrators with the channels; `undefined` until all of it is known. */
export function useProblems(admin: boolean) {
  const self = useQuery(selfQuery)
  const summary = useQuery(summaryQuery(admin))
  const channels = useQuery({ ...channelsQuery, enabled: admin })
  const exhausted = useQuery(keysQuery(tokenStatuses.exhausted))
  const expired = useQuery(keysQuery(tokenStatuses.expired))
  const byDate = useQuery(endsQuery('expired_time'))
  const byBudget = useQuery(endsQuery('remain_quota'))
  const queries = [self, summary, exhausted, expired, byDate, byBudget, ...(admin ? [channels] : [])]
  const sick = channels.data?.rows.filter((channel) => channelProblem(channel, 'en') !== undefined) ?? []
  const keys = [...(exhausted.data?.rows ?? []), ...(expired.data?.rows ?? [])]
  // The figures of administrators are everybody's: they say nothing of their own balance.
  const spent = admin ? 0 : (summary.data?.week.quota ?? 0)
  const days = self.data && daysLeft(self.data.quota, spent)
  return {
    self: self.data,
    summary: summary.data,
    spentInWeek: spent,
    sick,
    keys,
    ending: endingKeys([...(byDate.data ?? []), ...(byBudget.data ?? [])], Date.now() / 1000),
    isShort: self.data !== undefined && (self.data.quota <= 0 || (days !== undefined && days < fewDays)),
    isFailing: summary.data !== undefined && isWorrying(summary.data.today),
    known: queries.every(({ data }) => data !== undefined),
    error: queries.find(({ data, error }) => data === undefined && error)?.error,
    retry(): void {
      for (const query of queries) if (query.error) void query.refetch()
    },
  }
}
