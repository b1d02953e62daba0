import { useQuery } from '@tanstack/react-query'
import { useLocal, writeLocal } from '../../lib/local-store.ts'
import { usePageSize } from '../../lib/page-size.ts'
import { channelsQuery, isSearch } from './api.ts'

export interface ChannelFilter {
  readonly page?: number | undefined
  readonly keyword?: string | undefined
  readonly group?: string | undefined
  readonly model?: string | undefined
}

/** Health changes by itself; while a test of all channels runs it changes every few seconds. */
const refreshEveryMs = 30_000
const watchEveryMs = 3000

/** The rows on screen, however they are found. */
export function useChannelList(filter: ChannelFilter, watching: boolean) {
  const [pageSize, setPageSize] = usePageSize()
  const byId = useLocal('id-sort') === 'true'
  const searching = isSearch(filter)
  const page = filter.page ?? 1
  const { page: _page, ...search } = filter
  const query = useQuery({
    ...channelsQuery({ ...search, page, pageSize, byId }),
    refetchInterval: watching ? watchEveryMs : refreshEveryMs,
  })
  return {
    rows: query.data?.rows,
    total: query.data?.total,
    page,
    pageSize,
    setPageSize,
    byId,
    setById: (on: boolean) => writeLocal('id-sort', String(on)),
    searching,
    error: query.error,
    retry: () => void query.refetch(),
    refreshing: query.isPlaceholderData,
    fetching: query.isFetching,
  }
}

export type ChannelList = ReturnType<typeof useChannelList>
