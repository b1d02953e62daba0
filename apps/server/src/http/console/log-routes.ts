import { logs } from '@tollgate/api'
import type { UsageLog } from '../../logs/usage-log.ts'
import { type ConsoleRoute, route } from './route.ts'

/** Usage log and its statistics, for administrators and for oneself. */
export function logRoutes({ usageLog }: { readonly usageLog: UsageLog }): ConsoleRoute[] {
  return [
    route(logs.list, async ({ query }) => ({ data: await usageLog.list(query) })),
    route(logs.listSelf, async ({ query }, { caller }) => ({
      data: await usageLog.listOwn(caller.userId, query),
    })),
    route(logs.stat, async ({ query }) => ({ data: await usageLog.stat(query) })),
    route(logs.statSelf, async ({ query }, { caller }) => ({
      data: await usageLog.statOwn(caller.userId, query),
    })),
  ]
}
