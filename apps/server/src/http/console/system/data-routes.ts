import { usageData as calls } from '@tollgate/api'
import type { DataRows, UsageData } from '../../../statistics/usage-data.ts'
import type { UsageSummaries } from '../../../statistics/usage-summary.ts'
import { type ConsoleRoute, route } from '../route.ts'

interface Dependencies {
  readonly usageData: UsageData
  readonly summaries: UsageSummaries
}

/** What the dashboard shows, for administrators and for oneself. */
export function dataRoutes({ usageData, summaries }: Dependencies): ConsoleRoute[] {
  return [
    route(calls.list, async ({ query }) => withGranularity(await usageData.all(query))),
    route(calls.listSelf, async ({ query }, { caller }) =>
      withGranularity(await usageData.own(caller, query)),
    ),
    route(calls.summary, async ({ query }) => ({ data: await summaries.all(query.utc_offset) })),
    route(calls.summarySelf, async ({ query }, { caller }) => ({
      data: await summaries.own(caller.userId, query.utc_offset),
    })),
  ]
}

function withGranularity({ rows, granularity }: DataRows) {
  return { data: rows, extra: { granularity } }
}
