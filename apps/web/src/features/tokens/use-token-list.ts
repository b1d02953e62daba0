import { useQuery } from '@tanstack/react-query'
import type { Token } from '@tollgate/api'
import { usePageSize } from '../../lib/page-size.ts'
import { isSearch, tokensQuery } from './api.ts'
import type { TokenSearchTerms } from './keys.ts'

export interface TokenFilter extends TokenSearchTerms {
  readonly page?: number | undefined
}

/** Keys are spent while one looks at them. */
const refreshEveryMs = 30_000

/** The rows on screen, however they are found. */
export function useTokenList(filter: TokenFilter) {
  const [pageSize, setPageSize] = usePageSize()
  const page = filter.page ?? 1
  const searching = isSearch(filter)
  const query = useQuery({ ...tokensQuery({ ...filter, page, pageSize }), refetchInterval: refreshEveryMs })
  return {
    rows: searching ? query.data && pageOf(query.data, page, pageSize) : query.data,
    /** Known for a search only: the list does not say how long it is. */
    total: searching ? query.data?.length : undefined,
    page,
    pageSize,
    setPageSize,
    searching,
    error: query.error,
    retry: () => void query.refetch(),
    refreshing: query.isPlaceholderData,
    fetching: query.isFetching,
  }
}

export type TokenList = ReturnType<typeof useTokenList>

/** Cuts a page out of all matches of a search. */
function pageOf(rows: readonly Token[], page: number, size: number): readonly Token[] {
  return rows.slice((page - 1) * size, page * size)
}
