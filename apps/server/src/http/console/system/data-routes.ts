import { usageData as calls, type ModelChannelCost, margins as marginCalls } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { CostQuery } from '../../../models/model-costs.ts'
import type { Margins } from '../../../telemetry/statistics/margin.ts'
import type { Spend } from '../../../telemetry/statistics/spend.ts'
import type { DataRows, UsageData } from '../../../telemetry/statistics/usage-data.ts'
import type { UsageSummaries } from '../../../telemetry/statistics/usage-summary.ts'
import { csvFile, exportRecord } from '../csv-file.ts'
import { type ConsoleRoute, pageWindow, route } from '../route.ts'

interface Dependencies {
  readonly usageData: UsageData
  readonly summaries: UsageSummaries
  readonly spend: Spend
  readonly margins: Margins
  readonly clock: Clock
  readonly costs: (query: CostQuery) => ModelChannelCost[]
}

/** Routes of the dashboard's data, for administrators and for oneself. */
export function dataRoutes(deps: Dependencies): ConsoleRoute[] {
  const { usageData, summaries, spend, margins, costs, clock } = deps
  return [
    route(calls.list, async ({ query }) => withGranularity(await usageData.all(query))),
    route(calls.listSelf, async ({ query }, { caller }) =>
      withGranularity(await usageData.own(caller, query)),
    ),
    route(calls.spend, ({ query }) => spend.table(query, pageWindow(query))),
    route(calls.exportSpend, ({ query }, { language }) => {
      const period = { ...query, ...spend.periodOf(query) }
      return {
        ...csvFile('spend', spend.export(period, language), period, unixSeconds(clock)),
        ...exportRecord('log.export-spend', { kind: 'log', name: 'spend' }, query),
      }
    }),
    route(calls.summary, ({ query }) => summaries.all(query)),
    route(marginCalls.list, ({ query }) => margins(query)),
    route(marginCalls.costs, ({ query }) => costs(query)),
    route(calls.summarySelf, ({ query }, { caller }) => summaries.own(caller.userId, query)),
  ]
}

function withGranularity({ rows, granularity }: DataRows) {
  return { data: rows, extra: { granularity } }
}
