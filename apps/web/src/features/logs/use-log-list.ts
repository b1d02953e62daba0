import { useQuery } from '@tanstack/react-query'
import { usePageSize } from '../../lib/page-size.ts'
import { isAdmin, useUser } from '../../lib/session.ts'
import { logStatQuery, logsQuery } from './api.ts'
import type { LogFilter } from './log-filter.ts'

/** How often a list that is watched is read again; hidden tabs rest. */
const watchEveryMs = 5000

/** The rows on screen with their figures, read once or followed. */
export function useLogList(filter: LogFilter, page: number, following: boolean) {
  const admin = isAdmin(useUser())
  const [pageSize, setPageSize] = usePageSize()
  const refetchInterval = following ? watchEveryMs : false
  const rows = useQuery({ ...logsQuery({ admin, filter, page, pageSize }), refetchInterval })
  const stat = useQuery({ ...logStatQuery({ admin, filter }), refetchInterval })
  return {
    admin,
    rows: rows.data?.items,
    total: rows.data?.total,
    stat: stat.data,
    page,
    pageSize,
    setPageSize,
    error: rows.error,
    refreshing: rows.isPlaceholderData,
    fetching: rows.isFetching,
    refresh: () => {
      void rows.refetch()
      void stat.refetch()
    },
  }
}

export type LogList = ReturnType<typeof useLogList>
