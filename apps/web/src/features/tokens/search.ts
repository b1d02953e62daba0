import { listParams } from '../../components/list/list-search.ts'
import { integerParam, searchParams, textParam } from '../../lib/search-params.ts'

/** What of the key list is in the URL. A search is by name or by key, never both. */
export const tokensSearch = searchParams({
  ...listParams,
  keyword: textParam,
  token: textParam,
  status: integerParam,
})
export type TokensSearch = ReturnType<typeof tokensSearch>
