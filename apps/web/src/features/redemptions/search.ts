import { listParams } from '../../components/list/list-search.ts'
import { integerParam, searchParams, textParam } from '../../lib/search-params.ts'

/** What of the list of codes is in the URL. */
export const redemptionsSearch = searchParams({ ...listParams, keyword: textParam, status: integerParam })
export type RedemptionsSearch = ReturnType<typeof redemptionsSearch>
