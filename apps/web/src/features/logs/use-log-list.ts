import { type QueryClient, useQuery } from '@tanstack/react-query'
import { preloadList, useList } from '../../components/list/index.ts'
import { currentUser, hasPart, useUser } from '../../lib/session/session.ts'
import { freshMs, type LogSort, logHistogramQuery, logStatQuery, logsSource } from './api.ts'
import { isOfCalls, type LogFilter } from './log-filter.ts'

/** Interval at which a watched list is read again; hidden tabs pause. */
const watchEveryMs = 5000

const listOptions = { defaultPageSize: 50, staleMs: freshMs }

/** Reads what `useLogList` asks for first. */
export function preloadLogList(
  client: QueryClient,
  filter: LogFilter,
  page: number | undefined,
  sort: LogSort | undefined,
): void {
  const view = { admin: hasPart(currentUser(), 'log'), filter, sort }
  preloadList(client, logsSource(view), { page }, listOptions)
  void client.prefetchQuery(logStatQuery(view))
  if (isOfCalls(filter)) void client.prefetchQuery(logHistogramQuery(view))
}

/** The rows on screen with their figures, read once or followed. */
export function useLogList(
  filter: LogFilter,
  page: number | undefined,
  following: boolean,
  sort: LogSort | undefined,
) {
  const admin = hasPart(useUser(), 'log')
  const refreshMs = following ? watchEveryMs : false
  const list = useList(logsSource({ admin, filter, sort }), { page }, { ...listOptions, refreshMs })
  const stat = useQuery({ ...logStatQuery({ admin, filter }), refetchInterval: refreshMs })
  const histogram = useQuery({ ...logHistogramQuery({ admin, filter }), refetchInterval: refreshMs })
  return {
    ...list,
    admin,
    stat: stat.data,
    histogram,
    refresh(): void {
      list.refresh()
      void stat.refetch()
      if (isOfCalls(filter)) void histogram.refetch()
    },
  }
}

export type LogList = ReturnType<typeof useLogList>
