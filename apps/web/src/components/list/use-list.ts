import {
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  queryOptions,
  useQuery,
} from '@tanstack/react-query'
import { storedPageSize, usePageSize } from '../../lib/browser/page-size.ts'
import type { SortState } from '../data-table/columns.ts'
import { type ListSearch, sortOf } from './list-search.ts'

/** One page of a list, and how many rows its filter finds. */
export interface ListData<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

/** Page to load. */
export interface ListRequest {
  /** One-based. */
  readonly page: number
  readonly pageSize: number
  readonly sort: SortState | undefined
}

export interface ListSource<Row> {
  /** Names the list; filter and request are added, so that each page is kept by itself. */
  readonly queryKey: QueryKey
  /** Filter of the list, as it is part of the key. */
  readonly filter: object
  readonly read: (request: ListRequest, signal: AbortSignal) => Promise<ListData<Row>>
}

/** A request as most calls take it beside `p`: how many rows, and in which order. */
export function orderOf(sort: SortState | undefined): {
  readonly sort?: string
  readonly order?: 'asc' | 'desc'
} {
  return sort === undefined ? {} : { sort: sort.column, order: sort.descending ? 'desc' : 'asc' }
}

export interface ListOptions {
  /** Interval at which it is read again while it is on screen. */
  readonly refreshMs?: number | false
  /** Time for which a response counts as fresh. */
  readonly staleMs?: number
  /** Page size of a list that has room for many rows at once. */
  readonly defaultPageSize?: number
}

/** The rows on screen: the page that the address names, with the size that the person chose. */
export function useList<Row>(
  source: ListSource<Row>,
  search: ListSearch,
  { refreshMs = false, staleMs, defaultPageSize }: ListOptions = {},
) {
  const [pageSize, setPageSize] = usePageSize(defaultPageSize)
  const request = requestOf(search, pageSize)
  const query = useQuery({
    ...pageQuery(source, request),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
    ...(staleMs !== undefined && { staleTime: staleMs }),
  })
  return {
    ...request,
    setPageSize,
    /** `undefined` until the first response. */
    rows: query.data?.rows,
    total: query.data?.total,
    error: query.error,
    /** Other rows are on their way. */
    refreshing: query.isPlaceholderData,
    fetching: query.isFetching,
    refresh(): void {
      void query.refetch()
    },
  }
}

/** Reads the rows that `useList` asks for first, before the list is on screen, which reports a failure. */
export function preloadList<Row>(
  client: QueryClient,
  ...[source, search, { staleMs, defaultPageSize } = {}]: Parameters<typeof useList<Row>>
): void {
  const query = pageQuery(source, requestOf(search, storedPageSize(defaultPageSize)))
  void client.prefetchQuery({ ...query, ...(staleMs !== undefined && { staleTime: staleMs }) })
}

function requestOf(search: ListSearch, pageSize: number): ListRequest {
  return { page: search.page ?? 1, pageSize, sort: sortOf(search) }
}

function pageQuery<Row>(source: ListSource<Row>, request: ListRequest) {
  return queryOptions({
    queryKey: [...source.queryKey, 'list', source.filter, request],
    queryFn: ({ signal }) => source.read(request, signal),
  })
}

export type List<Row> = ReturnType<typeof useList<Row>> & {
  /** Number of the page's units, where those are not its rows, such as groups of them. */
  readonly count?: number | undefined
}
