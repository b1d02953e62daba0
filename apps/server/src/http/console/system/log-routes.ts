import { type Language, logs } from '@tollgate/api'
import type { ReaderClock } from '@tollgate/api/calendar'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { FailedCalls } from '../../../gateway/failed-calls/failed-calls.ts'
import type { LogClearer } from '../../../records/logs/clear-log.ts'
import type { ExportReader, LogExport } from '../../../records/logs/export-log.ts'
import type { LogOverview } from '../../../records/logs/log-overview.ts'
import type { DisplaySettings } from '../../../records/logs/log-reader.ts'
import type { LogsFound, UsageLog } from '../../../records/logs/usage-log.ts'
import { csvFile, exportRecord } from '../csv-file.ts'
import { type ConsoleRoute, route } from '../route.ts'

interface Dependencies {
  readonly usageLog: UsageLog
  readonly logOverview: LogOverview
  readonly logExport: LogExport
  readonly clearer: LogClearer
  readonly failedCalls: Pick<FailedCalls, 'find'>
  readonly settings: DisplaySettings
  readonly clock: Clock
}

/** Usage log and its statistics: for administrators, for users about themselves, and for a key about itself. */
export function logRoutes(dependencies: Dependencies): ConsoleRoute[] {
  const { usageLog, logOverview, logExport, clearer, failedCalls, settings, clock } = dependencies
  const readerOf = ({ utc_offset, time_zone }: ReaderClock, language: Language): ExportReader => ({
    language,
    utc_offset,
    time_zone,
    quotaPerUnit: settings.current.QuotaPerUnit,
  })
  return [
    route(logs.list, ({ query }, { language }) => usageLog.list(query, language)),
    route(logs.listSelf, ({ query }, { caller, language }) =>
      usageLog.listOwn(caller.userId, query, language),
    ),
    route(logs.top, ({ query }, { language }) => usageLog.top(query, language)),
    route(logs.topSelf, ({ query }, { caller, language }) => usageLog.topOwn(caller.userId, query, language)),
    route(logs.stat, ({ query }) => usageLog.stat(query)),
    route(logs.statSelf, ({ query }, { caller }) => usageLog.statOwn(caller.userId, query)),
    route(logs.histogram, ({ query }) => logOverview.histogram(query)),
    route(logs.histogramSelf, ({ query }, { caller }) => logOverview.histogramOwn(caller.userId, query)),
    route(logs.failures, ({ query }) => logOverview.failures(query)),
    route(logs.failuresSelf, ({ query }, { caller }) => logOverview.failuresOwn(caller.userId, query)),
    route(logs.retained, async ({ query }) => ({
      expires_at: (await failedCalls.find(query.request_id ?? ''))?.expiresAt ?? 0,
    })),
    route(logs.search, async ({ query }, { language }) =>
      found(await usageLog.search(query.keyword ?? '', language)),
    ),
    route(logs.searchSelf, async ({ query }, { caller, language }) =>
      found(await usageLog.searchOwn(caller.userId, query.keyword ?? '', language)),
    ),
    route(logs.listOfKey, async ({ query }, { caller, language }) => {
      const { items, total } = await usageLog.listOfKey(caller.tokenId, query, language)
      return { data: items, extra: { total } }
    }),
    route(logs.export, ({ query }, { language }) => {
      const { utc_offset: _offset, time_zone: _zone, ...filter } = query
      const stream = logExport.all(filter, readerOf(query, language))
      return {
        ...csvFile('log', stream, query, unixSeconds(clock)),
        ...exportRecord('log.export', { kind: 'log', name: 'usage log' }, query),
      }
    }),
    route(logs.exportSelf, ({ query }, { caller, language }) =>
      csvFile(
        'log',
        logExport.own(caller.userId, query, readerOf(query, language)),
        query,
        unixSeconds(clock),
      ),
    ),
    route(logs.clear, ({ query }, { actor }) => clearer.clear(actor, query.target_timestamp)),
    route(logs.clearProgress, () => clearer.progress()),
    route(logs.cancelClear, (_, { actor }) => clearer.cancel(actor)),
  ]
}

function found({ items, total, complete }: LogsFound) {
  return { data: items, extra: { total, complete } }
}
