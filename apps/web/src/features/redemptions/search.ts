import { listParams } from '../../components/list/list-search.ts'
import { integerParam, searchParams, textParam } from '../../lib/search-params.ts'

/** Parameters of the list of codes in the URL. */
export const redemptionsSearch = searchParams({ ...listParams, keyword: textParam, status: integerParam })
export type RedemptionsSearch = ReturnType<typeof redemptionsSearch>
