import { usageData as calls, type ModelChannelCost, margins as marginCalls } from '@tollgate/api'
import type { CostQuery } from '../../../billing/pricing/model-costs.ts'
import type { Margins } from '../../../statistics/margin.ts'
import type { DataRows, UsageData } from '../../../statistics/usage-data.ts'
import type { UsageSummaries } from '../../../statistics/usage-summary.ts'
import { type ConsoleRoute, route } from '../route.ts'

interface Dependencies {
  readonly usageData: UsageData
  readonly summaries: UsageSummaries
  readonly margins: Margins
  readonly costs: (query: CostQuery) => ModelChannelCost[]
}

/** What the dashboard shows, for administrators and for oneself. */
export function dataRoutes({ usageData, summaries, margins, costs }: Dependencies): ConsoleRoute[] {
  return [
    route(calls.list, async ({ query }) => withGranularity(await usageData.all(query))),
    route(calls.listSelf, async ({ query }, { caller }) =>
      withGranularity(await usageData.own(caller, query)),
    ),
    route(calls.summary, ({ query }) => summaries.all(query.utc_offset)),
    route(marginCalls.list, ({ query }) => margins(query)),
    route(marginCalls.costs, ({ query }) => costs(query)),
    route(calls.summarySelf, ({ query }, { caller }) => summaries.own(caller.userId, query.utc_offset)),
  ]
}

function withGranularity({ rows, granularity }: DataRows) {
  return { data: rows, extra: { granularity } }
}
