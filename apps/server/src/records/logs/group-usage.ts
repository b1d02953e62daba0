import type { GroupUsage } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { UsageRepository } from '../../store/log/usage.ts'

const days = 30
const secondsPerDay = 86_400
/** Each group is two reads of the log's index. */
const maxGroups = 100

interface Dependencies {
  readonly usage: Pick<UsageRepository, 'page' | 'sumQuota'>
  readonly clock: Clock
}

/** Sums up the charged calls of the last 30 days in each of these groups, one after the other. */
export async function readGroupUsage(
  { usage, clock }: Dependencies,
  groups: readonly string[],
): Promise<readonly GroupUsage[]> {
  const from = unixSeconds(clock) - days * secondsPerDay
  const sums: GroupUsage[] = []
  for (const group of groups.slice(0, maxGroups)) {
    const filter = { type: 'consumption', group, from } as const
    const { total: calls } = await usage.page(filter, 1, 1)
    if (calls > 0) sums.push({ name: group, calls, quota: await usage.sumQuota(filter), since: from })
  }
  return sums
}
